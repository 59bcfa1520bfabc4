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
import java.util.concurrent.ConcurrentHashMap;

/**
 * Judges reads of values that only grow: a read that begins after another one has ended must not
 * return less, whoever read and wherever. Safe for many threads.
 */
final class SeenValues {
  private final Map<String, Long> highest = new ConcurrentHashMap<>();
  private final List<String> violations = new ArrayList<>();

  /** What a read of {@code key} that begins now must return at least. */
  long floor(String key) {
    return highest.getOrDefault(key, 0L);
  }

  /** A read that began when the floor was {@code floor} has returned {@code value}. */
  void onRead(String reader, String key, long floor, long value) {
    if (value < floor) {
      synchronized (violations) {
        violations.add(reader + " read " + key + "=" + value + " after " + floor + " was read");
      }
    }
    highest.merge(key, value, Math::max);
  }

  List<String> violations() {
    synchronized (violations) {
      return List.copyOf(violations);
    }
  }
}
