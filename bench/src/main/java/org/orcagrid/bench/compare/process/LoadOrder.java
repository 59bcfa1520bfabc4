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

/**
 * What a load process is to do in a turn.
 *
 * @param variant how the system is used, in the words of its {@link LoadTarget}
 * @param manner how clients make their operations
 * @param writePercent operations that write
 * @param rampMillis how long it runs before it is measured
 * @param measuredMillis how long it is measured
 */
public record LoadOrder(
    String variant, Manner manner, double writePercent, long rampMillis, long measuredMillis) {
  /** The first word of its line. */
  public static final String WORD = "run";

  /** Returns it as a line. */
  public String line() {
    return String.join(
        " ",
        WORD,
        variant,
        manner.id(),
        Double.toString(writePercent),
        Long.toString(rampMillis),
        Long.toString(measuredMillis));
  }

  /** Reads what {@link #line} has made. */
  static LoadOrder of(String line) {
    String[] words = line.split(" ", -1);
    return new LoadOrder(
        words[1],
        Manner.of(words[2]),
        Double.parseDouble(words[3]),
        Long.parseLong(words[4]),
        Long.parseLong(words[5]));
  }
}
