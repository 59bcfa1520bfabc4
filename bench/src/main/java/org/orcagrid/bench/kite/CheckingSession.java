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
package org.orcagrid.bench.kite;

import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.node.RequestListener;
import org.orcagrid.ddp.store.Bytes;

/**
 * One side of producers and consumers, in a closed loop in its node's worker: a producer writes the
 * slots of a batch relaxed and then releases its flag, which is the batch's number. Who has
 * acquired a flag must find in each slot at least the last batch up to that flag which wrote it.
 */
abstract class CheckingSession implements RequestListener, ClosedLoop {
  /** Slots that a batch writes. */
  static final int BATCH_SLOTS = 4;

  /** Batches until a slot is written again. */
  static final int BATCHES = 64;

  private static final int SLOTS = BATCH_SLOTS * BATCHES;

  /** Keys of each producer: its slots and its flag. */
  static final int KEYS = SLOTS + 1;

  private final NodeSession session;
  private final long firstKey;
  private final Bytes key = new Bytes(Long.BYTES);
  private final Bytes read = new Bytes(Long.BYTES);
  private volatile boolean stopping;
  private volatile boolean idle = true;
  private volatile Outcome bad;

  /** Sessions that share the keys from {@code firstKey} on. */
  CheckingSession(NodeSession session, long firstKey) {
    this.session = session;
    this.firstKey = firstKey;
    key.length(Long.BYTES);
  }

  final long flagOf(int producer) {
    return firstKey + (long) producer * KEYS;
  }

  final long slotOf(int producer, long slot) {
    return flagOf(producer) + 1 + slot;
  }

  /** Begins; only while it is idle. */
  final void start() {
    stopping = false;
    idle = false;
    next();
  }

  @Override
  public final void stop() {
    stopping = true;
  }

  @Override
  public final boolean isIdle() {
    return idle;
  }

  @Override
  public final Outcome bad() {
    return bad;
  }

  @Override
  public final void onCompleted(Request request) {
    if (request.outcome() != Outcome.DONE) {
      bad = request.outcome();
      idle = true;
      return;
    }
    ended(number(request.result()));
    if (stopping) {
      idle = true;
    } else {
      next();
    }
  }

  /** An operation has ended, and has read this; 0 if there was nothing. */
  abstract void ended(long number);

  /** Submits what comes next. */
  abstract void next();

  /** A relaxed read of the node's copy; negative if it cannot answer. */
  final long readHere(long from) {
    key.buffer().putLong(0, from);
    return session.read(key, read) ? number(read) : -1;
  }

  final void submit(OperationKind kind, long to, long number) {
    Request request = session.next();
    if (request == null) {
      bad = Outcome.UNKNOWN;
      idle = true;
      return;
    }
    key.buffer().putLong(0, to);
    request.kind(kind);
    request.key().set(key);
    if (kind.writes()) {
      request.value().room(Long.BYTES).putLong(0, number);
      request.value().length(Long.BYTES);
    }
    request.listener(this);
    session.submit(request);
  }

  private static long number(Bytes value) {
    return value.length() == Long.BYTES ? value.buffer().getLong(0) : 0;
  }
}
