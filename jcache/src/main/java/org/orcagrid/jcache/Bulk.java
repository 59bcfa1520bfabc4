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
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** The operations of a cache on many keys: for each key what the one for one key does. */
final class Bulk<K, V> {
  private final OrcaCache.Parts<K, V> parts;
  private final Editor editor;
  private final Listeners<K, V> listeners;
  private final KeyLocks locks;
  private final Statistics statistics;

  Bulk(
      OrcaCache.Parts<K, V> parts,
      Editor editor,
      Listeners<K, V> listeners,
      KeyLocks locks,
      Statistics statistics) {
    this.parts = parts;
    this.editor = editor;
    this.listeners = listeners;
    this.locks = locks;
    this.statistics = statistics;
  }

  /** Takes keys' locks, if somebody is told of what is done to them, and so of its order. */
  private KeyLocks.Held hold(Collection<EntryKey> keys) {
    boolean isTold = parts.writer().isThere() || !listeners.isEmpty();
    return locks.holdAll(isTold ? keys : List.of());
  }

  /** Gives a key a value, whatever it has. */
  Editor.Outcome put(EntryKey key, byte[] value) {
    if (parts.expiry().isEternal()) {
      Failures failures = new Failures();
      List<Editor.Outcome> outcomes = editor.putAllEternal(List.of(key), List.of(value), failures);
      failures.rethrow();
      return outcomes.get(0);
    }
    return editor.edit(key, present -> EntryEdit.put(value));
  }

  /** Keeps a value that was loaded, if there is none; the one that there is then. */
  V keepIfAbsent(EntryKey key, V loaded) {
    byte[] bytes = parts.forms().value(loaded);
    try (KeyLocks.Held held = locks.hold(key)) {
      Stored before =
          editor
              .edit(key, present -> present != null ? EntryEdit.NONE : EntryEdit.put(bytes))
              .before();
      return before == null ? loaded : parts.forms().value(before);
    }
  }

  Map<K, V> getAll(Set<? extends K> keys, BiConsumer<EntryKey, Stored> touch) {
    long begun = statistics.begin();
    List<K> asked = new ArrayList<>(keys);
    List<EntryKey> at = asked.stream().map(parts.forms()::key).toList();
    List<Stored> stored = parts.entries().getAll(at);
    Map<K, V> found = new LinkedHashMap<>();
    Map<K, EntryKey> missing = new LinkedHashMap<>();
    Failures failures = new Failures();
    long now = parts.expiry().nowMillis();
    for (int i = 0; i < asked.size(); i++) {
      Stored each = stored.get(i);
      if (each != null && !each.isExpired(now)) {
        EntryKey key = at.get(i);
        failures.during(() -> touch.accept(key, each));
        found.put(asked.get(i), parts.forms().value(each));
        continue;
      }
      if (each != null) {
        drop(at.get(i), each, failures);
      }
      missing.put(asked.get(i), at.get(i));
    }
    statistics.got(begun, found.size(), missing.size());
    if (parts.loader().isReadThrough() && !missing.isEmpty()) {
      parts
          .loader()
          .loadAll(missing.keySet())
          .forEach(
              (key, value) -> {
                if (value != null && missing.containsKey(key)) {
                  failures.during(() -> found.put(key, keepIfAbsent(missing.get(key), value)));
                }
              });
    }
    failures.rethrow();
    return found;
  }

  private void drop(EntryKey key, Stored expired, Failures failures) {
    try (KeyLocks.Held held = locks.hold(key)) {
      failures.during(() -> editor.drop(key, expired));
    }
  }

  void loadAll(Set<K> keys, boolean replaceExisting) {
    List<K> wanted = new ArrayList<>(keys);
    if (!replaceExisting) {
      long now = parts.expiry().nowMillis();
      List<Stored> stored =
          parts.entries().getAll(wanted.stream().map(parts.forms()::key).toList());
      List<K> missing = new ArrayList<>();
      for (int i = 0; i < wanted.size(); i++) {
        if (stored.get(i) == null || stored.get(i).isExpired(now)) {
          missing.add(wanted.get(i));
        }
      }
      wanted = missing;
    }
    if (wanted.isEmpty()) {
      return;
    }
    Failures failures = new Failures();
    parts
        .loader()
        .loadAll(wanted)
        .forEach(
            (key, value) -> {
              if (key != null && value != null) {
                failures.during(() -> keep(key, value, replaceExisting));
              }
            });
    failures.rethrow();
  }

  private void keep(K key, V value, boolean replaceExisting) {
    EntryKey at = parts.forms().key(key);
    if (!replaceExisting) {
      keepIfAbsent(at, value);
      return;
    }
    byte[] bytes = parts.forms().value(value);
    try (KeyLocks.Held held = locks.hold(at)) {
      put(at, bytes);
    }
  }

  void putAll(Map<? extends K, ? extends V> given) {
    long begun = statistics.begin();
    // Whatever is wrong with one of them is found before any is written.
    Map<K, EntryKey> at = new LinkedHashMap<>();
    Map<K, byte[]> values = new LinkedHashMap<>();
    given.forEach(
        (key, value) -> {
          at.put(key, parts.forms().key(key));
          values.put(key, parts.forms().value(value));
        });
    if (given.isEmpty()) {
      return;
    }
    Failures failures = new Failures();
    try (KeyLocks.Held held = hold(at.values())) {
      Collection<K> written = at.keySet();
      if (parts.writer().isThere()) {
        written = parts.writer().writeAll(given, failures);
      }
      statistics.put(begun, putAll(written, at, values, failures));
    }
    failures.rethrow();
  }

  private long putAll(
      Collection<K> keys, Map<K, EntryKey> at, Map<K, byte[]> values, Failures failures) {
    if (parts.expiry().isEternal()) {
      return editor
          .putAllEternal(
              keys.stream().map(at::get).toList(),
              keys.stream().map(values::get).toList(),
              failures)
          .size();
    }
    long[] stored = {0};
    for (K key : keys) {
      try (KeyLocks.Held held = locks.hold(at.get(key))) {
        failures.during(() -> stored[0] += put(at.get(key), values.get(key)).isDone() ? 1 : 0);
      }
    }
    return stored[0];
  }

  void removeAll(Set<? extends K> keys) {
    long begun = statistics.begin();
    Map<K, EntryKey> at = new LinkedHashMap<>();
    keys.forEach(key -> at.put(key, parts.forms().key(key)));
    if (at.isEmpty()) {
      return;
    }
    Failures failures = new Failures();
    try (KeyLocks.Held held = hold(at.values())) {
      Collection<K> deleted = at.keySet();
      if (parts.writer().isThere()) {
        deleted = parts.writer().deleteAll(at.keySet(), failures);
      }
      statistics.removed(begun, editor.removeAll(deleted.stream().map(at::get).toList(), failures));
    }
    failures.rethrow();
  }

  /** All keys that this node knows to have something. */
  void removeAll() {
    List<EntryKey> keys = parts.entries().keys();
    if (!parts.writer().isThere()) {
      long begun = statistics.begin();
      Failures failures = new Failures();
      try (KeyLocks.Held held = hold(keys)) {
        statistics.removed(begun, editor.removeAll(keys, failures));
      }
      failures.rethrow();
      return;
    }
    long now = parts.expiry().nowMillis();
    List<Stored> stored = parts.entries().getAll(keys);
    Set<K> live = new LinkedHashSet<>();
    for (int i = 0; i < keys.size(); i++) {
      if (stored.get(i) != null && !stored.get(i).isExpired(now)) {
        live.add(parts.forms().key(keys.get(i)));
      }
    }
    removeAll(live);
  }
}
