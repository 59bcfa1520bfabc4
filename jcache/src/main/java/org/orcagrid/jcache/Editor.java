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
package org.orcagrid.jcache;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.EventType;

/**
 * Changes entries: reads one, lets an operation decide, and changes the entry if it still has what
 * was read, else begins again. So a change is atomic at all nodes, and takes its deadline with it.
 * Then it tells the listeners.
 *
 * <p>Invariants: an expired entry is never shown to an operation; it is taken away, or replaced, by
 * a compare-and-set, and whoever did that tells of it. Events of a key are told in the order of
 * this manager's changes: callers hold the key's lock ({@link KeyLocks}).
 */
final class Editor {
  private final Entries entries;
  private final Expiry expiry;
  private final Listeners<?, ?> listeners;

  Editor(Entries entries, Expiry expiry, Listeners<?, ?> listeners) {
    this.entries = entries;
    this.expiry = expiry;
    this.listeners = listeners;
  }

  /**
   * What came of it.
   *
   * @param before what there was, null for nothing
   * @param isDone whether a value was put, or taken away; not if it was put and its life had no
   *     length
   */
  record Outcome(Stored before, boolean isDone) {}

  /**
   * Does what an operation decides.
   *
   * @param decide gets the entry as it is, null for none; called again if another node was faster
   * @throws CacheEntryListenerException of a listener, when all is done
   */
  Outcome edit(EntryKey key, Function<Stored, EntryEdit> decide) {
    while (true) {
      Stored present = entries.get(key);
      Outcome outcome = attempt(key, present, decide);
      if (outcome != null) {
        return outcome;
      }
    }
  }

  /** One attempt; null if the entry was changed meanwhile. */
  private Outcome attempt(EntryKey key, Stored present, Function<Stored, EntryEdit> decide) {
    long now = expiry.nowMillis();
    Stored live = present == null || present.isExpired(now) ? null : present;
    EntryEdit change = decide.apply(live);
    boolean changes =
        change.kind() == EntryEdit.Kind.PUT
            || (live != null && change.kind() != EntryEdit.Kind.NONE);
    if (!changes) {
      drop(key, live == null ? present : null);
      return new Outcome(live, false);
    }
    return switch (change.kind()) {
      case PUT -> put(key, present, live, change.value(), now);
      case REMOVE -> remove(key, live);
      default -> {
        touch(key, live);
        yield new Outcome(live, false);
      }
    };
  }

  private Outcome put(EntryKey key, Stored present, Stored live, byte[] value, long now) {
    long deadline = live == null ? expiry.ofCreation(now) : expiry.ofUpdate(live, now);
    Stored next = Stored.of(value, deadline);
    if (live == null && next.isExpired(now)) {
      drop(key, present);
      return new Outcome(null, false);
    }
    boolean ends = next.isExpired(now);
    if (!entries.replace(key, present, ends ? null : next)) {
      return null;
    }
    if (ends) {
      tell(key, List.of(Event.of(EventType.UPDATED, live, next), Event.gone(next)));
    } else {
      tell(key, Event.between(present, next, now));
    }
    return new Outcome(live, true);
  }

  private Outcome remove(EntryKey key, Stored live) {
    if (!entries.replace(key, live, null)) {
      return null;
    }
    tell(key, List.of(Event.of(EventType.REMOVED, live, null)));
    return new Outcome(live, true);
  }

  /** An entry was read: gives it the deadline that this asks for, unless it has changed since. */
  void touch(EntryKey key, Stored live) {
    long now = expiry.nowMillis();
    long deadline = expiry.ofAccess(live, now);
    if (deadline <= now) {
      if (entries.replace(key, live, null)) {
        tell(key, List.of(Event.gone(live)));
      }
    } else if (deadline != live.deadlineMillis()) {
      // If it was changed meanwhile, that change came after this read, and has its own deadline.
      entries.replace(key, live, live.touched(deadline));
    }
  }

  /** Takes an expired entry away, if it is still there; null for none. */
  void drop(EntryKey key, Stored expired) {
    if (expired != null && entries.replace(key, expired, null)) {
      tell(key, List.of(Event.gone(expired)));
    }
  }

  /** Gives keys values, whatever they have; only where nothing that is put expires. */
  List<Outcome> putAllEternal(List<EntryKey> keys, List<byte[]> values, Failures failures) {
    List<Stored> next = values.stream().map(value -> Stored.of(value, Stored.ETERNAL)).toList();
    List<Stored> before =
        keys.size() == 1
            ? Collections.singletonList(entries.put(keys.get(0), next.get(0)))
            : entries.putAll(keys, next);
    long now = expiry.nowMillis();
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      EntryKey key = keys.get(i);
      List<Event> events = Event.between(before.get(i), next.get(i), now);
      failures.during(() -> tell(key, events));
      Stored present = before.get(i);
      outcomes.add(new Outcome(present == null || present.isExpired(now) ? null : present, true));
    }
    return outcomes;
  }

  /**
   * Takes away what keys have.
   *
   * @return how many had something that had not expired
   */
  int removeAll(List<EntryKey> keys, Failures failures) {
    List<Stored> present = entries.getAll(keys);
    List<EntryKey> there = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      // To remove what is not there would be a write all the same.
      if (present.get(i) != null) {
        there.add(keys.get(i));
      }
    }
    List<Stored> before = entries.removeAll(there);
    long now = expiry.nowMillis();
    int removed = 0;
    for (int i = 0; i < there.size(); i++) {
      EntryKey key = there.get(i);
      List<Event> events = Event.between(before.get(i), null, now);
      failures.during(() -> tell(key, events));
      removed += before.get(i) == null || before.get(i).isExpired(now) ? 0 : 1;
    }
    return removed;
  }

  private void tell(EntryKey key, List<Event> events) {
    listeners.tell(key, events);
  }
}
