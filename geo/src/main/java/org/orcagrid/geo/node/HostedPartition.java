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
package org.orcagrid.geo.node;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
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
import org.orcagrid.ddp.raft.Stored;
import org.orcagrid.geo.GeoRule;
import org.orcagrid.geo.log.GroupJournal;
import org.orcagrid.geo.log.SnapshotFiles;
import org.orcagrid.geo.log.SnapshotPiece;
import org.orcagrid.geo.message.GeoMessage;
import org.orcagrid.geo.partition.Partition;
import org.orcagrid.geo.partition.PartitionLog;
import org.orcagrid.geo.partition.PartitionSettings;
import org.orcagrid.geo.partition.Placement;
import org.orcagrid.geo.replica.Snapshot;

/**
 * A partition's replica in a node, with the log of its group: what the simulator's replica does
 * with a real journal and real files. Of the worker's thread.
 */
final class HostedPartition implements RaftEffects, PartitionLog, GroupJournal.Owner {
  private static final int PIECE_BYTES = 256 << 10;
  private static final int BATCH_BYTES = 256 << 10;
  private static final int MESSAGES_MAX = 16;
  private static final int BACKLOG_MAX = 4_096;

  /** A log of so many bytes, and as many as the last snapshot has, is reason for another one. */
  private static final long LOG_BYTES_MAX = 16 << 20;

  private final GeoEngine engine;
  private final int number;
  private final Partition partition;
  private final Raft raft;
  private final GroupJournal.Group group;

  /** What the log has committed and the partition has not seen yet. */
  private final Queue<Runnable> committed = new ArrayDeque<>();

  private boolean waits;
  private long logBytes;
  private boolean snapshots;
  private long snapshotBytes;

  /** The ticket of the record that lets older snapshots go, 0 for none. */
  private long compactTicket;

  private long compactIndex;

  /** The snapshot whose bytes are read to be restored, null for none. */
  private SnapshotMark restoring;

  HostedPartition(GeoEngine engine, int number, Placement placement) throws IOException {
    this.engine = engine;
    this.number = number;
    PartitionSettings settings =
        new PartitionSettings(
            engine.plan().self(),
            placement,
            1,
            engine.plan().preferred(number),
            GeoPlan.WAITING_MAX);
    int mask = 0;
    for (int each : placement.nodes().get(settings.datacenter())) {
      mask |= Quorum.of(each);
    }
    this.group = engine.journal().open(number, this);
    Stored stored = engine.journal().stored(group, Members.of(mask));
    this.partition =
        new Partition(settings, this, this::tell, GeoRule.all(), engine.direct(), engine.moment());
    this.raft =
        new Raft(
            new RaftSettings(
                engine.plan().self(),
                engine.plan().electionNanos(),
                engine.plan().beatNanos(),
                BATCH_BYTES,
                MESSAGES_MAX,
                BACKLOG_MAX),
            stored,
            EnumSet.allOf(RaftRule.class),
            this,
            engine.moment().nanos());
    SnapshotMark mark = stored.mark();
    if (mark.index() > 0) {
      partition.onRestored(engine.files().load(number, mark.index()), mark.term());
    }
  }

  Partition partition() {
    return partition;
  }

  int number() {
    return number;
  }

  @Override
  public long term() {
    return raft.term();
  }

  // --- inputs ------------------------------------------------------------------------------------

  /** The partition gets the time, and is looked at when the cycle ends. */
  Partition begin() {
    partition.at(engine.moment());
    if (!waits) {
      waits = true;
      engine.later(this);
    }
    return partition;
  }

  void tick() {
    begin();
    raft.tick(engine.moment().nanos());
    partition.tick();
    if (logBytes > Math.max(LOG_BYTES_MAX, snapshotBytes)) {
      snapshot();
    }
  }

  void onRaft(int from, long time, RaftMessage message) {
    begin().heardTime(time);
    raft.onMessage(from, message, engine.moment().nanos());
  }

  void onTold(int from, GeoMessage message) {
    begin().onMessage(from, message);
  }

  @Override
  public void onPersisted(long ticket) {
    begin();
    raft.onPersisted(ticket, engine.moment().nanos());
    if (compactTicket != 0 && ticket >= compactTicket) {
      compactTicket = 0;
      engine.files().removeBefore(number, compactIndex);
    }
  }

  /** What came of the inputs of this cycle. */
  void end() {
    do {
      while (restoring == null && !committed.isEmpty()) {
        committed.poll().run();
      }
      partition.flush();
    } while (restoring == null && !committed.isEmpty());
    waits = false;
  }

  void close() {
    partition.end();
  }

  // --- snapshots ---------------------------------------------------------------------------------

  @Override
  public void makeRoom() {
    if (!snapshots && partition.replica().applied() == raft.log().mark().index()) {
      engine.journal().renew(group, behindMark());
    } else {
      snapshot();
    }
  }

  private List<RaftEntry> behindMark() {
    List<RaftEntry> entries = new ArrayList<>();
    for (long index = first(); index <= raft.log().lastIndex(); index++) {
      entries.add(raft.log().get(index));
    }
    return entries;
  }

  private void snapshot() {
    if (snapshots || restoring != null) {
      return;
    }
    if (partition.replica().applied() <= raft.log().mark().index()) {
      return;
    }
    snapshots = true;
    logBytes = 0;
    piece(partition.replica().snapshot(), 0);
  }

  private void piece(Snapshot snapshot, long offset) {
    if (snapshot.isOver()) {
      snapshots = false;
      return;
    }
    byte[] bytes = snapshot.next(PIECE_BYTES);
    boolean isLast = snapshot.isDone();
    long end = offset + bytes.length;
    engine
        .files()
        .write(
            number,
            SnapshotFiles.Source.OWN,
            new SnapshotPiece(snapshot.index(), offset, bytes, isLast),
            () ->
                engine.execute(
                    () -> {
                      if (isLast) {
                        snapshotBytes = end;
                        onWritten(snapshot);
                      } else {
                        piece(snapshot, end);
                      }
                    }));
  }

  private void onWritten(Snapshot snapshot) {
    snapshots = false;
    if (snapshot.index() > raft.log().mark().index()) {
      begin();
      raft.compact(snapshot.index());
      partition.onCompacted(snapshot);
    }
  }

  @Override
  public void readSnapshot(int follower, SnapshotMark mark, long offset) {
    engine
        .files()
        .read(
            number,
            mark.index(),
            offset,
            PIECE_BYTES,
            (bytes, isLast) ->
                engine.execute(
                    () -> {
                      begin();
                      raft.onSnapshotRead(follower, new SnapshotPart(mark, offset, bytes, isLast));
                    }));
  }

  @Override
  public void writeSnapshot(SnapshotPart part) {
    engine
        .files()
        .write(
            number,
            SnapshotFiles.Source.RECEIVED,
            new SnapshotPiece(part.mark().index(), part.offset(), part.bytes(), part.isLast()),
            () ->
                engine.execute(
                    () -> {
                      begin();
                      raft.onSnapshotWritten(part);
                    }));
  }

  @Override
  public void restore(SnapshotMark mark) {
    committed.add(
        () -> {
          restoring = mark;
          engine
              .files()
              .load(number, mark.index(), bytes -> engine.execute(() -> restored(mark, bytes)));
        });
  }

  private void restored(SnapshotMark mark, byte[] bytes) {
    if (bytes == null) {
      throw new IllegalStateException(
          "The snapshot " + mark + " of partition " + number + " is gone");
    }
    restoring = null;
    begin().onRestored(bytes, mark.term());
  }

  // --- what Raft wants done ----------------------------------------------------------------------

  @Override
  public void send(int to, RaftMessage message) {
    engine.send(to, number, partition.time(), message);
  }

  private void tell(GeoMessage message, int to) {
    engine.send(to, number, message);
  }

  @Override
  public void persist(long ticket, RaftRecord written) {
    engine.journal().append(group, ticket, written);
    if (written instanceof RaftRecord.Entries entries) {
      for (RaftEntry each : entries.entries()) {
        logBytes += each.content() == null ? 0 : each.content().length;
      }
    } else if (written instanceof RaftRecord.Compacted compacted) {
      compactTicket = ticket;
      compactIndex = compacted.mark().index();
    }
  }

  @Override
  public void apply(RaftEntry entry) {
    committed.add(() -> partition.onEntry(entry.index(), entry.term(), entry.content()));
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
  public long propose(byte[] command) {
    return raft.propose(command, engine.moment().nanos());
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
    raft.transfer(to, engine.moment().nanos());
  }
}
