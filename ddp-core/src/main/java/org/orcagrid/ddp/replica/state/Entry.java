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
package org.orcagrid.ddp.replica.state;

import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.store.Reading;
import org.orcagrid.ddp.store.Sight;
import org.orcagrid.ddp.store.WorkerStore;

/**
 * A key at a node: its version, and what is known of that version. Looks at the store; an entry is
 * to be used at once and never kept. One whose key is not there yet is made when something is said
 * of it.
 *
 * <p>Invariants: clocks only grow; {@link #valid} and {@link #durable} may be ahead of the version
 * only while that of another node is on its way.
 */
public final class Entry {
  private static final int CONDITIONAL = 1;

  // The words of a record. All nodes have this version or a later one:
  static final int VALID = 0;

  /** All nodes have persisted this version or a later one. */
  static final int DURABLE = 1;

  /** This node has persisted this version or a later one. */
  static final int PERSISTED = 2;

  /** The last version whose scope is on this node's medium; may be an older one. */
  private static final int SCOPED = 3;

  /** How many of these words the entries of a model have: what it never asks takes no room. */
  static int words(Persistency persistency) {
    if (!persistency.isOnMedium()) {
      return VALID + 1;
    }
    return persistency.isByScope() ? SCOPED + 1 : PERSISTED + 1;
  }

  private final Entries entries;
  private final WorkerStore store;
  private long record;

  // Made when they are asked for.
  private Key key;
  private Write write;

  Entry(Entries entries, WorkerStore store, Key key, long record) {
    this.entries = entries;
    this.store = store;
    this.key = key;
    this.record = record;
  }

  /** Its key. */
  public Key key() {
    if (key == null) {
      key = Key.ofOwn(store.key(record));
    }
    return key;
  }

  private boolean isThere() {
    return record != WorkerStore.NONE;
  }

  private void make(int valueBytes) {
    if (!isThere()) {
      record = entries.create(key, valueBytes);
    }
  }

  /** Its key may have been given a record since. */
  private void lookAgain() {
    if (!isThere()) {
      record = entries.record(key);
    }
  }

  /** Whether there is a version. */
  public boolean hasVersion() {
    return clock() != 0;
  }

  /** The clock of its version, 0 if there is none. */
  public long clock() {
    return isThere() ? store.clock(record) : 0;
  }

  /** Whether there is a version, and it is a removal. */
  public boolean isRemoval() {
    return isThere() && store.isRemoval(record);
  }

  /** Whether there is a version, and it counts only if it comes to all members first. */
  public boolean isConditional() {
    return isThere() && store.kind(record) == CONDITIONAL;
  }

  /** The same of a version that another thread has found. */
  static boolean isConditional(Sight found) {
    return found.kind() == CONDITIONAL;
  }

  /** The version, null if there is none. Its value is a copy, unless it was set just now. */
  public Write write() {
    if (!hasVersion()) {
      return null;
    }
    boolean isSame =
        write != null && write.clock() == clock() && (write.value() == null) == isRemoval();
    if (!isSame) {
      write = version(clock(), store.kind(record), store.value(record));
    }
    return write;
  }

  private Write version(long clock, int kind, byte[] value) {
    return kind == CONDITIONAL
        ? Write.conditional(key(), clock, value)
        : new Write(key(), clock, value);
  }

  private static int kind(Write version) {
    return version.isConditional() ? CONDITIONAL : 0;
  }

  /** Takes a version if it is later; whether it is. */
  public boolean set(Write later) {
    lookAgain();
    if (later.clock() <= clock()) {
      return false;
    }
    entries.beforeVersion(this, later);
    make(later.value() == null ? 0 : later.value().length);
    store.set(record, later.clock(), kind(later), later.value());
    write = later;
    return true;
  }

  /** Its version has no value any more, and is a removal under the same clock, which it returns. */
  public Write removeValue() {
    store.set(record, clock(), store.kind(record), null);
    return write();
  }

  /** Whether there is a version whose scope is on this node's medium. */
  public boolean hasScoped() {
    return scopedClock() != 0;
  }

  /** The clock of the last version whose scope is on this node's medium, 0 for none. */
  public long scopedClock() {
    return isThere() && entries.has(SCOPED) ? store.keptClock(record, SCOPED) : 0;
  }

  /** The last version whose scope is on this node's medium, null for none. */
  public Write scoped() {
    return hasScoped()
        ? version(scopedClock(), store.keptKind(record, SCOPED), store.keptValue(record, SCOPED))
        : null;
  }

  /** A version's scope is on this node's medium; kept only where there are scopes. */
  public void scoped(Write persisted) {
    lookAgain();
    if (entries.has(SCOPED) && scopedClock() < persisted.clock()) {
      make(0);
      store.keep(record, SCOPED, persisted.clock(), kind(persisted), persisted.value());
    }
  }

  /** A protocol sees to it until it is {@linkplain #settle settled}. */
  public void unsettle() {
    entries.unsettle(record);
  }

  /** Nobody has to see to it any more. */
  public void settle() {
    if (isThere()) {
      entries.settle(record);
    }
  }

  long record() {
    return record;
  }

  /** Leaves the store. */
  void remove() {
    if (isThere()) {
      entries.settle(record);
      if (entries.has(SCOPED)) {
        store.dropKept(record, SCOPED);
      }
      store.remove(record);
      record = WorkerStore.NONE;
    }
  }

  /** Bytes of its value, {@link Reading#ABSENT} if there is none. */
  int length() {
    return isThere() ? store.length(record) : Reading.ABSENT;
  }

  /** Whether all nodes have its version or a later one. */
  public boolean isValid() {
    return clock() <= word(VALID);
  }

  /** Whether all nodes have persisted its version or a later one. */
  public boolean isDurable() {
    return isDurable(clock());
  }

  /** Whether this node has persisted its version or a later one. */
  public boolean isPersisted() {
    return isPersisted(clock());
  }

  /** Whether all nodes have persisted a version of it, or a later one. */
  public boolean isDurable(long version) {
    return version <= word(DURABLE);
  }

  /** Whether this node has persisted a version of it, or a later one. */
  public boolean isPersisted(long version) {
    return version <= word(PERSISTED);
  }

  /** Nothing is known of any version any more, but for what is persisted here. */
  public void doubt() {
    store.word(record, VALID, 0);
    if (entries.has(DURABLE)) {
      store.word(record, DURABLE, 0);
    }
  }

  /** All nodes have this version or a later one. */
  public void valid(long clock) {
    raise(VALID, clock);
  }

  /** All nodes have persisted this version or a later one. */
  public void durable(long clock) {
    raise(DURABLE, clock);
  }

  /** This node has persisted this version or a later one. */
  public void persisted(long clock) {
    raise(PERSISTED, clock);
  }

  private long word(int word) {
    return isThere() && entries.has(word) ? store.word(record, word) : 0;
  }

  private void raise(int word, long clock) {
    if (!entries.has(word)) {
      return;
    }
    lookAgain();
    if (word(word) < clock) {
      make(0);
      store.word(record, word, clock);
    }
  }
}
