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
 * What a voter has promised to a leader by answering its heartbeat: to acknowledge no other leader
 * until the lease of this one, and every lease that it has granted, must have ended. It may vote
 * meanwhile, and accept the next epoch: nothing is shown in that before a quorum has acknowledged
 * its leader.
 *
 * <p>The promise of a server that has restarted counts from its start: it has forgotten when it
 * answered last, but not that it did.
 *
 * <p>Not thread-safe; the owner guards it. Times are nanoseconds of the voter's monotonic clock.
 */
public final class ElectionPromise {

  private boolean made;
  private long untilNanos;

  /** The voter answers a heartbeat, or as a leader sends one. */
  public void onAnswer(long nowNanos, long promiseNanos) {
    long until = nowNanos + promiseNanos;
    if (!made || until - untilNanos > 0) {
      made = true;
      untilNanos = until;
    }
  }

  /** How long the voter has to wait before it acknowledges another leader. */
  public long remainingNanos(long nowNanos) {
    return made ? Math.max(0, untilNanos - nowNanos) : 0;
  }
}
