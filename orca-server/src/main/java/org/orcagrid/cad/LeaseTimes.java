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
 * The times of the leases of section 4.4.2, in nanoseconds of monotonic clocks.
 *
 * <p>What makes them safe: by the time {@code removalNanos} have passed on the leader's clock,
 * {@code markOutNanos} have passed on the follower's. With {@code removal >= 5 * markOut} that
 * holds unless one clock runs five times as fast as the other. With {@code promise >= 3 * markOut}
 * no other leader shows anything before the leases of the last one have ended, unless one clock
 * runs half as fast again as another.
 *
 * @param heartbeatNanos how often the leader sends a heartbeat
 * @param markOutNanos how long a grant lasts, and the leader's own lease after a heartbeat that a
 *     quorum has answered
 * @param removalNanos how long after the last grant the leader may remove a member
 * @param promiseNanos how long after its last answer a voter acknowledges no other leader: two
 *     mark-out times, the leader's lease and then a grant of its last moment, have passed by then
 */
public record LeaseTimes(
    long heartbeatNanos, long markOutNanos, long removalNanos, long promiseNanos) {

  /** "ORCA sets rt significantly greater than mt (e.g., rt >= 5 * mt)". */
  public static final int REMOVAL_PER_MARK_OUT_MIN = 5;

  /** Twice for the leases, and half as much again for clocks. */
  public static final int PROMISE_PER_MARK_OUT_MIN = 3;

  /** A grant must outlive the wait for the next heartbeat and its way. */
  public static final int MARK_OUT_PER_HEARTBEAT_MIN = 2;

  /** Whether the times are in the order that safety (and some use) needs. */
  public boolean isOrdered() {
    return heartbeatNanos > 0
        && markOutNanos >= MARK_OUT_PER_HEARTBEAT_MIN * heartbeatNanos
        && removalNanos >= REMOVAL_PER_MARK_OUT_MIN * markOutNanos
        && promiseNanos >= PROMISE_PER_MARK_OUT_MIN * markOutNanos;
  }
}
