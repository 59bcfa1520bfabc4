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
package org.orcagrid.mixed.store.geo;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.geo.Version;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.track.VectorClock;

/**
 * Two datacenters in memory. Rows of objects and all else are in two partitions; rows may come to
 * the other datacenter later.
 */
final class LateGeo {
  private static final List<String> DATACENTERS = List.of("west", "east");
  private static final int VALUE_BYTES_MAX = 512 << 10;

  private final Map<String, Map<String, GeoKeys.Cell>> cells = new HashMap<>();
  private final Map<String, VectorClock> applied = new HashMap<>();
  private final List<Runnable> withheld = new ArrayList<>();
  private boolean isWithheld;
  private long position;

  LateGeo() {
    for (String each : DATACENTERS) {
      cells.put(each, new HashMap<>());
      applied.put(each, VectorClock.NONE);
    }
  }

  /** Rows that are written from now on stay in their datacenter. */
  void withholdRows() {
    isWithheld = true;
  }

  /** All comes everywhere. */
  void deliver() {
    isWithheld = false;
    withheld.forEach(Runnable::run);
    withheld.clear();
  }

  GeoStore store(String datacenter, Operations operations, GeoStore.Trial trial) {
    return new GeoStore("likes", keys(datacenter), operations, Merge.standard(), trial);
  }

  /** What a datacenter serves. */
  GeoKeys keys(String datacenter) {
    return new Keys(datacenter);
  }

  /** How many bytes the pages of a datacenter have. */
  int pageBytes(String datacenter) {
    return cells.get(datacenter).entrySet().stream()
        .filter(each -> each.getKey().startsWith("t/"))
        .mapToInt(each -> each.getValue().value().length)
        .sum();
  }

  private static int partition(String key) {
    return key.startsWith("r/") ? 0 : 1;
  }

  private final class Keys implements GeoKeys {
    private final String datacenter;

    Keys(String datacenter) {
      this.datacenter = datacenter;
    }

    @Override
    public String datacenter() {
      return datacenter;
    }

    @Override
    public List<String> datacenters() {
      return DATACENTERS;
    }

    @Override
    public Look read(Collection<String> keys, VectorClock seen) throws BehindException {
      Map<String, Cell> found = new HashMap<>();
      for (String each : keys) {
        for (String from : DATACENTERS) {
          String log = from + "/" + partition(each);
          if (seen.of(log) > applied.get(datacenter).of(log)) {
            throw new BehindException(datacenter + " lacks some of " + log, null);
          }
        }
        if (cells.get(datacenter).containsKey(each)) {
          found.put(each, cells.get(datacenter).get(each));
        }
      }
      return new Look(found, VectorClock.NONE);
    }

    @Override
    public Written write(String key, byte[] value, Cell present) throws StoreException {
      if (value.length > VALUE_BYTES_MAX) {
        throw new StoreException(key + " would have " + value.length + " bytes", null);
      }
      Cell there = cells.get(datacenter).getOrDefault(key, Cell.NONE);
      if (!there.version().equals(present.version())) {
        return new Written(false, there.clock());
      }
      position++;
      Version version = new Version(position, DATACENTERS.indexOf(datacenter), position);
      Cell cell = new Cell(value, version, datacenter + "/" + partition(key));
      for (String each : DATACENTERS) {
        Runnable apply =
            () -> {
              cells.get(each).put(key, cell);
              applied.merge(each, cell.clock(), VectorClock::join);
            };
        if (isWithheld && partition(key) == 0 && !each.equals(datacenter)) {
          withheld.add(apply);
        } else {
          apply.run();
        }
      }
      return new Written(true, cell.clock());
    }
  }
}
