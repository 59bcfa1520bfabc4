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
package org.orcagrid.ddp.kite;

/**
 * Looks again at what waits for answers where other nodes have to answer than before: what has
 * enough of them now gets no further one.
 */
final class SecondLook {
  private final WorkerContext context;
  private final PendingWrites writes;
  private final ReleaseBarrier barrier;
  private final EventualStore relaxed;
  private final Abd abd;
  private final Rounds rounds;
  private final Rmw rmw;

  /** For each of the last two views, who counts and who is waited for. */
  private int counted;

  private int all;
  private boolean isDue;

  SecondLook(
      WorkerContext context,
      PendingWrites writes,
      ReleaseBarrier barrier,
      EventualStore relaxed,
      Abd abd,
      Rounds rounds,
      Rmw rmw) {
    this.context = context;
    this.writes = writes;
    this.barrier = barrier;
    this.relaxed = relaxed;
    this.abd = abd;
    this.rounds = rounds;
    this.rmw = rmw;
  }

  /** The worker has entered a view. */
  void onEntered() {
    isDue |= counted != context.counted() || all != context.all();
    counted = context.counted();
    all = context.all();
  }

  /** Looks, if other nodes have to answer than at the last time. */
  void poll() {
    if (!isDue) {
      return;
    }
    isDue = false;
    writes.lookAgain(abd::onReleaseAck);
    barrier.lookAgain();
    for (int i = context.activeCount() - 1; i >= 0; i--) {
      if (i < context.activeCount()) {
        lookAt(context.active(i));
      }
    }
  }

  private void lookAt(KiteSession s) {
    boolean isBlocked = context.isBlockedBy(s.full);
    switch (s.phase) {
      case SLOW_READ, SLOW_WRITE -> {
        if (context.isMajority(s.replied & ~s.full) || isBlocked) {
          relaxed.onMajority(s);
        }
      }
      case ACQUIRE_READ, RELEASE_READ -> abd.onReplies(s);
      case ACQUIRE_WRITE_BACK -> endWrittenBack(s, isBlocked, Outcome.DONE);
      case RMW_WRITE_BACK -> endWrittenBack(s, isBlocked, s.asked.outcome);
      case RMW_READ -> rmw.onReplies(s);
      case RMW_PROPOSE -> {
        if (isBlocked && s.sentLog == 0) {
          rmw.withdraw(s);
          context.complete(s, Outcome.STORE_FULL);
        } else {
          rmw.onPromises(s);
        }
      }
      case RMW_ACCEPT -> rmw.onAccepted(s);
      case RMW_COMMIT -> rmw.onCommitted(s);
      default -> {
        // It waits for its writes, or for the time.
      }
    }
  }

  private void endWrittenBack(KiteSession s, boolean isBlocked, Outcome outcome) {
    if (abd.isWrittenBack(s)) {
      rounds.endAcquire(s, outcome);
    } else if (isBlocked) {
      context.complete(s, Outcome.STORE_FULL);
    }
  }
}
