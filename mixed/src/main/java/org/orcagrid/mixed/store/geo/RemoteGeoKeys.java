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

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.orcagrid.client.Codec;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.client.GeoException;
import org.orcagrid.geo.client.GeoSession;
import org.orcagrid.geo.client.GeoView;
import org.orcagrid.geo.client.GuaranteeNotMetException;
import org.orcagrid.geo.client.RemoteGeo;
import org.orcagrid.geo.client.Seen;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.WriteGuarantee;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.track.VectorClock;

/** The keys of a view of a geo store, through its client; a session for each call. */
final class RemoteGeoKeys implements GeoKeys {
  private static final ReadGuarantee AS_SEEN =
      ReadGuarantee.MONOTONIC_READ_YOUR_WRITE.within(Duration.ofMillis(500));

  private final RemoteGeo geo;
  private final String name;
  private final List<String> datacenters;

  RemoteGeoKeys(RemoteGeo geo, String name) {
    this.geo = geo;
    this.name = name;
    this.datacenters = geo.datacenters();
  }

  @Override
  public String datacenter() {
    return geo.datacenter();
  }

  @Override
  public List<String> datacenters() {
    return datacenters;
  }

  private GeoView<String, byte[]> view(GeoSession session) {
    return session.view(name, Codec.STRING, Codec.BYTES);
  }

  // --- clocks ------------------------------------------------------------------------------------

  private String log(int datacenter, int partition) {
    return datacenters.get(datacenter) + "/" + partition;
  }

  private VectorClock clock(int partition, Version version) {
    return version.isThere()
        ? VectorClock.of(log(version.datacenter(), partition), version.position())
        : VectorClock.NONE;
  }

  private Map<Integer, PositionVector> positions(VectorClock clock) throws BehindException {
    Map<Integer, PositionVector> all = new HashMap<>();
    for (Map.Entry<String, Long> each : clock.counts().entrySet()) {
      String log = each.getKey();
      int slash = log.lastIndexOf('/');
      int datacenter = datacenters.indexOf(log.substring(0, Math.max(0, slash)));
      if (datacenter < 0) {
        throw new BehindException(
            log + " is no log of the geo store " + name + ", which has " + datacenters, null);
      }
      long[] one = new long[datacenter + 1];
      one[datacenter] = each.getValue();
      all.merge(
          Integer.valueOf(log.substring(slash + 1)), PositionVector.of(one), PositionVector::max);
    }
    return all;
  }

  /** Of a clock, what the session does not need to ask for any more. */
  private VectorClock everywhere(VectorClock clock, GeoSession session) {
    Map<Integer, PositionVector> left = session.positions();
    Map<String, Long> everywhere = new HashMap<>();
    for (Map.Entry<String, Long> each : clock.counts().entrySet()) {
      String log = each.getKey();
      int slash = log.lastIndexOf('/');
      int partition = Integer.parseInt(log.substring(slash + 1));
      PositionVector its = left.getOrDefault(partition, PositionVector.NONE);
      if (its.at(datacenters.indexOf(log.substring(0, slash))) < each.getValue()) {
        everywhere.put(log, each.getValue());
      }
    }
    return new VectorClock(everywhere);
  }

  // --- keys --------------------------------------------------------------------------------------

  @Override
  public Look read(Collection<String> keys, VectorClock seen) throws StoreException {
    try (GeoSession session = geo.openSession()) {
      positions(seen).forEach(session::see);
      GeoView<String, byte[]> view = view(session);
      Map<String, CompletableFuture<Seen<byte[]>>> asked = new LinkedHashMap<>();
      keys.forEach(key -> asked.put(key, view.getAsync(key, AS_SEEN)));
      Map<String, Cell> cells = new HashMap<>();
      VectorClock all = seen;
      for (Map.Entry<String, CompletableFuture<Seen<byte[]>>> each : asked.entrySet()) {
        Seen<byte[]> found = seen(view, each.getKey(), each.getValue());
        int partition = view.partition(each.getKey());
        VectorClock clock = clock(partition, found.version());
        if (found.version().isThere()) {
          String log = log(found.version().datacenter(), partition);
          cells.put(each.getKey(), new Cell(found.value(), found.version(), log));
        }
        all = all.join(clock);
      }
      return new Look(cells, everywhere(all, session));
    } catch (CompletionException e) {
      throw failed(e.getCause());
    } catch (GeoException e) {
      throw failed(e);
    }
  }

  /** A session is told once of what is lost with a datacenter, and then goes on without it. */
  private Seen<byte[]> seen(
      GeoView<String, byte[]> view, String key, CompletableFuture<Seen<byte[]>> asked) {
    CompletableFuture<Seen<byte[]>> last = asked;
    for (int losses = 0; ; losses++) {
      try {
        return last.join();
      } catch (CompletionException e) {
        boolean isLost = e.getCause() instanceof GuaranteeNotMetException not && not.isLost();
        if (!isLost || losses == datacenters.size()) {
          throw e;
        }
        last = view.getAsync(key, AS_SEEN);
      }
    }
  }

  @Override
  public Written write(String key, byte[] value, Cell present) throws StoreException {
    try (GeoSession session = geo.openSession()) {
      GeoView<String, byte[]> view = view(session);
      // What was there is looked at in the order of the log: no clock has to be gone by.
      org.orcagrid.geo.client.Written written =
          !present.version().isThere()
              ? view.putIfAbsent(key, value, WriteGuarantee.EVENTUAL)
              : view.replace(key, value, present.version(), WriteGuarantee.EVENTUAL);
      return new Written(written.isDone(), clock(view.partition(key), written.version()));
    } catch (GeoException | CompletionException e) {
      throw failed(e);
    } catch (IllegalArgumentException e) {
      throw new StoreException(
          "The geo store " + name + " does not take " + key + ": " + e.getMessage(), e);
    }
  }

  private StoreException failed(Throwable e) {
    String what = "The geo store " + name + " has not answered: " + e.getMessage();
    return e instanceof GuaranteeNotMetException
        ? new BehindException(what, e)
        : new StoreException(what, e);
  }
}
