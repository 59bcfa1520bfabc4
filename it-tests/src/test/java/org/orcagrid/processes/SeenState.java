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
import java.util.List;
import java.util.Map;
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
  private final List<String> violations = new ArrayList<>();

  /**
   * A read that has begun.
   *
   * @param key the register
   * @param before the newest value that any client had seen when it began
   * @param server the server that is asked
   */
  record Read(String key, long before, int server) {}

  synchronized Read begin(String key, int server) {
    return new Read(key, newest(key), server);
  }

  /** The read has returned {@code value}; its session had seen {@code ofSession} before. */
  synchronized void end(Read read, long value, long ofSession) {
    long atLeast = Math.max(read.before(), ofSession);
    if (value < atLeast) {
      violations.add(
          "server %d showed %s=%d after %d was seen"
              .formatted(read.server(), read.key(), value, atLeast));
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

  synchronized List<String> violations() {
    return List.copyOf(violations);
  }
}
