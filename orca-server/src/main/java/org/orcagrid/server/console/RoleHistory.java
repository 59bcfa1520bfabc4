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
package org.orcagrid.server.console;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a server was lately: the last roles, the newest first. Safe for use by many threads. */
public final class RoleHistory {
  private static final int KEPT = 20;

  private final Deque<Entry> entries = new ArrayDeque<>();
  private long sinceNanos;

  /**
   * A role that began.
   *
   * @param at wall-clock time, for people
   * @param role as ZooKeeper names it: looking, following, leading, observing
   * @param afterMillis how long the role before it had lasted; an election, if that was looking
   */
  public record Entry(Instant at, String role, long afterMillis) {}

  /** A role begins; nothing happens if the server has it already. */
  public synchronized void onRole(String role) {
    if (!entries.isEmpty() && entries.peekFirst().role().equals(role)) {
      return;
    }
    long now = System.nanoTime();
    long lasted = entries.isEmpty() ? 0 : TimeUnit.NANOSECONDS.toMillis(now - sinceNanos);
    sinceNanos = now;
    entries.addFirst(new Entry(Instant.now(), role, lasted));
    if (entries.size() > KEPT) {
      entries.removeLast();
    }
  }

  /** Returns the last roles, the newest first. */
  public synchronized List<Entry> entries() {
    return new ArrayList<>(entries);
  }
}
