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

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.zone.PeerZone;
import org.orcagrid.ddp.zone.ZoneMemory;
import org.orcagrid.ddp.zone.ZoneRule;
import org.orcagrid.ddp.zone.ZoneWriter;
import org.orcagrid.ddp.zone.Zones;

/**
 * A worker's zones, and its ways into those of its peers; its maps share them. Of the worker's
 * thread, but for {@link #find}, which comes before the worker has maps.
 *
 * <p>In each life of the node its zones are opened when the journal has what was found in them, and
 * not before.
 */
final class WorkerZones implements Zones.Listener {
  private static final System.Logger LOG = System.getLogger(WorkerZones.class.getName());

  private final int self;
  private final List<PeerZone> zones = new ArrayList<>();
  private final ZoneWriter[] writers;

  /** Up to where something was written that was not flushed. */
  private final long[] written;

  /** Which life of each node may write; 0 for none. */
  private final int[] admitted;

  /** For each peer, the maps that have put something which is not flushed. */
  private final List<Deque<HostedMap>> waiting = new ArrayList<>();

  private final BooleanSupplier hasWhatWasFound;

  /** Null where the transport has none. */
  private final Zones ways;

  private final AtomicLong puts = new AtomicLong();
  private boolean viewed;
  private boolean cleared;

  /**
   * Zones that are not open.
   *
   * @param memories by the peers who write into them
   * @param hasWhatWasFound whether the worker's journal has what was in the zones
   */
  WorkerZones(
      List<ZoneMemory> memories, Endpoint endpoint, int self, BooleanSupplier hasWhatWasFound) {
    this.self = self;
    this.hasWhatWasFound = hasWhatWasFound;
    this.writers = new ZoneWriter[memories.size()];
    this.written = new long[memories.size()];
    this.admitted = new int[memories.size()];
    for (ZoneMemory memory : memories) {
      zones.add(new PeerZone(memory, ZoneRule.all()));
      waiting.add(new ArrayDeque<>());
    }
    this.ways = endpoint.openZones(memories, this);
  }

  // --- beginnings and ends -----------------------------------------------------------------------

  /** Tells what is in the zones; before the first view of this life of the node. */
  void find(PeerZone.Found found) {
    zones.forEach(zone -> zone.find(found));
  }

  /** Before any map knows of the view. */
  void onView(AgreedView view) {
    viewed = true;
    for (int peer = 0; peer < admitted.length; peer++) {
      int life = peer == self ? 0 : view.nodes().incarnation(peer);
      if (life != admitted[peer]) {
        admitted[peer] = life;
        closeZone(peer);
      }
    }
  }

  private void closeZone(int peer) {
    if (zones.get(peer).isOpen()) {
      ways.revoke(peer);
      zones.get(peer).close();
    }
  }

  /** Whether all maps of this life are, or were, here. */
  boolean isViewed() {
    return viewed;
  }

  /** A map is gone from here: whatever of it is in zones holds up nobody. */
  void forget(int map) {
    zones.forEach(zone -> zone.forget(map));
    for (int peer = 0; peer < writers.length; peer++) {
      if (writers[peer] != null && writers[peer].isOpen() && writers[peer].has(map)) {
        writers[peer].close();
        ways.abandon(peer);
      }
    }
  }

  /**
   * This life of the node is over.
   *
   * @param inOrder whether the journal has all that was kept in zones
   * @throws IllegalStateException if the memory is gone; nothing is written to it any more
   */
  void end(boolean inOrder) {
    viewed = false;
    cleared = false;
    Arrays.fill(admitted, 0);
    for (int peer = 0; peer < writers.length; peer++) {
      if (writers[peer] != null) {
        writers[peer].close();
      }
      if (zones.get(peer).isOpen()) {
        ways.revoke(peer);
      }
    }
    waiting.forEach(Deque::clear);
    zones.forEach(PeerZone::close);
    if (inOrder) {
      zones.forEach(PeerZone::clear);
    }
  }

  /** Opens what can be opened, and flushes what was written. */
  void look() {
    if (!viewed) {
      return;
    }
    if (!cleared && hasWhatWasFound.getAsBoolean()) {
      cleared = true;
      zones.forEach(PeerZone::clear);
    }
    for (int peer = 0; peer < admitted.length && cleared && ways != null; peer++) {
      PeerZone zone = zones.get(peer);
      if (admitted[peer] != 0 && zone.isEmpty()) {
        ways.admit(peer, zone.open());
      }
    }
  }

  /** Flushes what was written. */
  void flush() {
    for (int peer = 0; peer < written.length; peer++) {
      if (written[peer] != 0) {
        ways.flush(peer, written[peer]);
        written[peer] = 0;
      }
    }
  }

  /** How many records were put into zones of peers so far; any thread may ask. */
  long puts() {
    return puts.get();
  }

  // --- out ---------------------------------------------------------------------------------------

  /** Puts a record into a peer's zone; its position there, 0 if there is no way. */
  long put(int peer, int map, ByteBuffer record) {
    ZoneWriter writer = writers[peer];
    if (writer == null || !writer.isOpen() || !ways.hasRoom(peer)) {
      return 0;
    }
    long position = writer.put(map, record, (at, bytes) -> ways.write(peer, at, bytes));
    if (position != 0) {
      written[peer] = position;
      puts.lazySet(puts.get() + 1);
    }
    return position;
  }

  /** Tells a map of flushes at a peer, from now on until all is durable that it has put there. */
  void tellFlushed(int peer, HostedMap map) {
    waiting.get(peer).add(map);
  }

  /** Whether anything was put at a peer that is not known to be durable. */
  boolean isFlushing() {
    for (Deque<HostedMap> of : waiting) {
      if (!of.isEmpty()) {
        return true;
      }
    }
    return false;
  }

  void freed(int peer, int map, long position) {
    if (writers[peer] != null) {
      writers[peer].freed(map, position);
    }
  }

  @Override
  public void onAdmitted(int peer, long life, ByteBuffer copy) {
    written[peer] = 0;
    writers[peer] = new ZoneWriter(copy);
    writers[peer].open(life);
  }

  @Override
  public void onLost(int peer, String fault) {
    if (fault != null) {
      LOG.log(
          System.Logger.Level.INFO,
          "The way into the zone of node {0} is lost, and its log is waited for until there is"
              + " another: {1}",
          peer,
          fault);
    }
    written[peer] = 0;
    if (writers[peer] != null) {
      writers[peer].close();
    }
  }

  @Override
  public void onFlushed(int peer, long position) {
    Deque<HostedMap> of = waiting.get(peer);
    for (int left = of.size(); left > 0; left--) {
      HostedMap map = of.poll();
      if (map.onFlushed(peer, position)) {
        of.add(map);
      }
    }
  }

  // --- in ----------------------------------------------------------------------------------------

  boolean keeps(int peer, long position) {
    return zones.get(peer).keeps(position);
  }

  boolean taken(int peer, int map, long position) {
    return zones.get(peer).taken(map, position);
  }

  @Override
  public void onRevoked(int peer) {
    zones.get(peer).close();
  }
}
