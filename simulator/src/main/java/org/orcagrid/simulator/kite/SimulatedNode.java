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
package org.orcagrid.simulator.kite;

import java.util.ArrayList;
import java.util.List;
import org.orcagrid.ddp.kite.KiteNode;
import org.orcagrid.ddp.kite.KiteWorker;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.simulator.Simulation;

/** A node of a run: its workers, a clock that runs at its own speed, sleep and crashes. */
final class SimulatedNode {
  private static final long POLL_NANOS_MAX = 40 * KiteSchedule.MICRO;

  private final KiteRun run;
  private final KiteNode kite;
  private final int self;
  private final long process;
  private final int memorySince;
  private final double clockSpeed;
  private final List<Worker> workers = new ArrayList<>();
  private final List<Runnable> missed = new ArrayList<>();

  private boolean asleep;
  private boolean crashed;
  private boolean retired;
  private boolean lost;

  SimulatedNode(KiteRun run, KiteNode kite, long process) {
    this.run = run;
    this.kite = kite;
    this.process = process;
    this.memorySince = kite.view().memorySince();
    this.self = kite.settings().self();
    this.clockSpeed =
        1 + run.simulation().random().nextDouble() * (run.schedule().faults().fastestClock() - 1);
    for (int worker = 0; worker < kite.settings().workers(); worker++) {
      workers.add(new Worker(worker));
    }
  }

  KiteNode kite() {
    return kite;
  }

  /** The process that it runs in. */
  long process() {
    return process;
  }

  /** Whether it followed another one. */
  boolean isNew() {
    return kite.joined() > memorySince;
  }

  /** The view in which what it holds began, with nothing. */
  int memorySince() {
    return memorySince;
  }

  long slowReleases() {
    return workers.stream().mapToLong(worker -> worker.kite.slowReleases()).sum();
  }

  long nowNanos() {
    return (long) (run.simulation().nowNanos() * clockSpeed);
  }

  void start() {
    workers.forEach(Worker::start);
  }

  void sleep() {
    run.trace("node " + self + " sleeps");
    asleep = true;
  }

  void wake() {
    if (asleep) {
      run.trace("node " + self + " wakes");
      asleep = false;
      List<Runnable> late = List.copyOf(missed);
      missed.clear();
      late.forEach(Runnable::run);
    }
  }

  void crash() {
    run.trace("node " + self + " crashes");
    crashed = true;
  }

  boolean isLost() {
    return crashed;
  }

  /** Its lease is over for good: it goes on, and tells its clients nothing any more. */
  void retire() {
    run.trace("node " + self + " serves nobody any more");
    retired = true;
  }

  /** The grid has lost its place, which it may not know; its clients may wait for ever. */
  void lose() {
    lost = true;
  }

  boolean isRetired() {
    return retired;
  }

  boolean isFinished() {
    return crashed || retired || lost || workers.stream().allMatch(Worker::isFinished);
  }

  void addOpen() {
    workers.forEach(worker -> worker.sessions.forEach(SimulatedSession::addOpen));
  }

  void arrive(int worker, int from, Packets.Packet packet) {
    whenAwake(() -> workers.get(worker).receive(from, packet));
  }

  /** Does something, as soon as it is awake. */
  void whenAwake(Runnable action) {
    if (crashed) {
      return;
    }
    if (asleep) {
      missed.add(action);
    } else {
      action.run();
    }
  }

  /** A worker, its sessions, and the packets that it fills. */
  final class Worker {
    private final int number;
    private final KiteWorker kite;
    private final Packets.Packet[] filling = new Packets.Packet[run.schedule().nodes()];
    private final Message received = new Message();
    private final List<SimulatedSession> sessions = new ArrayList<>();

    Worker(int number) {
      this.number = number;
      this.kite =
          new KiteWorker(
              SimulatedNode.this.kite,
              number,
              this::claim,
              slot -> sessions().get(slot).onCompleted());
      for (int slot = 0; slot < run.schedule().sessions(); slot++) {
        // Each node that follows another one has sessions of its own.
        int place = (SimulatedNode.this.kite.joined() - 1) * run.schedule().nodes() + self;
        int global = (place * run.schedule().workers() + number) * run.schedule().sessions() + slot;
        sessions.add(new SimulatedSession(run, this, kite.session(slot), global));
      }
    }

    private List<SimulatedSession> sessions() {
      return sessions;
    }

    KiteWorker kite() {
      return kite;
    }

    SimulatedNode node() {
      return SimulatedNode.this;
    }

    boolean isFinished() {
      return sessions.stream().allMatch(SimulatedSession::isFinished);
    }

    private void start() {
      sessions.forEach(SimulatedSession::start);
      after(run.simulation().between(1, POLL_NANOS_MAX), this::pollAgain);
    }

    /** Does something later, unless the node is asleep or gone by then. */
    void after(long delayNanos, Runnable action) {
      run.simulation().after(delayNanos, () -> whenAwake(action));
    }

    private void pollAgain() {
      kite.poll(nowNanos());
      flush();
      after(run.simulation().between(POLL_NANOS_MAX / 4, POLL_NANOS_MAX), this::pollAgain);
    }

    long nowNanos() {
      return SimulatedNode.this.nowNanos();
    }

    private boolean claim(int peer, int bytes, Message into) {
      if (filling[peer] != null && filling[peer].length + bytes > Packets.BYTES) {
        flush();
      }
      if (filling[peer] == null) {
        filling[peer] = run.packets().take();
      }
      into.wrap(filling[peer].buffer, filling[peer].length);
      filling[peer].length += bytes;
      return true;
    }

    /** Sends what has gathered. */
    void flush() {
      for (int peer = 0; peer < filling.length; peer++) {
        if (filling[peer] != null) {
          Packets.Packet packet = filling[peer];
          filling[peer] = null;
          run.send(number, self, peer, packet);
        }
      }
    }

    private void receive(int from, Packets.Packet packet) {
      Simulation simulation = run.simulation();
      for (int at = 0; at < packet.length; ) {
        received.wrap(packet.buffer, at);
        if (!received.isWhole(packet.length) || !kite.mayBeOurs(received)) {
          throw new IllegalStateException("A packet of node " + from + " is broken at " + at);
        }
        if (run.isTraced()) {
          run.trace(from + " > " + self + "." + number + " " + received);
        }
        int bytes = received.bytes();
        kite.onMessage(from, received, nowNanos());
        at += bytes;
      }
      if (simulation.chance(50)) {
        kite.poll(nowNanos());
      }
      flush();
    }
  }
}
