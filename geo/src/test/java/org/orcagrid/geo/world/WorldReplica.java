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
package org.orcagrid.geo.world;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.raft.Members;
import org.orcagrid.ddp.raft.Raft;
import org.orcagrid.ddp.raft.RaftEffects;
import org.orcagrid.ddp.raft.RaftEntry;
import org.orcagrid.ddp.raft.RaftMessage;
import org.orcagrid.ddp.raft.RaftRecord;
import org.orcagrid.ddp.raft.RaftRule;
import org.orcagrid.ddp.raft.RaftSettings;
import org.orcagrid.ddp.raft.SnapshotMark;
import org.orcagrid.ddp.raft.SnapshotPart;
import org.orcagrid.ddp.store.DirectMemory;
import org.orcagrid.geo.message.GeoMessage;
import org.orcagrid.geo.message.MessageCodec;
import org.orcagrid.geo.partition.Partition;
import org.orcagrid.geo.partition.PartitionLog;
import org.orcagrid.geo.partition.PartitionSettings;
import org.orcagrid.geo.partition.Placement;
import org.orcagrid.geo.replica.Snapshot;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;
import org.orcagrid.simulator.raft.RaftDisk;

/** A partition's replica at a node: the shipping log and partition with a simulated disk. */
final class WorldReplica implements RaftEffects, PartitionLog {
  private static final long ELECTION_NANOS = 300_000_000;
  private static final long BEAT_NANOS = 60_000_000;
  private static final int BACKLOG_MAX = 200;
  private static final int WAITING_MAX = 100;
  private static final int PIECE_BYTES = 300;

  private final GeoRun run;
  private final WorldNode node;
  private final PartitionSettings settings;
  private final int number;
  private final RaftDisk<byte[]> disk;
  private final DirectMemory direct = new DirectMemory(() -> {});
  private final Queue<Runnable> log = new ArrayDeque<>();

  private Raft raft;
  private Partition partition;
  private byte[] received = {};
  private boolean compacting;
  private boolean stepping;

  WorldReplica(GeoRun run, WorldNode node, int number, Placement placement) {
    this.run = run;
    this.node = node;
    this.number = number;
    this.settings =
        new PartitionSettings(
            node.number(), placement, 1, preferred(placement, node.number(), number), WAITING_MAX);
    int mask = 0;
    for (int each : placement.nodes().get(settings.datacenter())) {
      mask |= Quorum.of(each);
    }
    this.disk = new RaftDisk<>(run.simulation(), run::diskNanosMax, Members.of(mask), new byte[0]);
  }

  private static int preferred(Placement placement, int node, int number) {
    List<Integer> there = placement.nodes().get(placement.datacenter(node));
    return there.get(number % there.size());
  }

  Partition partition() {
    return partition;
  }

  Raft raft() {
    return raft;
  }

  /** The partition's number. */
  int number() {
    return number;
  }

  /** Its node's number. */
  int node() {
    return node.number();
  }

  void start() {
    log.clear();
    compacting = false;
    received = new byte[0];
    raft =
        new Raft(
            new RaftSettings(node.number(), ELECTION_NANOS, BEAT_NANOS, 4096, 8, BACKLOG_MAX),
            disk.stored(),
            EnumSet.allOf(RaftRule.class),
            this,
            node.now().nanos());
    partition = new Partition(settings, this, this::tell, run.rules(), direct, node.now());
    if (disk.stored().mark().index() > 0) {
      partition.onRestored(disk.state(), disk.stored().mark().term());
    }
    run.judge().started(this);
  }

  void crash() {
    raft = null;
    partition = null;
    disk.crash();
  }

  /** Does something, and all that comes of it. */
  void step(Runnable input) {
    if (raft == null) {
      return;
    }
    Invariant.check(!stepping, "no step begins within another one");
    stepping = true;
    try {
      partition.at(node.now());
      input.run();
      do {
        while (!log.isEmpty()) {
          log.poll().run();
        }
        partition.flush();
      } while (!log.isEmpty());
      raft.checkInvariants();
      run.judge().looked(this);
    } finally {
      stepping = false;
    }
  }

  void tick() {
    step(
        () -> {
          raft.tick(node.now().nanos());
          partition.tick();
        });
  }

  void onRaft(int from, long time, RaftMessage message) {
    step(
        () -> {
          partition.heardTime(time);
          raft.onMessage(from, message, node.now().nanos());
        });
  }

  void onTold(int from, GeoMessage message) {
    step(() -> partition.onMessage(from, message));
  }

  private void tell(GeoMessage message, int to) {
    Encoder out = new Encoder();
    MessageCodec.write(out, message);
    byte[] bytes = out.toBytes();
    run.send(
        node.number(),
        to,
        number,
        at -> at.onTold(node.number(), MessageCodec.read(new Decoder(bytes))));
  }

  /** Writes a snapshot piece by piece, while the replica goes on; then the log forgets. */
  void compact() {
    if (raft == null || compacting || partition.replica().applied() <= raft.log().mark().index()) {
      return;
    }
    compacting = true;
    Snapshot snapshot = partition.replica().snapshot();
    run.simulation().after(0, () -> piece(node.life(), snapshot, new Encoder()));
  }

  private void piece(int life, Snapshot snapshot, Encoder all) {
    if (life != node.life() || raft == null) {
      return;
    }
    if (snapshot.isOver()) {
      compacting = false;
      return;
    }
    all.putRaw(snapshot.next(PIECE_BYTES));
    if (!snapshot.isDone()) {
      run.simulation()
          .after(run.simulation().between(100_000, 30_000_000), () -> piece(life, snapshot, all));
      return;
    }
    disk.writeSnapshot(
        snapshot.index(),
        all.toBytes(),
        () -> {
          if (life == node.life()) {
            compacting = false;
            step(
                () -> {
                  if (snapshot.index() > raft.log().mark().index()) {
                    raft.compact(snapshot.index());
                    partition.onCompacted(snapshot);
                  }
                });
          }
        });
  }

  // --- the log, for the partition ----------------------------------------------------------------

  @Override
  public boolean leads() {
    return raft.role() == Raft.Role.LEADER;
  }

  @Override
  public int leader() {
    return raft.leader();
  }

  @Override
  public long term() {
    return raft.term();
  }

  @Override
  public long propose(byte[] command) {
    long index = raft.propose(command, node.now().nanos());
    if (index != REFUSED) {
      run.judge().proposed(this, command);
    }
    return index;
  }

  @Override
  public long first() {
    return raft.log().mark().index() + 1;
  }

  @Override
  public byte[] command(long index) {
    return raft.log().has(index) ? raft.log().get(index).content() : null;
  }

  @Override
  public void transfer(int to) {
    raft.transfer(to, node.now().nanos());
  }

  // --- what Raft wants done ----------------------------------------------------------------------

  @Override
  public void send(int to, RaftMessage message) {
    long time = partition == null ? 0 : partition.time();
    int from = node.number();
    run.send(from, to, number, at -> at.onRaft(from, time, message));
  }

  @Override
  public void persist(long ticket, RaftRecord written) {
    int life = node.life();
    disk.write(
        ticket,
        written,
        durable -> {
          if (life == node.life()) {
            step(() -> raft.onPersisted(durable, node.now().nanos()));
          }
        });
  }

  @Override
  public void apply(RaftEntry entry) {
    log.add(
        () -> {
          run.judge().applies(this, entry);
          partition.onEntry(entry.index(), entry.term(), entry.content());
          run.judge().applied(this, entry);
        });
  }

  @Override
  public void readSnapshot(int follower, SnapshotMark mark, long offset) {
    byte[] all = disk.snapshot(mark.index());
    if (all == null || offset > all.length) {
      return;
    }
    int end = (int) Math.min(all.length, offset + PIECE_BYTES);
    SnapshotPart part =
        new SnapshotPart(
            mark, offset, Arrays.copyOfRange(all, (int) offset, end), end == all.length);
    int life = node.life();
    run.simulation()
        .after(
            run.simulation().between(10_000, 1_000_000),
            () -> {
              if (life == node.life()) {
                step(() -> raft.onSnapshotRead(follower, part));
              }
            });
  }

  @Override
  public void writeSnapshot(SnapshotPart part) {
    byte[] before = part.offset() == 0 ? new byte[0] : received;
    received = Arrays.copyOf(before, before.length + part.bytes().length);
    System.arraycopy(part.bytes(), 0, received, before.length, part.bytes().length);
    int life = node.life();
    Runnable durable =
        () -> {
          if (life == node.life()) {
            step(() -> raft.onSnapshotWritten(part));
          }
        };
    if (part.isLast()) {
      disk.writeSnapshot(part.mark().index(), received, durable);
    } else {
      run.simulation().after(run.simulation().between(10_000, 1_000_000), durable);
    }
  }

  @Override
  public void restore(SnapshotMark mark) {
    byte[] state = disk.snapshot(mark.index());
    log.add(
        () -> {
          partition.onRestored(state, mark.term());
          run.judge().restored(this);
        });
  }
}
