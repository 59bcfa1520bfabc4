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
 * A learner's place in the active set, as the learner knows it (section 4.4.2): while the lease is
 * valid, nothing is shown to any client that this server has not persisted and applied.
 *
 * <p>A grant lasts from the learner's own time stamp that the leader echoes: it was taken before
 * the leader decided, so that the lease ends before the leader counts that it may.
 *
 * <p>A learner that was told to mark itself out does so at once, and ignores grants for stamps of
 * before: they may have been on their way.
 *
 * <p>Not thread-safe; the owner guards it. Times are nanoseconds of the learner's monotonic clock.
 */
public final class MemberLease {

  private long startNanos;
  private long lengthNanos;
  private boolean held;
  private long markedOutNanos;
  private boolean wasMarkedOut;

  /**
   * The leader grants the lease, from the learner's stamp {@code stampNanos} on.
   *
   * @param grantNanos how long it lasts: as the leader counts it, whatever this server is set to
   */
  public void onGrant(long stampNanos, long grantNanos) {
    if (wasMarkedOut && stampNanos - markedOutNanos <= 0) {
      return;
    }
    if (!held || stampNanos - startNanos > 0) {
      held = true;
      startNanos = stampNanos;
      lengthNanos = grantNanos;
    }
  }

  /** The leader wants this server out of the set; it is out when this returns. */
  public void onMarkOut(long nowNanos) {
    held = false;
    wasMarkedOut = true;
    markedOutNanos = nowNanos;
  }

  /** Whether this server may show its state at {@code nowNanos}. */
  public boolean isValid(long nowNanos) {
    return held && nowNanos - startNanos < lengthNanos;
  }

  /** How long the lease lasts from {@code nowNanos}, 0 if it does not. */
  public long remainingNanos(long nowNanos) {
    return isValid(nowNanos) ? lengthNanos - (nowNanos - startNanos) : 0;
  }
}
