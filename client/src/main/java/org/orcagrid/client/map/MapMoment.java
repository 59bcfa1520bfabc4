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
package org.orcagrid.client.map;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.orcagrid.client.OutcomeUnknownException;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.replica.Key;
import org.orcagrid.ddp.replica.Replica;
import org.orcagrid.ddp.replica.Write;

/**
 * What a node shows at one moment. A transaction becomes visible at a node all at once, so a moment
 * has all of it or nothing.
 *
 * @param shown the versions that a read shows
 * @param waiting keys for which a read waits: their latest version is not shown yet, and the one
 *     before it is not shown any more
 */
record MapMoment(List<Write> shown, List<Key> waiting) {
  private static final long PAUSE_NANOS_MAX = 100_000_000;

  private static MapMoment of(Replica replica) {
    MapMoment moment = new MapMoment(new ArrayList<>(), new ArrayList<>());
    replica.look(moment.shown::add, moment.waiting::add);
    return moment;
  }

  /** The versions that have values; those for which a read waits are read one by one. */
  static <K, V> List<Write> take(ReplicatedMap<K, V> map) {
    MapMoment moment = look(map);
    if (map.model().consistency() == Consistency.TRANSACTIONAL) {
      moment = awaitWhole(map, moment, map.timeout());
    }
    List<Write> all = new ArrayList<>(moment.shown);
    map.readAll(moment.waiting, all::add);
    all.removeIf(version -> !Lifetimes.isThere(version, map.access().nowMillis()));
    return all;
  }

  private static <K, V> MapMoment look(ReplicatedMap<K, V> map) {
    return map.access().ask(MapMoment::of, map.timeout());
  }

  /** Reads one after the other could see a part of a transaction: a moment has to have no such. */
  private static <K, V> MapMoment awaitWhole(
      ReplicatedMap<K, V> map, MapMoment first, Duration patience) {
    MapMoment moment = first;
    long pauseNanos = 1_000_000;
    long end = System.nanoTime() + patience.toNanos();
    while (!moment.waiting.isEmpty()) {
      if (System.nanoTime() - end >= 0) {
        throw OutcomeUnknownException.ofMap(
            "In "
                + patience
                + " there was no moment at which all visible transactions were durable, so nothing"
                + " was written; give it more time with timeout(…)");
      }
      // A look costs the map's worker something for each entry, and others want it, too.
      LockSupport.parkNanos(pauseNanos);
      pauseNanos = Math.min(2 * pauseNanos, PAUSE_NANOS_MAX);
      moment = look(map);
    }
    return moment;
  }
}
