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

import java.util.concurrent.atomic.AtomicLong;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.MessageType;

/**
 * The release barrier of a worker (section 4.2). Fast path: every write before the release was
 * acknowledged by all. Slow path: all were by a majority, and a majority knows the DM-set, the
 * nodes that miss one of them.
 *
 * <p>One slow-release at a time serves all sessions of the worker, and covers the writes that a
 * majority has when it begins. Not earlier: a node could otherwise learn of its delinquency,
 * refresh a key from replicas that lack the write, and trust the key from then on.
 *
 * <p>A node that has let a time-out pass is suspected until it is heard of again: releases do not
 * wait for it again, but still tell that it is delinquent, since it may have learned of the last
 * time already.
 */
final class ReleaseBarrier {
  /** Checks for expired writes during one release time-out. */
  private static final int LOOKS = 8;

  /** A worker that has not polled for this part of the time-out has stood still. */
  private static final int STOOD_PARTS = 2;

  private final WorkerContext context;
  private final PendingWrites writes;

  /** The keys of the writes that the present slow-release covers. */
  private final MissedKeys missed = new MissedKeys();

  /** Whether the slow-release carries them; false if its nodes have missed every key anyway. */
  private boolean namesKeys;

  private int waiting;
  private int suspected;
  private int told;
  private int toldTo;
  private long operation;
  private long sentNanos;
  private long lookedNanos = WorkerContext.LONG_AGO;
  private long polledNanos = WorkerContext.LONG_AGO;
  private final AtomicLong slowReleases = new AtomicLong();

  ReleaseBarrier(WorkerContext context, PendingWrites writes) {
    this.context = context;
    this.writes = writes;
  }

  /** Whether what a session does next comes after all of its writes so far. */
  boolean isPassedBy(KiteSession session) {
    return (session.pendingWrites == 0 || !context.keeps(KiteRule.WAIT_FOR_WRITES))
        && !writes.isFull();
  }

  /** A session has begun, or ended, to wait. */
  void waiting(int change) {
    waiting += change;
  }

  /** How many slow-releases there were. */
  long slowReleases() {
    return slowReleases.get();
  }

  /** A message came from this node. */
  void onMessageFrom(int node) {
    suspected &= ~Quorum.of(node);
  }

  /**
   * What these nodes have acknowledged does not count any more; what was being told is begun anew.
   */
  void forget(int nodes) {
    suspected &= ~nodes;
    operation = 0;
    writes.forget(nodes);
  }

  /** Other nodes have to know what is being told. */
  void lookAgain() {
    if (operation != 0) {
      endIfKnown();
    }
  }

  /** Takes the slow path where it is due. */
  void poll() {
    if (context.now() - polledNanos >= context.settings.times().releaseNanos() / STOOD_PARTS) {
      // The worker has stood still: it reads what has arrived before it judges by the time.
      lookedNanos = context.now();
    }
    polledNanos = context.now();
    if (operation == 0) {
      if (isDue()) {
        lookedNanos = context.now();
        missed.clear();
        int missing = writes.cover(suspected, missed);
        if (missing != 0) {
          tell(missing);
        }
      }
    } else if (context.now() - sentNanos >= context.settings.times().resendNanos()) {
      sentNanos = context.now();
      send();
    }
    writes.renewBlocked();
    writes.resend(suspected);
  }

  private boolean isDue() {
    if (waiting == 0 && !writes.isCrowded() && !writes.isOld()) {
      return false;
    }
    return suspected != 0
        || writes.isRefused()
        || context.now() - lookedNanos >= context.settings.times().releaseNanos() / LOOKS;
  }

  private void tell(int missing) {
    slowReleases.incrementAndGet();
    suspected |= missing;
    told = missing;
    toldTo = context.selfMask;
    operation = context.nextOperation();
    sentNanos = context.now();
    if (context.keeps(KiteRule.TELL_DM_SET)) {
      context.node.delinquency().onSlowRelease(missing, missed);
      namesKeys = !context.node.delinquency().haveMissedAll(missing);
      send();
    } else {
      toldTo = context.all();
    }
    endIfKnown();
  }

  private void send() {
    for (int left = context.all() & ~toldTo; left != 0; left &= left - 1) {
      int peer = Integer.numberOfTrailingZeros(left);
      int keys = namesKeys ? MissedKeys.BYTES : 0;
      Message message = context.message(peer, MessageType.SLOW_RELEASE, keys, Message.NO_VALUE);
      if (message != null) {
        message.id(operation).count(told);
        if (namesKeys) {
          missed.put(message.buffer(), message.keyAt());
        }
      }
    }
  }

  /** A node knows a DM-set. */
  void onAck(int from, long acknowledged) {
    if (acknowledged == operation && operation != 0) {
      toldTo |= Quorum.of(from);
      endIfKnown();
    }
  }

  private void endIfKnown() {
    if (context.isMajority(toldTo)) {
      operation = 0;
      writes.freeCovered();
    }
  }
}
