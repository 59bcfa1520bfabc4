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

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.MessageType;

/**
 * Refreshes out-of-epoch keys in the background, many with one message. The paper refreshes a key
 * at its next access, by asking a majority for its version (section 4.2).
 *
 * <p>A question lists keys with their timestamps here. An answer says of which keys the other node
 * has a later version. If a majority has no later version, the key is in-epoch: an access would
 * have read the same from that majority. Any other key stays out-of-epoch until its next access.
 *
 * <p>Each worker sweeps its share of the store's places. The number of questions under way is
 * bounded, so accesses get their turn.
 */
final class EpochSweep {
  /** Questions under way at a time. On a busy machine an answer takes milliseconds. */
  private static final int QUESTIONS = 64;

  /** Questions sent by one poll, so that accesses get their turn. */
  private static final int AT_ONCE_MAX = 8;

  /** The bytes of a question: it carries its keys in the place of a message's key. */
  private static final int BYTES_MAX = ReplicaStore.KEY_BYTES_MAX;

  /** An answer has a bit for each key. */
  private static final int KEYS_MAX = Long.SIZE;

  private static final int KEY_EXTRA_BYTES = Short.BYTES + 2 * Long.BYTES;
  private static final int PLACES_AT_ONCE_MAX = 4096;

  /** A sweep begins when the epoch has not changed for this part of the release time-out. */
  private static final int SETTLED_PARTS = 8;

  private final WorkerContext context;
  private final ReplicaStore store;

  /** None before the first sweep. */
  private Question[] questions = {};

  /** The epoch that the sweep brings keys into. */
  private int epoch;

  private Epochs epochs;

  /** The latest epoch that {@link #poll} has seen, and since when. */
  private int seen;

  private long seenNanos;

  private long place;
  private long end;

  private int underWay;

  /** Some keys with their timestamps, read after {@link #epoch} began. */
  private static final class Question {
    /** The number of the question, 0 if this slot is free. */
    private long id;

    private long sentNanos;
    private int answered;

    /** A bit for each key of which some node has a later version. */
    private long later;

    private int keys;
    private final long[] records = new long[KEYS_MAX];
    private final Bytes content = new Bytes(0);
    private int length;
  }

  EpochSweep(WorkerContext context) {
    this.context = context;
    this.store = context.store;
    this.epochs = context.node.epochs();
    this.epoch = epochs.latest;
    this.seen = epoch;
  }

  /** Whether a sweep is under way or due. */
  boolean isUnderWay() {
    return underWay > 0 || place < end || context.node.epoch() != epoch;
  }

  /** Drops the answers of these nodes: other processes have taken their places. */
  void forget(int nodes) {
    for (Question each : questions) {
      each.answered &= ~nodes;
    }
  }

  /** Sends the next questions, and sends again those that have no answer in time. */
  void poll() {
    Epochs present = context.node.epochs();
    if (present.latest == epoch && underWay == 0 && place == end) {
      return;
    }
    if (present.floor > epoch) {
      abandon();
    }
    if (underWay == 0 && place == end && isSettled(present)) {
      begin(present);
    }
    long resendNanos = context.settings.times().resendNanos();
    int asked = 0;
    for (Question each : questions) {
      if (each.id == 0 && place < end && asked < AT_ONCE_MAX) {
        askNext(each);
        asked++;
      } else if (each.id != 0 && context.now() - each.sentNanos >= resendNanos) {
        each.sentNanos = context.now();
        send(each);
        endIfAnswered(each);
      }
    }
  }

  /** Whether a sweep is due: the next epoch would make its answers worthless. */
  private boolean isSettled(Epochs present) {
    if (present.latest != seen) {
      seen = present.latest;
      seenNanos = context.now();
    }
    long settle = context.settings.times().releaseNanos() / SETTLED_PARTS;
    return present.latest != epoch && context.now() - seenNanos >= settle;
  }

  /** Ends the sweep: a later epoch has rendered all keys out-of-epoch. */
  private void abandon() {
    for (Question each : questions) {
      each.id = 0;
    }
    underWay = 0;
    place = end;
  }

  private void begin(Epochs present) {
    // The epoch is read before the keys. A write that is missed later raises the epoch again.
    epochs = present;
    epoch = present.latest;
    int workers = context.settings.workers();
    place = store.firstPlace(context.worker, workers);
    end = store.firstPlace(context.worker + 1, workers);
    if (questions.length == 0) {
      questions = new Question[QUESTIONS];
      Arrays.setAll(questions, i -> new Question());
    }
  }

  private void askNext(Question free) {
    free.keys = 0;
    free.length = 0;
    for (int i = 0; i < PLACES_AT_ONCE_MAX && place < end && free.keys < KEYS_MAX; i++) {
      if (!add(free, store.recordAt(place))) {
        break;
      }
      place = store.nextPlace(place);
    }
    if (free.keys > 0) {
      free.id = context.nextOperation();
      free.sentNanos = context.now();
      free.answered = context.selfMask;
      free.later = 0;
      underWay++;
      send(free);
      endIfAnswered(free);
    }
  }

  /** Adds a record's key if it is out-of-epoch. False if the question has no room for it. */
  private boolean add(Question to, long record) {
    if (record == ReplicaStore.NONE) {
      return true;
    }
    store.lock(record);
    try {
      int keyLength = store.keyLength(record);
      if (!store.isInUse(record)
          || epochs.has(store.epoch(record), store.hash(record))
          || KEY_EXTRA_BYTES + keyLength > BYTES_MAX) {
        return true;
      }
      int at = to.length;
      if (at + KEY_EXTRA_BYTES + keyLength > BYTES_MAX) {
        return false;
      }
      ByteBuffer into = to.content.room(BYTES_MAX);
      into.putShort(at, (short) keyLength);
      store.copyKey(record, into, at + Short.BYTES);
      into.putLong(at + Short.BYTES + keyLength, store.clock(record));
      into.putLong(at + Short.BYTES + keyLength + Long.BYTES, store.rmw(record));
      to.length = at + KEY_EXTRA_BYTES + keyLength;
      to.records[to.keys++] = record;
      return true;
    } finally {
      store.unlock(record);
    }
  }

  private void send(Question question) {
    for (int left = context.others() & ~question.answered; left != 0; left &= left - 1) {
      int peer = Integer.numberOfTrailingZeros(left);
      Message m = context.message(peer, MessageType.EPOCH_CHECK, question.length, Message.NO_VALUE);
      if (m != null) {
        m.id(question.id).count(question.keys);
        m.buffer().put(m.keyAt(), question.content.buffer(), 0, question.length);
      }
    }
  }

  /** Handles the answer of a node. */
  void onAnswer(int from, Message m) {
    for (Question each : questions) {
      if (each.id != 0 && each.id == m.id()) {
        each.answered |= Quorum.of(from);
        each.later |= m.rmw();
        endIfAnswered(each);
      }
    }
  }

  private void endIfAnswered(Question question) {
    if (!context.isMajority(question.answered) && context.keeps(KiteRule.SWEEP_ASKS_MAJORITY)) {
      return;
    }
    long outside = context.keeps(KiteRule.LATER_STAYS_OUT) ? question.later : 0;
    ByteBuffer content = question.content.buffer();
    int at = 0;
    for (int i = 0; i < question.keys; i++) {
      int keyLength = content.getShort(at);
      if ((outside & 1L << i) == 0) {
        raise(question.records[i], content, at + Short.BYTES, keyLength);
      }
      at += KEY_EXTRA_BYTES + keyLength;
    }
    question.id = 0;
    underWay--;
  }

  private void raise(long record, ByteBuffer key, int at, int length) {
    store.lock(record);
    try {
      // The record may have been removed since, and belong to another key.
      if (store.isOf(record, key, at, length)) {
        store.raiseEpoch(
            record, context.keeps(KiteRule.EPOCH_AT_START) ? epoch : context.node.epoch());
      }
    } finally {
      store.unlock(record);
    }
  }

  /** Answers the question of another node. */
  void onQuestion(int from, Message m) {
    long later = 0;
    int at = m.keyAt();
    int last = at + m.keyLength();
    int keys = Math.min(m.count(), KEYS_MAX);
    for (int i = 0; i < keys; i++) {
      int room = last - at - KEY_EXTRA_BYTES;
      int length = room < 0 ? 0 : m.buffer().getShort(at) & 0xFFFF;
      if (length > room) {
        // No node sends that.
        return;
      }
      int clockAt = at + Short.BYTES + length;
      if (isLater(m.buffer(), at + Short.BYTES, length, clockAt)) {
        later |= 1L << i;
      }
      at = clockAt + 2 * Long.BYTES;
    }
    Message answer = context.message(from, MessageType.EPOCH_CHECKED, 0, Message.NO_VALUE);
    if (answer != null) {
      answer.id(m.id()).rmw(later);
    }
  }

  private boolean isLater(ByteBuffer in, int keyAt, int length, int clockAt) {
    long hash = KeyHash.hash(in, keyAt, length);
    long record = store.find(in, keyAt, length, hash);
    if (record == ReplicaStore.NONE) {
      return false;
    }
    if (context.node.marks().has(in, keyAt, length, hash)) {
      // A marked key stands still: nobody may vouch for its version.
      return true;
    }
    store.read(record, null, context.local);
    return Timestamp.isAfter(
        context.local.clock,
        context.local.rmw,
        in.getLong(clockAt),
        in.getLong(clockAt + Long.BYTES));
  }
}
