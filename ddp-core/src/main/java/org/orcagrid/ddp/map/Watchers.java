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
package org.orcagrid.ddp.map;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/** Who watches which map of a node, in all of its lives. Safe for use by many threads. */
final class Watchers {
  private final Map<Integer, List<MapWatcher>> byMap = new HashMap<>();

  /** What lives that are over have told last, by map and key. */
  private final Map<Integer, Map<Key, Write>> told = new HashMap<>();

  synchronized void add(int map, MapWatcher watcher) {
    byMap.computeIfAbsent(map, id -> new ArrayList<>()).add(watcher);
  }

  synchronized void remove(int map, MapWatcher watcher) {
    List<MapWatcher> all = byMap.get(map);
    if (all != null && all.remove(watcher) && all.isEmpty()) {
      byMap.remove(map);
      told.remove(map);
    }
  }

  /** The map is not there any more. */
  void forget(int map) {
    List<MapWatcher> all;
    synchronized (this) {
      all = byMap.remove(map);
      told.remove(map);
    }
    if (all != null) {
      all.forEach(MapWatcher::onEnded);
    }
  }

  /** The node has ended. */
  void forgetAll() {
    Set<Integer> maps;
    synchronized (this) {
      maps = Set.copyOf(byMap.keySet());
    }
    maps.forEach(this::forget);
  }

  synchronized List<MapWatcher> of(int map) {
    return List.copyOf(byMap.getOrDefault(map, List.of()));
  }

  synchronized void leave(int map, Map<Key, Write> last) {
    if (byMap.containsKey(map)) {
      told.put(map, last);
    }
  }

  /** What the life before has told last; null if nobody was told. */
  synchronized Map<Key, Write> takeTold(int map) {
    return told.remove(map);
  }

  /** Forgets who watches maps that are not there any more. */
  void retain(Set<Integer> maps) {
    Set<Integer> gone;
    synchronized (this) {
      gone = new HashSet<>(byMap.keySet());
    }
    gone.removeAll(maps);
    gone.forEach(this::forget);
  }
}
