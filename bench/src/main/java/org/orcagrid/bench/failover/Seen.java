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
package org.orcagrid.bench.failover;

/**
 * What the clients of a node have seen since a mark.
 *
 * @param writeNanos the longest time without an acknowledged write
 * @param readNanos the longest time without an answered read
 * @param openNanos how long no write, or no read, was acknowledged up to the report
 * @param unknown operations whose outcome is unknown to their caller
 * @param failed operations that ended with another exception
 * @param first what the first of these exceptions says, empty if there was none
 */
public record Seen(
    long writeNanos, long readNanos, long openNanos, long unknown, long failed, String first) {
  /** The first word of its line. */
  static final String WORD = "seen";

  private static final int FIELDS = 7;
  private static final double NANOS_PER_MILLI = 1e6;

  /** Milliseconds without an acknowledged write. */
  public double writeMillis() {
    return writeNanos / NANOS_PER_MILLI;
  }

  /** Milliseconds without an answered read. */
  public double readMillis() {
    return readNanos / NANOS_PER_MILLI;
  }

  /** Returns it as a line. */
  String line() {
    return String.join(
        " ",
        WORD,
        Long.toString(writeNanos),
        Long.toString(readNanos),
        Long.toString(openNanos),
        Long.toString(unknown),
        Long.toString(failed),
        first.replaceAll("\\s+", " "));
  }

  /** Reads what {@link #line} has made. */
  static Seen of(String line) {
    String[] words = line.split(" ", FIELDS);
    return new Seen(
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]),
        Long.parseLong(words[5]),
        words[FIELDS - 1]);
  }
}
