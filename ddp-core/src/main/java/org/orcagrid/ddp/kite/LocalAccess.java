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
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.Reading;
import org.orcagrid.ddp.store.ReplicaStore;

/**
 * Relaxed accesses that need nobody else: of keys that are in-epoch (Kite, sections 3.2 and 4.2).
 * The store and the epoch are safe for use by many threads; one object of this class serves one.
 */
final class LocalAccess implements LocalCopy {
  private final KiteNode node;
  private final ReplicaStore store;

  private long record;
  private long clock;

  /** Accesses to a node's store. */
  LocalAccess(KiteNode node) {
    this.node = node;
    this.store = node.store();
  }

  /** Reads a value; false if its key is out-of-epoch, and nothing may be concluded from it. */
  @Override
  public boolean read(Bytes key, Bytes into) {
    Epochs epochs = node.epochs();
    ByteBuffer name = key.buffer();
    int length = key.length();
    long hash = KeyHash.hash(name, 0, length);
    int read = store.readValue(name, 0, length, hash, into);
    // A key without a record is of the first epoch.
    return epochs.has(Math.max(read, 0), hash);
  }

  /** The same, and the version. */
  boolean read(Bytes key, long hash, Bytes into, Reading out) {
    Epochs epochs = node.epochs();
    while (true) {
      long found = store.find(key.buffer(), 0, key.length(), hash);
      if (found == ReplicaStore.NONE) {
        out.clear();
        into.length(Reading.ABSENT);
        return epochs.has(0, hash);
      }
      if (store.read(found, key.buffer(), 0, key.length(), into, out)) {
        return epochs.has(out.epoch, hash);
      }
    }
  }

  /**
   * Writes a key here; the other nodes are to be told.
   *
   * @return null if that is the worker's to do, and nothing was written
   */
  @Override
  public Outcome write(Bytes key, Bytes value) {
    Outcome written = write(key, KeyHash.hash(key.buffer(), 0, key.length()), value);
    // A purge may be about to make room: the worker waits for that.
    return written == Outcome.STORE_FULL && !node.marks().isEmpty() ? null : written;
  }

  /** The same of a key whose hash is known. */
  Outcome write(Bytes key, long hash, Bytes value) {
    Epochs epochs = node.epochs();
    while (true) {
      record = store.findOrCreate(key.buffer(), 0, key.length(), hash);
      if (record == ReplicaStore.NONE) {
        return Outcome.STORE_FULL;
      }
      store.lock(record);
      try {
        // Between the search and the lock it may have become another key's.
        if (store.isOf(record, key.buffer(), 0, key.length())) {
          return epochs.has(store.epoch(record), hash) ? writeRecord(record, value) : null;
        }
      } finally {
        store.unlock(record);
      }
    }
  }

  /** Writes a locked record of a key that is in-epoch; null if it is marked. */
  private Outcome writeRecord(long locked, Bytes value) {
    if (node.marks().has(locked)) {
      return null;
    }
    clock = newClock(node, locked, 0);
    return store.set(locked, clock, 0, value.buffer(), 0, value.length())
        ? Outcome.DONE
        : Outcome.STORE_FULL;
  }

  /** The clock for a new version of a locked record that is to follow {@code seen}. */
  static long newClock(KiteNode node, long record, long seen) {
    long highest = Math.max(node.store().clock(record), seen);
    long clock =
        node.keeps(KiteRule.NEW_CLOCK)
            ? Timestamp.next(highest, node.writer())
            : highest | node.writer();
    node.clockBound().noteClock(clock);
    return clock;
  }

  /** The record of the last write, {@link ReplicaStore#NONE} if there was no room for it. */
  long record() {
    return record;
  }

  /** The clock of the last write. */
  long clock() {
    return clock;
  }
}
