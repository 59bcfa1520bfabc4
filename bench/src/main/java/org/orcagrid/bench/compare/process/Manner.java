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
package org.orcagrid.bench.compare.process;

/** How a client's thread makes its operations. */
public enum Manner {
  /** By asynchronous forms: as many are under way as its depth says. */
  PIPELINED("pipelined"),
  /** By waiting forms: the next one begins when the last one has ended. */
  ONE_AT_A_TIME("one-at-a-time");

  private final String id;

  Manner(String id) {
    this.id = id;
  }

  /** Its name in files and orders. */
  public String id() {
    return id;
  }

  /** The one with this name. */
  static Manner of(String id) {
    for (Manner each : values()) {
      if (each.id.equals(id)) {
        return each;
      }
    }
    throw new IllegalArgumentException("There is no manner '" + id + "'");
  }
}
