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
package org.orcagrid.bench.zab;

import java.nio.ByteBuffer;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;

/**
 * The latest proposals in a ring by their zxids: what a follower has received, and what the leader
 * may have to send again. A key is kept as its record in the store, which is made when the proposal
 * arrives and has no value before it is applied.
 *
 * <p>Invariants: zxids are received and applied one after the other, and none is applied before it
 * was received.
 */
final class ZabLog {
  private static final int VALUE_BYTES = 32;

  private final ReplicaStore store;
  private final int mask;
  private final long[] records;
  private final int[] origins;
  private final long[] numbers;
  private final Bytes[] values;

  private long received;
  private long applied;

  ZabLog(ReplicaStore store, int window) {
    this.store = store;
    this.mask = window - 1;
    this.records = new long[window];
    this.origins = new int[window];
    this.numbers = new long[window];
    this.values = Bytes.several(window, VALUE_BYTES);
  }

  /** The last zxid that is here, with all before it. */
  long received() {
    return received;
  }

  /** The last zxid that was applied, with all before it. */
  long applied() {
    return applied;
  }

  /** Whether a zxid can be put in when those up to {@code done} are not needed any more. */
  boolean hasRoom(long zxid, long done) {
    return zxid - Math.min(done, applied) <= mask;
  }

  /** Puts in what comes next, from a proposal or from what a follower asks to be proposed. */
  void append(int origin, long number, Message from) {
    boolean refused = from.has(ZabMessage.REFUSED);
    int at =
        add(
            origin,
            number,
            refused ? ReplicaStore.NONE : find(from.buffer(), from.keyAt(), from.keyLength()));
    values[at].set(from.buffer(), from.valueAt(), from.valueLength());
  }

  /** The same from a session of this node. */
  void append(int origin, long number, Bytes key, Bytes value) {
    int at = add(origin, number, find(key.buffer(), 0, key.length()));
    values[at].set(value);
  }

  private long find(ByteBuffer from, int keyAt, int keyLength) {
    return store.findOrCreate(from, keyAt, keyLength, KeyHash.hash(from, keyAt, keyLength));
  }

  private int add(int origin, long number, long record) {
    int at = (int) ++received & mask;
    records[at] = record;
    origins[at] = origin;
    numbers[at] = number;
    return at;
  }

  /** Goes on after a gap, as if what is missing were here: only to show that it is found. */
  void skipTo(long zxid) {
    while (received < zxid) {
      add(-1, 0, ReplicaStore.NONE);
    }
  }

  /** Applies the next one; false if the store has no room for it. */
  boolean applyNext() {
    int at = (int) ++applied & mask;
    long record = records[at];
    if (record == ReplicaStore.NONE) {
      return false;
    }
    Bytes value = values[at];
    store.lock(record);
    try {
      return store.set(record, applied, 0, value.buffer(), 0, value.length());
    } finally {
      store.unlock(record);
    }
  }

  /** The node whose session has made a write. */
  int origin(long zxid) {
    return origins[(int) zxid & mask];
  }

  /** Its number among those of its node. */
  long number(long zxid) {
    return numbers[(int) zxid & mask];
  }

  /** The record of its key, {@link ReplicaStore#NONE} if there was no room for it. */
  long record(long zxid) {
    return records[(int) zxid & mask];
  }

  /** Its value. */
  Bytes value(long zxid) {
    return values[(int) zxid & mask];
  }
}
