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
package org.orcagrid.mixed.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.orcagrid.geo.Version;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.geo.GeoKeys;
import org.orcagrid.mixed.store.geo.GeoPages;
import org.orcagrid.mixed.store.geo.GeoStore;
import org.orcagrid.mixed.store.geo.GeoStoreRule;
import org.orcagrid.mixed.track.VectorClock;

/**
 * A geo store on virtual time: datacenters with a leader and another replica each, which is behind.
 * Each partition of a datacenter has a log; logs come to others each for itself. Requests may break
 * off before any write, and others may come in between.
 */
final class SimulatedGeo {
  private static final int PARTITIONS = 3;

  /** They are used again soon. */
  private static final GeoPages.Shape PAGES = new GeoPages.Shape(2, 2, 700);

  private final List<String> datacenters;
  private final SplittableRandom random;
  private final GeoStore.Trial trial;
  private final Map<String, Deque<Replica>> replicas = new HashMap<>();
  private final Map<String, List<Entry>> logs = new LinkedHashMap<>();
  private long time;

  /** Writes that are left to who is asked now; others come in between. */
  private long writesLeft = Long.MAX_VALUE;

  private Runnable between;

  private record Entry(String key, GeoKeys.Cell cell) {}

  /** What a replica has. */
  private static final class Replica {
    private final Map<String, GeoKeys.Cell> cells = new HashMap<>();
    private final Map<String, Long> applied = new HashMap<>();

    private void apply(String log, Entry entry) {
      cells.put(entry.key(), entry.cell());
      applied.merge(log, 1L, Long::sum);
    }

    private boolean has(String log, long position) {
      return applied.getOrDefault(log, 0L) >= position;
    }
  }

  SimulatedGeo(List<String> datacenters, SplittableRandom random, Set<GeoStoreRule> rules) {
    this.datacenters = datacenters;
    this.random = random;
    this.trial = new GeoStore.Trial(rules, PAGES, 1);
    for (String each : datacenters) {
      replicas.put(each, new ArrayDeque<>(List.of(new Replica(), new Replica())));
    }
  }

  private static int partition(String key) {
    return Math.floorMod(key.hashCode(), PARTITIONS);
  }

  private static String log(String datacenter, int partition) {
    return datacenter + "/" + partition;
  }

  /** Some entries come to replicas: all logs to all, or one to one. */
  void replicate(boolean isAll) {
    for (Map.Entry<String, List<Entry>> log : logs.entrySet()) {
      for (Deque<Replica> each : replicas.values()) {
        for (Replica replica : each) {
          if (isAll || random.nextInt(4) == 0) {
            long from = replica.applied.getOrDefault(log.getKey(), 0L);
            long to = isAll ? log.getValue().size() : from + random.nextInt(4);
            for (long i = from; i < Math.min(to, log.getValue().size()); i++) {
              replica.apply(log.getKey(), log.getValue().get((int) i));
            }
          }
        }
      }
    }
  }

  /** Who is asked now writes so often at most; something else is done before one of the writes. */
  void disturb(long writesMax, Runnable other) {
    writesLeft = writesMax;
    between = other;
  }

  /** The store on what a datacenter serves. */
  GeoStore store(String datacenter) {
    return new GeoStore("geo", new Keys(datacenter), Program.OPERATIONS, Program.UNITED, trial);
  }

  /** The same as another process has it, which remembers nothing of what it has written. */
  Store anew(Store store) {
    boolean isOther = store instanceof GeoStore && random.nextBoolean();
    String group = store.traits().group();
    return isOther ? store(group.substring(group.indexOf('@') + 1)) : store;
  }

  private final class Keys implements GeoKeys {
    private final String datacenter;

    private Keys(String datacenter) {
      this.datacenter = datacenter;
    }

    @Override
    public String datacenter() {
      return datacenter;
    }

    @Override
    public List<String> datacenters() {
      return datacenters;
    }

    @Override
    public Look read(Collection<String> keys, VectorClock seen) throws BehindException {
      Map<String, Cell> cells = new HashMap<>();
      Map<String, Long> everywhere = new HashMap<>(seen.counts());
      Replica[] asked = new Replica[PARTITIONS];
      for (String key : keys) {
        int partition = partition(key);
        if (asked[partition] == null) {
          asked[partition] = serving(partition, seen);
        }
        Cell cell = asked[partition].cells.get(key);
        if (cell != null) {
          cells.put(key, cell);
          cell.clock().counts().forEach((log, at) -> everywhere.merge(log, at, Math::max));
        }
      }
      everywhere
          .entrySet()
          .removeIf(
              each ->
                  !replicas.values().stream()
                      .flatMap(Collection::stream)
                      .allMatch(one -> one.has(each.getKey(), each.getValue())));
      return new Look(cells, new VectorClock(everywhere));
    }

    /** One of the replicas that have what was seen of a partition. */
    private Replica serving(int partition, VectorClock seen) throws BehindException {
      List<Replica> able = new ArrayList<>();
      for (Replica each : replicas.get(datacenter)) {
        boolean hasAll =
            datacenters.stream()
                .map(from -> log(from, partition))
                .allMatch(log -> each.has(log, seen.of(log)));
        if (hasAll) {
          able.add(each);
        }
      }
      if (able.isEmpty()) {
        throw new BehindException(datacenter + " lacks some of " + seen, null);
      }
      return able.get(random.nextInt(able.size()));
    }

    @Override
    public Written write(String key, byte[] value, Cell present) throws StoreException {
      if (writesLeft == 0) {
        throw new StoreException("Whoever writes has died", null);
      }
      writesLeft--;
      Runnable other = between;
      if (other != null && random.nextInt(3) == 0) {
        between = null;
        other.run();
      }
      Replica leader = replicas.get(datacenter).peek();
      Cell there = leader.cells.getOrDefault(key, Cell.NONE);
      if (!there.version().equals(present.version())) {
        return new Written(false, there.clock());
      }
      String name = log(datacenter, partition(key));
      List<Entry> log = logs.computeIfAbsent(name, none -> new ArrayList<>());
      // A log's first position is 1; the leader has all of its own.
      Version version = new Version(++time, datacenters.indexOf(datacenter), log.size() + 1);
      Entry entry = new Entry(key, new Cell(value, version, name));
      log.add(entry);
      leader.apply(name, entry);
      return new Written(true, entry.cell().clock());
    }
  }
}
