/*
 * Copyright 2026 The Orca Grid authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.orcagrid.bench.workload;

import java.util.Locale;

/**
 * The six workloads of the ORCA paper's evaluation (section 5): shares in percent of YCSB
 * operations, and the access pattern.
 *
 * <p>The paper does not say which records W writes; here each is equally likely. Workload E is left
 * out for the paper's reason: ZooKeeper has no range queries.
 */
public enum Workload {
  /** Writes only. */
  W("write-only", 0, 100, 0, KeyChoice.UNIFORM),
  /** Half reads, half updates. */
  A("update-heavy", 50, 50, 0, KeyChoice.ZIPFIAN),
  /** 95% reads, 5% updates. */
  B("read-mostly", 95, 5, 0, KeyChoice.ZIPFIAN),
  /** Reads only. */
  C("read-only", 100, 0, 0, KeyChoice.ZIPFIAN),
  /** 95% reads, mostly of what was inserted last, and 5% inserts. */
  D("read-latest", 95, 0, 5, KeyChoice.LATEST),
  /**
   * Half reads, half read-modify-writes. A read-modify-write is a read request and a write request,
   * so two thirds of the requests are reads: the 67% of the paper's Table 2.
   */
  F("read-modify-write", 50, 0, 0, KeyChoice.ZIPFIAN);

  private final String label;
  private final int readPercent;
  private final int updatePercent;
  private final int insertPercent;
  private final KeyChoice keyChoice;

  Workload(
      String label, int readPercent, int updatePercent, int insertPercent, KeyChoice keyChoice) {
    this.label = label;
    this.readPercent = readPercent;
    this.updatePercent = updatePercent;
    this.insertPercent = insertPercent;
    this.keyChoice = keyChoice;
  }

  /** Returns a short description, such as {@code read-mostly}. */
  public String label() {
    return label;
  }

  /** Returns how records are chosen. */
  public KeyChoice keyChoice() {
    return keyChoice;
  }

  /** Returns whether running the workload adds records. */
  public boolean inserts() {
    return insertPercent > 0;
  }

  /** Returns the share of requests that are reads, from 0 to 1. */
  public double readShareOfRequests() {
    int readModifyWrites = 100 - readPercent - updatePercent - insertPercent;
    return (readPercent + readModifyWrites) / (100.0 + readModifyWrites);
  }

  /**
   * Returns the operation that a draw selects.
   *
   * @param percentile a uniform draw from 0 (inclusive) to 100 (exclusive)
   */
  OperationKind kindAt(int percentile) {
    if (percentile < readPercent) {
      return OperationKind.READ;
    }
    if (percentile < readPercent + updatePercent) {
      return OperationKind.UPDATE;
    }
    if (percentile < readPercent + updatePercent + insertPercent) {
      return OperationKind.INSERT;
    }
    return OperationKind.READ_MODIFY_WRITE;
  }

  /**
   * Returns the workload with this letter, in either case.
   *
   * @throws IllegalArgumentException if there is none; the message lists the letters
   */
  public static Workload named(String letter) {
    for (Workload workload : values()) {
      if (workload.name().equals(letter.trim().toUpperCase(Locale.ROOT))) {
        return workload;
      }
    }
    throw new IllegalArgumentException(
        "There is no workload '" + letter + "'; choose from W, A, B, C, D and F.");
  }
}
