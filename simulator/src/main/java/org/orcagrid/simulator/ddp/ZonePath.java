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
package org.orcagrid.simulator.ddp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.ddp.zone.PeerZone;
import org.orcagrid.ddp.zone.ZoneRule;
import org.orcagrid.ddp.zone.ZoneWriter;
import org.orcagrid.simulator.Simulation;

/**
 * The way of one node's records into a zone of another one: a connection that keeps the order and
 * breaks now and then, which its two ends find out at different times.
 */
final class ZonePath {
  /** All records are of one map. */
  static final int MAP = 7;

  private static final long HANDSHAKE_NANOS_MAX = 200 * DdpSchedule.MICRO;

  private final DdpRun run;
  private final Simulation simulation;
  private final int from;
  private final int to;
  private final SimulatedZone memory = new SimulatedZone();
  private final Set<ZoneRule> rules;

  /** A device takes so long at most for what it is asked, one after the other. */
  private final long delayNanosMax;

  // At the owner; null while it is down.
  private PeerZone zone;

  /** The life of the peer that it is, or will be, open to; 0 for none. */
  private int admitted;

  /** Counts connections: whatever is of an earlier one does not arrive. */
  private int connection;

  private boolean broken;

  // At the peer; null while it is down.
  private ZoneWriter writer;
  private ByteBuffer copy;
  private long dueNanos;

  ZonePath(DdpRun run, int from, int to, Set<ZoneRule> rules) {
    this.run = run;
    this.simulation = run.simulation();
    this.from = from;
    this.to = to;
    this.rules = rules;
    this.delayNanosMax = (1 + simulation.random().nextInt(100)) * DdpSchedule.MICRO;
  }

  private long soon(long nanosMax) {
    return simulation.between(1, nanosMax);
  }

  // --- the owner ---------------------------------------------------------------------------------

  /** The owner has power: what is in the zone is told, and is the log's from then on. */
  void ownerStarts(PeerZone.Found found) {
    zone = new PeerZone(memory, rules);
    zone.find(found);
    zone.clear();
    admitted = 0;
  }

  void ownerCrashes() {
    connection++;
    broken = true;
    zone = null;
    memory.crash(simulation);
  }

  void ownerLosesAll() {
    memory.lose();
  }

  /** Before the replica knows of the view. */
  void ownerInstalls(ReplicaView view) {
    int life = run.membership().life(from, view.incarnations().get(from));
    if (life != admitted) {
      closeZone();
      admitted = life;
      if (life != 0) {
        openSoon(life);
      }
    }
  }

  private void closeZone() {
    connection++;
    broken = true;
    zone.close();
  }

  private void openSoon(int life) {
    PeerZone of = zone;
    simulation.after(
        soon(HANDSHAKE_NANOS_MAX),
        () -> {
          if (zone == of && admitted == life && !zone.isOpen()) {
            if (zone.isEmpty()) {
              open(life);
            } else {
              openSoon(life);
            }
          }
        });
  }

  private void open(int life) {
    long zoneLife = zone.open();
    connection++;
    broken = false;
    int thisOne = connection;
    run.trace("zone of " + to + " for " + from + " is open: " + zone);
    simulation.after(
        soon(HANDSHAKE_NANOS_MAX),
        () -> {
          if (writer != null && run.node(from).life() == life && connection == thisOne) {
            writer.open(zoneLife);
          }
        });
  }

  /** Tells what a loss of power would leave at least. */
  void findDurable(PeerZone.Found found) {
    new PeerZone(memory.durable(), rules).find(found);
  }

  boolean keeps(long position) {
    return zone.keeps(position);
  }

  boolean taken(long position) {
    return zone.taken(MAP, position);
  }

  // --- the peer ----------------------------------------------------------------------------------

  void peerStarts() {
    copy = ByteBuffer.allocate(SimulatedZone.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    writer = new ZoneWriter(copy);
  }

  void peerCrashes() {
    writer = null;
    // What is on its way may arrive.
    broken |= simulation.random().nextBoolean();
  }

  void freed(long position) {
    writer.freed(MAP, position);
  }

  long put(ByteBuffer record) {
    int of = connection;
    int life = run.node(from).life();
    long position =
        writer.put(
            MAP,
            record,
            (at, bytes) -> {
              ByteBuffer written = ByteBuffer.allocate(bytes).put(0, copy, at, bytes);
              inOrder(() -> arrive(of, at, written));
            });
    if (position != 0) {
      inOrder(() -> flush(of, life, position));
    }
    return position;
  }

  private void inOrder(Runnable what) {
    dueNanos = Math.max(dueNanos, simulation.nowNanos()) + soon(delayNanosMax);
    simulation.after(dueNanos - simulation.nowNanos(), what);
  }

  private boolean isThrough(int of) {
    return connection == of && !broken && zone != null;
  }

  private void arrive(int of, int at, ByteBuffer written) {
    if (isThrough(of)) {
      memory.write(at, written);
    }
  }

  private void flush(int of, int life, long position) {
    if (!isThrough(of)) {
      simulation.after(soon(HANDSHAKE_NANOS_MAX), () -> fail(of, life));
      return;
    }
    memory.flush();
    simulation.after(
        soon(delayNanosMax),
        () -> {
          if (writer != null && run.node(from).life() == life) {
            run.node(from).onFlushed(to, position);
          }
        });
  }

  /** The peer finds out that its connection is no more. */
  private void fail(int of, int life) {
    boolean isLater = connection != of && !broken;
    if (writer != null && run.node(from).life() == life && !isLater) {
      writer.close();
    }
  }

  // --- faults ------------------------------------------------------------------------------------

  /** Nothing gets through any more. Some time the owner sees it, and connects anew. */
  void cut() {
    if (broken || zone == null || !zone.isOpen()) {
      return;
    }
    run.trace("the way from " + from + " into the zone of " + to + " breaks");
    broken = true;
    PeerZone of = zone;
    int thisOne = connection;
    simulation.after(
        soon(HANDSHAKE_NANOS_MAX),
        () -> {
          if (zone == of && connection == thisOne) {
            closeZone();
            openSoon(admitted);
          }
        });
  }
}
