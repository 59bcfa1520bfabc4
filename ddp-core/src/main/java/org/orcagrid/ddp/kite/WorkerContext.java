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
import org.orcagrid.ddp.paxos.Command;
import org.orcagrid.ddp.paxos.CommittedCommands;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.Reading;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.MessageType;
import org.orcagrid.ddp.wire.Outbox;

/** What the parts of one worker share: its place, the time, how to send, and the local replica. */
final class WorkerContext {
  /** A time before all others, whatever the clock shows at first. */
  static final long LONG_AGO = Long.MIN_VALUE / 2;

  final KiteNode node;
  final KiteSettings settings;
  final ReplicaStore store;
  final int worker;
  final int self;
  final int selfMask;

  /** For whoever reads the store; its content stands until the next read. */
  final Reading local = new Reading();

  private final Outbox outbox;
  private final ProtocolWorker.Completions completions;
  private final KiteSession[] active;
  private final Message message = new Message();
  private int activeCount;
  private long lastOperation;
  private KiteView entered;
  private int view;
  private int parts;
  private int counted;
  private int size;
  private long nowNanos;
  private long refusedWrites;
  private int backingOff;

  WorkerContext(KiteNode node, int worker, Outbox outbox, ProtocolWorker.Completions completions) {
    this.node = node;
    this.settings = node.settings();
    this.store = node.store();
    this.worker = worker;
    this.self = settings.self();
    this.selfMask = Quorum.of(self);
    this.outbox = outbox;
    this.completions = completions;
    this.active = new KiteSession[settings.sessions()];
    this.lastOperation = firstNumber() - 1;
  }

  long now() {
    return nowNanos;
  }

  void now(long nanos) {
    nowNanos = nanos;
  }

  boolean keeps(KiteRule rule) {
    return node.keeps(rule);
  }

  /** Whether these nodes are a majority in the view that this worker is in. */
  boolean isMajority(int nodes) {
    return Quorum.isMajority(nodes & counted, size);
  }

  /** Whether these nodes are so many that no majority is left without them. */
  boolean isBlockedBy(int nodes) {
    return !isMajority(parts & ~nodes);
  }

  /** The nodes that majorities are of, as a mask: all but one that is leaving. */
  int counted() {
    return counted;
  }

  /**
   * The nodes of the view that this worker is in, as a mask. One that is leaving is among them: it
   * is waited for, as long as it may read what it has.
   */
  int all() {
    return parts;
  }

  /** The other nodes of the view that this worker is in, as a mask. */
  int others() {
    return parts & ~selfMask;
  }

  /**
   * The first number of this node. Its predecessor's, if it had one, are below: answers to that one
   * are not taken for answers to this one.
   */
  long firstNumber() {
    return ((node.generation() + 1L) << CommittedCommands.NUMBER_BITS) + 1;
  }

  /** The number of the view that this worker is in. */
  int view() {
    return view;
  }

  /** The view that this worker is in. */
  KiteView entered() {
    return entered;
  }

  /** The node that leads what one node does for all: the first one. */
  int first() {
    return Integer.numberOfTrailingZeros(parts);
  }

  /** Takes what a view is for this worker. */
  void enter(KiteView next) {
    entered = next;
    view = next.number();
    parts = next.parts();
    counted = keeps(KiteRule.LEAVING_COUNTS_NOT) ? next.counted() : parts;
    if (size == 0 || keeps(KiteRule.MAJORITY_OF_VIEW)) {
      size = Integer.bitCount(counted);
    }
  }

  /** A number for an operation: higher than those before it in this worker. */
  long nextOperation() {
    return ++lastOperation;
  }

  /** A session has begun, or ended, to back off. */
  void backingOff(int change) {
    backingOff += change;
  }

  int backingOff() {
    return backingOff;
  }

  int activeCount() {
    return activeCount;
  }

  KiteSession active(int index) {
    return active[index];
  }

  /** The operation of this session goes on until {@link #complete}. */
  void activate(KiteSession session) {
    if (session.activeAt < 0) {
      session.activeAt = activeCount;
      active[activeCount++] = session;
    }
  }

  void complete(KiteSession session, Outcome outcome) {
    if (session.activeAt >= 0) {
      KiteSession last = active[--activeCount];
      active[session.activeAt] = last;
      last.activeAt = session.activeAt;
      session.activeAt = -1;
    }
    session.phase = KiteSession.Phase.IDLE;
    session.asked.outcome = outcome;
    completions.onCompleted(session.slot);
  }

  /** Begins a message to a peer, with room for key and value; null if there is none. */
  Message message(int peer, MessageType type, int keyLength, int valueLength) {
    int header = Message.headerBytes(type);
    if (!outbox.claim(peer, Message.bytes(header, keyLength, valueLength), message)) {
      return null;
    }
    return message.begin(type, header).view(view).keyLength(keyLength).valueLength(valueLength);
  }

  /** Writes a session's key, and then a value, into a message. */
  static void fill(Message to, Bytes key, Bytes value) {
    to.buffer().put(to.keyAt(), key.buffer(), 0, key.length());
    if (value != null && value.length() > 0) {
      to.buffer().put(to.valueAt(), value.buffer(), 0, value.length());
    }
  }

  /** Reads the command that a message brings; its value stays where it is. */
  static void read(Message from, Command into) {
    into.session = from.commandSession();
    into.id = from.commandId();
    into.baseClock = from.clock();
    into.baseRmw = from.rmw();
    into.value = from.buffer();
    into.valueAt = from.valueAt();
    into.valueLength = from.valueLength();
  }

  /**
   * Takes a version over if it is later than what is here.
   *
   * @return false if there is no memory for it
   */
  boolean apply(long record, long clock, long rmw, Bytes value) {
    store.lock(record);
    try {
      return store.setIfLater(record, clock, rmw, value.buffer(), 0, value.length());
    } finally {
      store.unlock(record);
    }
  }

  /** The same, and the key is in-epoch for accesses that began in {@code epoch}. */
  boolean applyInEpoch(long record, long clock, long rmw, Bytes value, int epoch) {
    store.lock(record);
    try {
      boolean applied = store.setIfLater(record, clock, rmw, value.buffer(), 0, value.length());
      if (applied) {
        store.raiseEpoch(record, keeps(KiteRule.EPOCH_AT_START) ? epoch : node.epoch());
      }
      return applied;
    } finally {
      store.unlock(record);
    }
  }

  /** The clock for a new version of a locked record that is to follow {@code seen}. */
  long newClock(long record, long seen) {
    return LocalAccess.newClock(node, record, seen);
  }

  /** A message asked for what this node has no room for. */
  void refuse() {
    refusedWrites++;
  }

  long refusedWrites() {
    return refusedWrites;
  }
}
