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

/** What one operation of a workload does to its record. */
public enum OperationKind {
  /** Returns the record. */
  READ("read"),
  /** Replaces the record, unconditionally. */
  UPDATE("update"),
  /** Creates the next record. */
  INSERT("insert"),
  /** Reads the record, then replaces it: one operation of YCSB, two requests to the system. */
  READ_MODIFY_WRITE("read-modify-write");

  private final String label;

  OperationKind(String label) {
    this.label = label;
  }

  /** Returns the name that reports print. */
  public String label() {
    return label;
  }

  /** Returns whether the operation is one request that changes a record. */
  public boolean isWrite() {
    return this == UPDATE || this == INSERT;
  }
}
