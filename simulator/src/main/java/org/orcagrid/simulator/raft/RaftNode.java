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
package org.orcagrid.simulator.raft;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.orcagrid.ddp.raft.Members;
import org.orcagrid.ddp.raft.Raft;
import org.orcagrid.ddp.raft.RaftEffects;
import org.orcagrid.ddp.raft.RaftEntry;
import org.orcagrid.ddp.raft.RaftMessage;
import org.orcagrid.ddp.raft.RaftRecord;
import org.orcagrid.ddp.raft.RaftSettings;
import org.orcagrid.ddp.raft.SnapshotMark;
import org.orcagrid.ddp.raft.SnapshotPart;
import org.orcagrid.simulator.SimulatedClock;
import org.orcagrid.simulator.Simulation;

/** A node: the shipping state machine with a disk, a clock, and a list as what it replicates. */
final class RaftNode implements RaftEffects {
  static final long ELECTION_NANOS = 100_000_000;
  static final long BEAT_NANOS = 20_000_000;

  private static final long TICK_NANOS = 5_000_000;
  private static final int PART_ENTRIES = 8;

  private final RaftRun run;
  private final int self;
  private final Simulation simulation;
  private final SimulatedClock clock;
  private final RaftDisk<List<Long>> disk;

  private Raft raft;
  private int life;

  /** A fingerprint of each entry that was applied, in the order of their indexes. */
  private List<Long> state = new ArrayList<>();

  private List<Long> received = new ArrayList<>();

  RaftNode(RaftRun run, int self, Simulation simulation, Members members) {
    this.run = run;
    this.self = self;
    this.simulation = simulation;
    this.clock =
        new SimulatedClock(
            simulation, simulation.between(0, 1L << 40), 0.9 + simulation.between(0, 20) / 100.0);
    this.disk = new RaftDisk<>(simulation, run::diskNanosMax, members, List.of());
    start();
  }

  boolean isUp() {
    return raft != null;
  }

  Raft raft() {
    return raft;
  }

  List<Long> state() {
    return state;
  }

  void start() {
    RaftSettings settings = new RaftSettings(self, ELECTION_NANOS, BEAT_NANOS, 64, 4, 50);
    state = new ArrayList<>(disk.state());
    received = new ArrayList<>();
    raft = new Raft(settings, disk.stored(), run.rules(), this, clock.nanos());
    life++;
    tickLater(life);
  }

  void crash() {
    raft = null;
    life++;
    disk.crash();
  }

  private void tickLater(int ofLife) {
    clock.after(
        TICK_NANOS,
        () -> {
          if (life == ofLife) {
            step(() -> raft.tick(clock.nanos()));
            tickLater(ofLife);
          }
        });
  }

  private void step(Runnable input) {
    if (raft != null) {
      input.run();
      raft.checkInvariants();
      run.looked(self, raft);
    }
  }

  void receive(int from, RaftMessage message) {
    step(() -> raft.onMessage(from, message, clock.nanos()));
  }

  void propose(long number) {
    byte[] command = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    step(() -> raft.propose(command, clock.nanos()));
  }

  void change(Members next) {
    step(() -> raft.change(next, clock.nanos()));
  }

  void transfer(int to) {
    step(() -> raft.transfer(to, clock.nanos()));
  }

  /** Writes a snapshot of what is applied, and has the log forget that when it is durable. */
  void compact() {
    long index = state.size();
    int ofLife = life;
    disk.writeSnapshot(
        index,
        List.copyOf(state),
        () -> {
          if (life == ofLife) {
            step(() -> raft.compact(index));
          }
        });
  }

  // --- effects -----------------------------------------------------------------------------------

  @Override
  public void send(int to, RaftMessage message) {
    run.send(self, to, message);
  }

  @Override
  public void persist(long ticket, RaftRecord written) {
    int ofLife = life;
    disk.write(
        ticket,
        written,
        durable -> {
          if (life == ofLife) {
            step(() -> raft.onPersisted(durable, clock.nanos()));
          }
        });
  }

  @Override
  public void apply(RaftEntry entry) {
    run.check(entry.index() == state.size() + 1, self + " applies " + entry + " out of order");
    long fingerprint = fingerprint(entry);
    state.add(fingerprint);
    run.applied(self, entry.index(), fingerprint);
  }

  private static long fingerprint(RaftEntry entry) {
    long command = entry.content() == null ? 0 : ByteBuffer.wrap(entry.content()).getLong();
    return entry.term() << 32 | command;
  }

  @Override
  public void readSnapshot(int follower, SnapshotMark mark, long offset) {
    List<Long> snapshot = disk.snapshot(mark.index());
    int first = (int) (offset / Long.BYTES);
    if (snapshot == null || first > snapshot.size()) {
      return;
    }
    int last = Math.min(snapshot.size(), first + PART_ENTRIES);
    ByteBuffer bytes = ByteBuffer.allocate((last - first) * Long.BYTES);
    snapshot.subList(first, last).forEach(bytes::putLong);
    SnapshotPart part = new SnapshotPart(mark, offset, bytes.array(), last == snapshot.size());
    int ofLife = life;
    simulation.after(
        simulation.between(10_000, 1_000_000),
        () -> {
          if (life == ofLife) {
            step(() -> raft.onSnapshotRead(follower, part));
          }
        });
  }

  @Override
  public void writeSnapshot(SnapshotPart part) {
    if (part.offset() == 0) {
      received = new ArrayList<>();
    }
    ByteBuffer bytes = ByteBuffer.wrap(part.bytes());
    while (bytes.hasRemaining()) {
      received.add(bytes.getLong());
    }
    int ofLife = life;
    Runnable durable =
        () -> {
          if (life == ofLife) {
            step(() -> raft.onSnapshotWritten(part));
          }
        };
    if (part.isLast()) {
      disk.writeSnapshot(part.mark().index(), List.copyOf(received), durable);
    } else {
      simulation.after(simulation.between(10_000, 1_000_000), durable);
    }
  }

  @Override
  public void restore(SnapshotMark mark) {
    run.check(mark.index() >= state.size(), self + " goes back to the snapshot of " + mark.index());
    List<Long> snapshot = disk.snapshot(mark.index());
    run.check(snapshot != null && snapshot.size() == mark.index(), self + " has half a snapshot");
    state = new ArrayList<>(snapshot);
    for (int i = 0; i < state.size(); i++) {
      run.applied(self, i + 1, state.get(i));
    }
  }
}
