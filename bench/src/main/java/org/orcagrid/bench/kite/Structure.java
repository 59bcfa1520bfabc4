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
package org.orcagrid.bench.kite;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A workload on lock-free structures (Kite, section 7.3): an object of so many fields of 32 bytes,
 * each a key of its own, is written and put in; then one is taken out and read.
 *
 * @param kind the structure
 * @param fields fields of an object
 */
public record Structure(Kind kind, int fields) {
  /** As in the paper's figure. */
  public static final List<Structure> ALL =
      Stream.of(Kind.values())
          .flatMap(kind -> Stream.of(new Structure(kind, 4), new Structure(kind, 32)))
          .toList();

  private static final double ALL_PERCENT = 100;

  /**
   * The structures. What one pair of operations reads and writes besides the fields is counted in
   * their code, as it is without conflicts: a compare-and-set is a write.
   */
  public enum Kind {
    /** Treiber's stack: push and pop. */
    TS(1, 3, 3),
    /** Michael and Scott's queue: offer and poll. */
    MSQ(2, 5, 4),
    /** The list of Harris and Michael: add and remove. */
    HML(3, 3, 4);

    private final int code;
    private final int reads;
    private final int writes;

    Kind(int code, int reads, int writes) {
      this.code = code;
      this.reads = reads;
      this.writes = writes;
    }

    /** Its number in what objects say of where they were put in. */
    int code() {
      return code;
    }
  }

  /** Its name in files. */
  public String id() {
    return title().toLowerCase(Locale.ROOT);
  }

  /** Its name for people, as in the paper. */
  public String title() {
    return kind + "-" + fields;
  }

  /** Accesses of one operation without conflicts, the mean of putting in and taking out. */
  public double accesses() {
    return (kind.reads + kind.writes + 2 * fields) / 2.0;
  }

  /** Those of them that write. */
  public double writePercent() {
    return ALL_PERCENT * (kind.writes + fields) / (2 * accesses());
  }
}
