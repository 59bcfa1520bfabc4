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
package org.orcagrid.bench.zab;

/**
 * The writes of this node's sessions that are under way, in the order in which they began; they are
 * numbered from 1, proposed in this order and so applied in it. Key and value stay in the session,
 * which does nothing else meanwhile.
 */
final class OwnWrites {
  private final ZabSession[] sessions;
  private final int mask;
  private long first = 1;
  private long next = 1;

  OwnWrites(int capacity) {
    this.sessions = new ZabSession[capacity];
    this.mask = capacity - 1;
  }

  /** Adds a write; returns its number. */
  long add(ZabSession session) {
    sessions[(int) next & mask] = session;
    return next++;
  }

  /** Takes the first out; null if there is none. */
  ZabSession poll() {
    return first == next ? null : sessions[(int) first++ & mask];
  }

  ZabSession at(long number) {
    return sessions[(int) number & mask];
  }

  /** The number of the last one. */
  long last() {
    return next - 1;
  }
}
