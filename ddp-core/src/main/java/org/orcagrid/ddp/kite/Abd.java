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

import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.store.ReplicaStore;

/**
 * Releases and acquires: multi-writer ABD (section 3.3). A release reads the clocks of a majority
 * while it waits at the barrier (section 4.3), then writes; it ends when a majority has the write.
 * An acquire reads from a majority, and brings what it has read to a majority if none has it.
 */
final class Abd {
  private final WorkerContext context;
  private final PendingWrites writes;
  private final ReleaseBarrier barrier;
  private final Rounds rounds;

  Abd(WorkerContext context, PendingWrites writes, ReleaseBarrier barrier, Rounds rounds) {
    this.context = context;
    this.writes = writes;
    this.barrier = barrier;
    this.rounds = rounds;
  }

  void beginAcquire(KiteSession s) {
    rounds.findRecord(s);
    rounds.beginRead(s, KiteSession.Phase.ACQUIRE_READ, context.node.epoch());
    onReplies(s);
  }

  void beginRelease(KiteSession s) {
    if (rounds.makeRecord(s)) {
      rounds.beginRead(s, KiteSession.Phase.RELEASE_READ, context.node.epoch());
      onReplies(s);
    }
  }

  /** The first round may be over. */
  void onReplies(KiteSession s) {
    if (context.isBlockedBy(s.full)) {
      context.complete(s, Outcome.STORE_FULL);
      return;
    }
    if (!context.isMajority(s.replied & ~s.full)) {
      return;
    }
    if (s.phase == KiteSession.Phase.ACQUIRE_READ) {
      if (rounds.beginWriteBack(s, KiteSession.Phase.ACQUIRE_WRITE_BACK)) {
        rounds.endAcquire(s, Outcome.DONE);
      }
    } else if (barrier.isPassedBy(s)) {
      write(s);
    } else if (s.blockedWrites > 0) {
      context.complete(s, Outcome.STORE_FULL);
    } else {
      s.phase = KiteSession.Phase.RELEASE_BARRIER;
      barrier.waiting(1);
    }
  }

  /** The last of the session's writes has become safe. */
  void onBarrierPassed(KiteSession s) {
    barrier.waiting(-1);
    write(s);
  }

  private void write(KiteSession s) {
    ReplicaStore store = context.store;
    boolean written;
    store.lock(s.record);
    try {
      long seen = context.keeps(KiteRule.FRESH_CLOCK) ? s.resultClock : 0;
      s.resultClock = context.newClock(s.record, seen);
      s.resultRmw = 0;
      written = store.set(s.record, s.resultClock, 0, s.value.buffer(), 0, s.value.length());
      if (written) {
        store.raiseEpoch(s.record, s.startEpoch);
      }
    } finally {
      store.unlock(s.record);
    }
    if (!written) {
      context.complete(s, Outcome.STORE_FULL);
      return;
    }
    s.phase = KiteSession.Phase.RELEASE_WRITE;
    s.releaseSequence = writes.add(s, PendingWrites.Kind.RELEASE);
    writes.broadcast(s.releaseSequence, s.key, s.value, s.resultClock, 0);
    onReleaseAck(writes.onAck(s.releaseSequence, context.selfMask));
  }

  /** The release of this session, unless it is null, has reached a majority. */
  void onReleaseAck(KiteSession s) {
    if (s != null && s.phase == KiteSession.Phase.RELEASE_WRITE) {
      context.complete(s, Outcome.DONE);
    }
  }

  /**
   * Too few nodes have room for this write. If it is a release that its session waits for, nobody
   * knows what comes of it: it is written here, and sent again.
   */
  void onReleaseBlocked(KiteSession s, long sequence) {
    if (s.phase == KiteSession.Phase.RELEASE_WRITE && s.releaseSequence == sequence) {
      context.complete(s, Outcome.UNKNOWN);
    }
  }

  /** A node has the version that an acquire brings to a majority. */
  boolean onWriteBackAck(KiteSession s, int from) {
    s.holders |= Quorum.of(from);
    return isWrittenBack(s);
  }

  /** Whether a majority has the version that an acquire brings to it. */
  boolean isWrittenBack(KiteSession s) {
    return context.isMajority(s.holders);
  }
}
