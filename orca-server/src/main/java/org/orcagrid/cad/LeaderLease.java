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

/**
 * The leader's own read lease (section 4.4.2, "Deposed leaders"): until when no other leader can
 * have shown anything.
 *
 * <p>It starts at the <em>sending</em> of a heartbeat that a quorum has answered. Each voter of
 * that quorum has promised, when it answered, to acknowledge no other leader for {@code
 * promiseNanos}; any quorum that acknowledges one has one of them in it.
 *
 * <p>A reconfiguration changes what a quorum is. While one is pending, the rule asks for a quorum
 * of both configurations; it may commit once {@link #isKeptBy} holds for the new one.
 *
 * <p>Invariant: the lease never ends earlier than it once did, while the leader is in office.
 *
 * <p>Not thread-safe; the owner guards it. Times are nanoseconds of the leader's monotonic clock
 * since its role began, never negative.
 */
public final class LeaderLease {

  /** Before the first heartbeat that a quorum answers. */
  static final long NEVER = -1;

  private final LeaseTimes times;
  private final QuorumIndex answered = new QuorumIndex(NEVER);

  /** A lease that has not begun. */
  public LeaderLease(LeaseTimes times) {
    this.times = times;
  }

  /**
   * A voter, perhaps the leader itself, has answered the heartbeat that was sent at {@code
   * sentNanos}.
   *
   * @return whether the lease ends later than before
   */
  public boolean onAnswered(long serverId, long sentNanos, QuorumRule rule) {
    return answered.onReport(serverId, sentNanos, rule);
  }

  /** When the lease ends, or a negative number if it has not begun. */
  public long endNanos() {
    return answered.value() == NEVER ? NEVER : answered.value() + times.markOutNanos();
  }

  /** Whether the leader may show its state, and vouch for that of others, at {@code nowNanos}. */
  public boolean isValid(long nowNanos) {
    return nowNanos < endNanos();
  }

  /**
   * Whether nobody can lead with a quorum by {@code next} while this lease, or one that was granted
   * under it, may still be valid: each such quorum has a voter in it that has answered the
   * heartbeat which extended the lease last, or a later one. If too few answer, as stock servers
   * do, it holds all the same once no lease can be left.
   */
  public boolean isKeptBy(QuorumRule next, long nowNanos) {
    long last = answered.value();
    // A grant is given while the lease is valid, and has ended when the removal time has passed.
    return last == NEVER
        || nowNanos - last >= times.markOutNanos() + times.removalNanos()
        || answered.isReached(last, next);
  }
}
