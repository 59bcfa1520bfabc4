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
import org.orcagrid.ddp.store.Reading;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.MessageType;

/**
 * The rounds that several operations are made of: asking for the versions of a key, and bringing a
 * version to a majority (section 3.3); and what an acquire does at its end (section 4.2).
 */
final class Rounds {
  private final WorkerContext context;
  private final MissedKeys own = new MissedKeys();

  Rounds(WorkerContext context) {
    this.context = context;
  }

  /** Finds the session's key, and makes no record if it has none: there may be nothing to keep. */
  void findRecord(KiteSession s) {
    s.record = context.store.find(s.key.buffer(), 0, s.key.length(), s.hash);
  }

  /** Finds the session's key, or makes a record; else the operation has ended. */
  boolean makeRecord(KiteSession s) {
    s.record = context.store.findOrCreate(s.key.buffer(), 0, s.key.length(), s.hash);
    if (s.record == ReplicaStore.NONE) {
      context.complete(s, Outcome.STORE_FULL);
      return false;
    }
    return true;
  }

  /** Reads what this node has of the session's key: nothing, of the first epoch, if no record. */
  void readHere(KiteSession s) {
    if (s.record == ReplicaStore.NONE) {
      context.local.clear();
      s.result.length(Reading.ABSENT);
    } else {
      context.store.read(s.record, s.result, context.local);
    }
  }

  /** Begins an operation whose first round asks a majority for their versions. */
  void beginRead(KiteSession s, KiteSession.Phase phase, int epoch) {
    s.phase = phase;
    s.operation = context.nextOperation();
    s.startEpoch = epoch;
    readHere(s);
    s.adoptLocal(context.local, context.selfMask);
    s.recordEpoch = context.local.epoch;
    context.activate(s);
    sendRead(s);
  }

  /** Asks the nodes that have not answered. */
  void sendRead(KiteSession s) {
    s.sentNanos = context.now();
    int flags =
        switch (s.phase) {
          case ACQUIRE_READ, RMW_READ -> Message.ACQUIRE;
          case SLOW_READ -> 0;
          default -> Message.CLOCK_ONLY;
        };
    for (int left = context.all() & ~s.replied; left != 0; left &= left - 1) {
      int peer = Integer.numberOfTrailingZeros(left);
      Message read = context.message(peer, MessageType.READ, s.key.length(), Message.NO_VALUE);
      if (read != null) {
        read.flags(flags).session(s.slot).id(s.operation);
        read.clock(s.resultClock).rmw(s.resultRmw);
        WorkerContext.fill(read, s.key, null);
      }
    }
  }

  /**
   * Notes a node's version.
   *
   * @param withValue whether the value is wanted, too
   */
  void noteVersion(KiteSession s, int from, Message m, boolean withValue) {
    s.replied |= Quorum.of(from);
    if (m.has(Message.FULL)) {
      s.full |= Quorum.of(from);
    }
    noteDelinquency(s, from, m);
    if (s.isBetter(m.clock(), m.rmw())) {
      s.resultClock = m.clock();
      s.resultRmw = m.rmw();
      s.holders = Quorum.of(from);
      if (withValue) {
        s.result.set(m.buffer(), m.valueAt(), m.valueLength());
      }
    } else if (s.resultClock == m.clock() && s.resultRmw == m.rmw()) {
      s.holders |= Quorum.of(from);
    }
  }

  void noteDelinquency(KiteSession s, int from, Message m) {
    if (m.has(Message.DELINQUENT)
        && (context.keeps(KiteRule.DELINQUENCY_IN_EVERY_ROUND)
            || s.phase != KiteSession.Phase.ACQUIRE_WRITE_BACK)) {
      s.delinquentAt |= Quorum.of(from);
      MissedKeys.read(m, s.missed());
    }
  }

  /** Brings the best version to a majority; true if one has it already. */
  boolean beginWriteBack(KiteSession s, KiteSession.Phase phase) {
    // Whoever has the best version has it for ever, or a later one: no need to look again.
    if ((s.holders & context.selfMask) == 0
        && (s.record != ReplicaStore.NONE || context.keeps(KiteRule.KEEP_WHAT_IS_FOUND))) {
      if (s.record == ReplicaStore.NONE && !makeRecord(s)) {
        return false;
      }
      if (!context.apply(s.record, s.resultClock, s.resultRmw, s.result)) {
        context.complete(s, Outcome.STORE_FULL);
        return false;
      }
      s.holders |= context.selfMask;
    }
    if (context.isMajority(s.holders) || !context.keeps(KiteRule.SECOND_ROUND)) {
      return true;
    }
    s.phase = phase;
    s.full = 0;
    sendWriteBack(s);
    return false;
  }

  /** Sends the best version to the nodes that are not known to have it. */
  void sendWriteBack(KiteSession s) {
    s.sentNanos = context.now();
    for (int left = context.all() & ~s.holders; left != 0; left &= left - 1) {
      int peer = Integer.numberOfTrailingZeros(left);
      Message m = context.message(peer, MessageType.WRITE_BACK, s.key.length(), s.result.length());
      if (m != null) {
        m.flags(Message.ACQUIRE).session(s.slot).id(s.operation);
        m.clock(s.resultClock).rmw(s.resultRmw);
        WorkerContext.fill(m, s.key, s.result);
      }
    }
  }

  /**
   * Ends an operation that acquires. The accesses after it see what was released before it: if
   * anybody, this node included, has called this node delinquent, what it has missed is
   * out-of-epoch from now on, and only after that the bits are reset.
   */
  void endAcquire(KiteSession s, Outcome outcome) {
    own.clear();
    if (context.node.delinquency().onAcquire(context.self, context.worker, s.operation, own)) {
      s.delinquentAt |= context.selfMask;
      s.missed().addAll(own);
    }
    if (s.delinquentAt != 0) {
      if (context.keeps(KiteRule.RAISE_EPOCH)) {
        context.node.raiseEpoch(s.missed());
      }
      s.missed().clear();
      resetBits(s);
    } else {
      bringInEpoch(s);
    }
    context.complete(s, outcome);
  }

  private void bringInEpoch(KiteSession s) {
    if (s.recordEpoch >= s.startEpoch || s.record == ReplicaStore.NONE) {
      // It was in-epoch before, and a key's epoch only grows; or there is no such key.
      return;
    }
    context.store.lock(s.record);
    context.store.raiseEpoch(s.record, s.startEpoch);
    context.store.unlock(s.record);
  }

  private void resetBits(KiteSession s) {
    for (int left = s.delinquentAt; left != 0; left &= left - 1) {
      int node = Integer.numberOfTrailingZeros(left);
      if (node == context.self) {
        context.node.delinquency().onReset(node, context.worker, s.operation);
      } else {
        Message reset = context.message(node, MessageType.RESET_BIT, 0, Message.NO_VALUE);
        if (reset != null) {
          reset.id(s.operation);
        }
      }
    }
  }
}
