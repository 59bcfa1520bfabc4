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

import org.orcagrid.ddp.store.ReplicaStore;

/**
 * Relaxed reads and writes (sections 3.2, 4.2 and 4.3). A key that is in-epoch is read here and
 * written by one broadcast. One that is out-of-epoch is refreshed first: a read asks a majority for
 * the value, a write for the clock only; neither needs ABD's second round.
 */
final class EventualStore {
  private final WorkerContext context;
  private final ReplicaStore store;
  private final PendingWrites writes;
  private final Rounds rounds;
  private final LocalAccess local;

  EventualStore(WorkerContext context, PendingWrites writes, Rounds rounds) {
    this.context = context;
    this.store = context.store;
    this.writes = writes;
    this.rounds = rounds;
    this.local = new LocalAccess(context.node);
  }

  void beginRead(KiteSession s) {
    int epoch = context.node.epoch();
    boolean inEpoch = local.read(s.key, s.hash, s.result, context.local);
    if (inEpoch) {
      s.resultClock = context.local.clock;
      s.resultRmw = context.local.rmw;
      context.complete(s, Outcome.DONE);
    } else {
      rounds.findRecord(s);
      ask(s, KiteSession.Phase.SLOW_READ, epoch);
    }
  }

  void beginWrite(KiteSession s) {
    int epoch = context.node.epoch();
    Outcome written = local.write(s.key, s.hash, s.value);
    s.record = local.record();
    if (written == null) {
      writes.reserve();
      ask(s, KiteSession.Phase.SLOW_WRITE, epoch);
    } else {
      s.resultClock = local.clock();
      s.resultRmw = 0;
      end(s, written == Outcome.DONE);
    }
  }

  private void ask(KiteSession s, KiteSession.Phase phase, int epoch) {
    rounds.beginRead(s, phase, epoch);
    if (context.isMajority(s.replied)) {
      // The others have left the grid: nobody answers.
      onMajority(s);
    }
  }

  /** Tells the other nodes of a write that was made here already. */
  void announce(KiteSession s, long record) {
    s.record = record;
    long sequence = writes.add(s, PendingWrites.Kind.RELAXED);
    writes.sendToOthers(sequence);
    writes.onAck(sequence, context.selfMask);
  }

  private boolean write(KiteSession s) {
    return store.set(s.record, s.resultClock, 0, s.value.buffer(), 0, s.value.length());
  }

  private void end(KiteSession s, boolean written) {
    if (!written) {
      context.complete(s, Outcome.STORE_FULL);
      return;
    }
    long sequence = writes.add(s, PendingWrites.Kind.RELAXED);
    writes.broadcast(sequence, s.key, s.value, s.resultClock, 0);
    writes.onAck(sequence, context.selfMask);
    context.complete(s, Outcome.DONE);
  }

  /** A majority has told its versions. */
  void onMajority(KiteSession s) {
    if (s.phase == KiteSession.Phase.SLOW_READ) {
      endRead(s);
      return;
    }
    writes.unreserve();
    if (context.isBlockedBy(s.full)) {
      context.complete(s, Outcome.STORE_FULL);
      return;
    }
    boolean written;
    store.lock(s.record);
    try {
      s.resultClock = context.newClock(s.record, s.resultClock);
      s.resultRmw = 0;
      written = write(s);
      if (written) {
        store.raiseEpoch(
            s.record, context.keeps(KiteRule.EPOCH_AT_START) ? s.startEpoch : context.node.epoch());
      }
    } finally {
      store.unlock(s.record);
    }
    end(s, written);
  }

  /**
   * What was read is kept here, so that a later read finds nothing older; unless a majority has
   * nothing. Such a key is out-of-epoch, and asked for again.
   */
  private void endRead(KiteSession s) {
    if (s.record == ReplicaStore.NONE) {
      if ((s.holders & context.selfMask) != 0 || !context.keeps(KiteRule.KEEP_WHAT_IS_FOUND)) {
        context.complete(s, Outcome.DONE);
        return;
      }
      if (!rounds.makeRecord(s)) {
        return;
      }
    }
    boolean applied =
        context.applyInEpoch(s.record, s.resultClock, s.resultRmw, s.result, s.startEpoch);
    context.complete(s, applied ? Outcome.DONE : Outcome.STORE_FULL);
  }
}
