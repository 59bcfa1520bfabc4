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

/**
 * A line of a figure.
 *
 * @param id its name in files
 * @param title its name for people
 * @param zab whether it is ZAB; Kite's protocols otherwise
 * @param mix its accesses; the writes vary
 */
public record Contender(String id, String title, boolean zab, Mix mix) {
  /** The eventual store alone: all accesses are relaxed. */
  public static final Contender ES = kite("es", "ES", 0, 0);

  /** ABD alone: all reads are acquires, all writes releases. */
  public static final Contender ABD = kite("abd", "ABD", 100, 0);

  /** Paxos alone: all writes are read-modify-writes, with ABD's reads (section 7.1). */
  public static final Contender PAXOS = kite("paxos", "Paxos", 100, 100);

  /** The yardstick. */
  public static final Contender ZAB = new Contender("zab", "ZAB", true, new Mix(0, 0, 0));

  /** Kite with so much synchronization, and so many read-modify-writes. */
  public static Contender kite(String id, String title, double syncPercent, double rmwPercent) {
    return new Contender(id, title, false, new Mix(0, syncPercent, rmwPercent));
  }
}
