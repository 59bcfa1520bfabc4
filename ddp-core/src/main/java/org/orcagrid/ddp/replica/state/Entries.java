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

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.ddp.Invariant;

/**
 * The keys at a node. Whoever has to go through all of them does so with a {@link Cursor}, some at
 * a time, while others come and go.
 */
public final class Entries {
  private final Map<Key, Entry> byKey = new HashMap<>();
  private final List<Cursor> cursors = new ArrayList<>();

  /** Keys whose version is a removal. */
  private final Set<Key> removed = new LinkedHashSet<>();

  /** In the order in which they have come, which is that of their numbers. */
  private Entry first;

  private Entry last;
  private long numbered;
  private Watch watch;

  /** Goes through the entries that were there when it was made, but for those removed since. */
  public final class Cursor {
    private final long end = numbered;
    private Entry next = first;

    private Cursor() {}

    /** The next one, null behind the last. */
    public Entry next() {
      Entry found = next;
      if (found == null || found.number > end) {
        next = null;
        return null;
      }
      next = found.next;
      return found;
    }

    /** It is not used any more. */
    public void close() {
      cursors.remove(this);
    }
  }

  /** The entry of a key, null if there is none. */
  public Entry find(Key key) {
    return byKey.get(key);
  }

  /** The entry of a key, made if there is none. */
  Entry get(Key key) {
    Entry entry = byKey.get(key);
    return entry == null ? add(key) : entry;
  }

  private Entry add(Key key) {
    Entry added = new Entry(key, ++numbered, this);
    byKey.put(key, added);
    added.previous = last;
    if (last == null) {
      first = added;
    } else {
      last.next = added;
    }
    last = added;
    return added;
  }

  /** Removes an entry, as if its key had never been written. */
  public void remove(Entry entry) {
    // It may have a value here whose time is over at other nodes.
    watch.onVersion(entry);
    byKey.remove(entry.key());
    removed.remove(entry.key());
    if (entry.previous == null) {
      first = entry.next;
    } else {
      entry.previous.next = entry.next;
    }
    if (entry.next == null) {
      last = entry.previous;
    } else {
      entry.next.previous = entry.previous;
    }
    for (Cursor cursor : cursors) {
      if (cursor.next == entry) {
        cursor.next = entry.next;
      }
    }
  }

  /** Who is told before an entry has another version. */
  public void watch(Watch watching) {
    this.watch = watching;
  }

  /** An entry is about to have a later version. */
  void beforeVersion(Entry entry) {
    watch.onVersion(entry);
  }

  /** An entry has another version. */
  void onVersion(Key key, boolean isRemoval) {
    if (isRemoval) {
      removed.add(key);
    } else if (!removed.isEmpty()) {
      removed.remove(key);
    }
  }

  /** Some versions that are removals, of so many bytes: each in its turn. */
  public List<Write> removals(int bytesMax) {
    List<Write> some = new ArrayList<>();
    int bytes = 0;
    Iterator<Key> each = removed.iterator();
    while (each.hasNext() && bytes < bytesMax) {
      Write removal = byKey.get(each.next()).write();
      some.add(removal);
      bytes += Encoding.bytes(removal);
    }
    for (Write removal : some) {
      removed.remove(removal.key());
      removed.add(removal.key());
    }
    return some;
  }

  /** Removes all entries. */
  public void clear() {
    watch.onClear();
    byKey.clear();
    removed.clear();
    first = null;
    last = null;
    cursors.forEach(cursor -> cursor.next = null);
  }

  /** Every removal is among those that may be forgotten, and nothing else is. */
  void checkInvariants() {
    int removals = 0;
    for (Entry entry : byKey.values()) {
      boolean isRemoval = entry.write() != null && entry.write().value() == null;
      removals += isRemoval ? 1 : 0;
      Invariant.check(
          isRemoval == removed.contains(entry.key()), "what can be forgotten are the removals");
    }
    Invariant.check(
        removals == removed.size(),
        "what can be forgotten is here",
        "removals",
        removals,
        "listed",
        removed.size());
  }

  /** All of them, in no order. */
  public Collection<Entry> all() {
    return byKey.values();
  }

  /** To be closed. */
  public Cursor cursor() {
    Cursor cursor = new Cursor();
    cursors.add(cursor);
    return cursor;
  }
}
