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
package org.orcagrid.geo.client;

import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import org.orcagrid.client.Codec;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Requirement;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.clock.HybridClock;
import org.orcagrid.geo.replica.WriteId;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.SessionState;
import org.orcagrid.geo.session.SessionToken;
import org.orcagrid.geo.session.WriteGuarantee;

/**
 * What a client has read and written, and what it may therefore ask for. Servers keep nothing of
 * it: closing it only says that it is not used any more. Safe for use by many threads; what one of
 * them has seen counts for all.
 */
public final class GeoSession implements AutoCloseable {
  private final RemoteGeo geo;
  private final long id;

  // Guarded by this object's monitor.
  private final SessionState state;
  private final TreeSet<Long> underWay = new TreeSet<>();
  private long numbers;

  GeoSession(RemoteGeo geo, SessionState state) {
    this.geo = geo;
    this.state = state;
    this.id = ThreadLocalRandom.current().nextLong();
  }

  /**
   * Keys and values under a name; keys of other names are other keys.
   *
   * @throws IllegalArgumentException if the name is empty or longer than 255 bytes
   */
  public <K, V> GeoView<K, V> view(String name, Codec<K> keys, Codec<V> values) {
    return new GeoView<>(geo, this, new GeoView.Form<>(name, keys, values), geo.home());
  }

  /**
   * The session as a text of 3 KB at most, with which {@link RemoteGeo#resume} goes on anywhere.
   *
   * @throws IllegalStateException if the settings have no keys
   */
  public String token() {
    if (geo.settings().keys() == null) {
      throw new IllegalStateException("Tokens need keys: see GeoSettings.keys");
    }
    synchronized (this) {
      return SessionToken.write(state, geo.settings().keys(), geo.store());
    }
  }

  /**
   * What the session has read and written, by {@link GeoView#partition partition}: of what may not
   * be in all replicas, the positions in the logs of {@link RemoteGeo#datacenters the datacenters}.
   * That is what {@link #token} writes, for who hands it on in a form of its own.
   */
  public synchronized Map<Integer, PositionVector> positions() {
    return state.positions();
  }

  /**
   * Takes what another session has seen of a partition for seen by this one, too: its reads, if
   * they ask for guarantees, show nothing older. Writes do not win by that alone.
   */
  public synchronized void see(int partition, PositionVector positions) {
    // The times of versions are not ahead of the nodes' clocks by more than that.
    long latest = HybridClock.of(geo.millis() + HybridClock.AHEAD_MILLIS_MAX);
    state.see(partition, positions, latest);
  }

  // --- for views ---------------------------------------------------------------------------------

  synchronized Requirement requirement(int partition, ReadGuarantee guarantee) {
    return state.requirement(partition, guarantee);
  }

  synchronized Requirement requirement(int partition, WriteGuarantee guarantee) {
    return state.requirement(partition, guarantee);
  }

  synchronized long dependency(WriteGuarantee guarantee) {
    return state.dependency(guarantee);
  }

  synchronized void read(int partition, Version version, PositionVector everywhere) {
    state.read(partition, version, everywhere);
  }

  synchronized void wrote(int partition, Version version, PositionVector everywhere) {
    state.wrote(partition, version, everywhere);
  }

  synchronized void lost(int partition, int datacenter, long cut) {
    state.lost(partition, datacenter, cut);
  }

  /** A write begins. */
  synchronized WriteId begin() {
    numbers++;
    underWay.add(numbers);
    return new WriteId(id, numbers, underWay.first());
  }

  /** It is not tried again. */
  synchronized void end(WriteId write) {
    underWay.remove(write.number());
  }

  /** Nothing is done: what it has seen is the client's alone. */
  @Override
  public void close() {
    synchronized (this) {
      underWay.clear();
    }
  }
}
