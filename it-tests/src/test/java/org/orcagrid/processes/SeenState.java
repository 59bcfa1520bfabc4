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
package org.orcagrid.processes;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Judges what clients saw of registers whose values only grow: no read may return an older value
 * than any client had seen before the read began, and what was acknowledged as durable counts as
 * seen.
 *
 * <p>Safe for use by many threads.
 */
final class SeenState {
  private final Map<String, Long> seen = new TreeMap<>();
  private final Set<Integer> deposed = new HashSet<>();
  private final List<String> violations = new ArrayList<>();
  private long excused;

  /**
   * A read that has begun.
   *
   * @param key the register
   * @param before the newest value that any client had seen when it began
   * @param server the server that is asked
   * @param fromDeposed whether that server may not know yet that it no longer leads
   */
  record Read(String key, long before, int server, boolean fromDeposed) {}

  /**
   * This server was leader and may not know that it no longer is. Until the opposite is said, what
   * it shows is compared only within a session: guarantees.md says that a deposed leader answers
   * its own sessions for a while.
   */
  synchronized void mayBeDeposed(int server) {
    deposed.add(server);
  }

  /** This server knows its place again. */
  synchronized void knowsItsPlace(int server) {
    deposed.remove(server);
  }

  synchronized Read begin(String key, int server) {
    return new Read(key, newest(key), server, deposed.contains(server));
  }

  /** The read has returned {@code value}; its session had seen {@code ofSession} before. */
  synchronized void end(Read read, long value, long ofSession) {
    boolean weaker = read.fromDeposed() || deposed.contains(read.server());
    long atLeast = weaker ? ofSession : Math.max(read.before(), ofSession);
    if (value < atLeast) {
      violations.add(
          "server %d showed %s=%d after %d was seen"
              .formatted(read.server(), read.key(), value, atLeast));
    }
    if (value < read.before()) {
      excused += weaker ? 1 : 0;
    }
    seen.merge(read.key(), value, Math::max);
  }

  /** A write was acknowledged by a way that promises durability. */
  synchronized void onDurable(String key, long value) {
    seen.merge(key, value, Math::max);
  }

  /** Something that must not happen at all. */
  synchronized void violation(String what) {
    violations.add(what);
  }

  /** The newest value that any client has seen. */
  synchronized long newest(String key) {
    return seen.getOrDefault(key, -1L);
  }

  /** How many reads of a deposed leader were older than what others had seen. */
  synchronized long excused() {
    return excused;
  }

  synchronized List<String> violations() {
    return List.copyOf(violations);
  }
}
