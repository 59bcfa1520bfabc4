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
 * What a load process has done in a turn.
 *
 * @param measured operations that ended while it was measured
 * @param nanos how long that was
 * @param total operations of the whole turn, with its ramp and its end
 * @param disturbances what should not happen on a quiet machine, in the words of its {@link
 *     LoadTarget}: slow releases, for one
 * @param latencies of a sample of the operations that ended while it was measured
 */
public record Turn(long measured, long nanos, long total, long disturbances, Latencies latencies) {
  /** The first word of its line. */
  public static final String WORD = "turn";

  /** Returns it as a line. */
  String line() {
    return String.join(
        " ",
        WORD,
        Long.toString(measured),
        Long.toString(nanos),
        Long.toString(total),
        Long.toString(disturbances),
        latencies.word());
  }

  /** Reads what {@link #line} has made. */
  public static Turn of(String line) {
    String[] words = line.split(" ", -1);
    return new Turn(
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]),
        Latencies.of(words[5]));
  }

  /** Operations per second while it was measured. */
  public double perSecond() {
    return measured * 1e9 / nanos;
  }
}
