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
package org.orcagrid.cad;

import java.util.ArrayDeque;

/**
 * The writes that a leader commits only once they are durable, and how long they have waited for
 * that.
 *
 * <p>Not thread-safe; the owner guards it. Times are nanoseconds of any monotonic clock.
 */
public final class LateWrites {

  /** No write. */
  public static final long NONE = -1;

  private record Waiting(long index, long sinceNanos) {}

  private final ArrayDeque<Waiting> oldestFirst = new ArrayDeque<>();
  private long count;
  private long waitedNanos;

  /** The write {@code index} is proposed, above all before it. */
  public void add(long index, long nowNanos) {
    oldestFirst.addLast(new Waiting(index, nowNanos));
  }

  /** Whether the write may commit, as far as these are concerned; what comes before it has. */
  public boolean mayCommit(long index) {
    Waiting first = oldestFirst.peekFirst();
    return first == null || index < first.index || index > oldestFirst.peekLast().index;
  }

  /**
   * All writes up to {@code index} are durable.
   *
   * @return the last of them that has waited, or {@link #NONE}
   */
  public long onDurable(long index, long nowNanos) {
    long waited = NONE;
    Waiting first = oldestFirst.peekFirst();
    while (first != null && first.index <= index) {
      oldestFirst.pollFirst();
      count++;
      waitedNanos += nowNanos - first.sinceNanos;
      waited = first.index;
      first = oldestFirst.peekFirst();
    }
    return waited;
  }

  /** How long the oldest of them has waited, 0 if none does. */
  public long oldestAgeNanos(long nowNanos) {
    Waiting first = oldestFirst.peekFirst();
    return first == null ? 0 : nowNanos - first.sinceNanos;
  }

  /** None waits any more: each commits as an early one, and is shown once it is durable. */
  public void giveUp() {
    oldestFirst.clear();
  }

  /** How many have waited and are durable now. */
  public long count() {
    return count;
  }

  /** How long those have waited, together. */
  public long waitedNanos() {
    return waitedNanos;
  }
}
