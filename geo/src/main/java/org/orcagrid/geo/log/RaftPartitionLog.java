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
package org.orcagrid.geo.log;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
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
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/**
 * A group of our own Raft: what the simulator's replica does with a real journal and real files.
 * Its host's thread does all of it.
 */
final class RaftPartitionLog implements HostedLog, RaftEffects, GroupJournal.Owner {
  private static final int PIECE_BYTES = 256 << 10;
  private static final int BATCH_BYTES = 256 << 10;
  private static final int MESSAGES_MAX = 16;
  private static final int BACKLOG_MAX = 4_096;

  private final LogHost host;
  private final SnapshotFiles files;
  private final int partition;
  private final GroupJournal journal;
  private final GroupJournal.Group group;
  private final Raft raft;

  /** The ticket of the record that lets older snapshots go, 0 for none. */
  private long compactTicket;

  private long compactIndex;

  RaftPartitionLog(LogNode node, LogHost host, Members first) {
    this.host = host;
    this.files = node.files();
    this.partition = host.number();
    this.journal = host.journal();
    this.group = journal.open(partition, this);
    this.raft =
        new Raft(
            new RaftSettings(
                node.number(),
                node.timing().electionNanos(),
                node.timing().beatNanos(),
                BATCH_BYTES,
                MESSAGES_MAX,
                BACKLOG_MAX),
            journal.stored(group, first),
            EnumSet.allOf(RaftRule.class),
            this,
            nowNanos());
  }

  private long nowNanos() {
    return host.moment().nanos();
  }

  // --- inputs ------------------------------------------------------------------------------------

  @Override
  public void look() {
    // It has no threads of its own.
  }

  @Override
  public void tick() {
    raft.tick(nowNanos());
  }

  @Override
  public void onFrame(int from, Decoder in) {
    host.heardTime(in.getNumber());
    raft.onMessage(from, RaftCodec.read(in), nowNanos());
  }

  @Override
  public void onPersisted(long ticket) {
    host.wake();
    raft.onPersisted(ticket, nowNanos());
    if (compactTicket != 0 && ticket >= compactTicket) {
      compactTicket = 0;
      files.removeBefore(partition, compactIndex);
    }
  }

  // --- snapshots ---------------------------------------------------------------------------------

  @Override
  public Base base() {
    SnapshotMark mark = raft.log().mark();
    return new Base(mark.index(), mark.term());
  }

  @Override
  public void compact(long index) {
    raft.compact(index);
  }

  @Override
  public void makeRoom() {
    if (host.applied() == raft.log().mark().index()) {
      journal.renew(group, behindMark());
    } else {
      host.snapshot();
    }
  }

  private List<RaftEntry> behindMark() {
    List<RaftEntry> entries = new ArrayList<>();
    for (long index = first(); index <= raft.log().lastIndex(); index++) {
      entries.add(raft.log().get(index));
    }
    return entries;
  }

  @Override
  public void readSnapshot(int follower, SnapshotMark mark, long offset) {
    files.read(
        partition,
        mark.index(),
        offset,
        PIECE_BYTES,
        (bytes, isLast) ->
            host.execute(
                () -> {
                  host.wake();
                  raft.onSnapshotRead(follower, new SnapshotPart(mark, offset, bytes, isLast));
                }));
  }

  @Override
  public void writeSnapshot(SnapshotPart part) {
    files.write(
        partition,
        SnapshotFiles.Source.RECEIVED,
        new SnapshotPiece(part.mark().index(), part.offset(), part.bytes(), part.isLast()),
        () ->
            host.execute(
                () -> {
                  host.wake();
                  raft.onSnapshotWritten(part);
                }));
  }

  @Override
  public void restore(SnapshotMark mark) {
    host.restore(new Base(mark.index(), mark.term()));
  }

  // --- what Raft wants done ----------------------------------------------------------------------

  @Override
  public void send(int to, RaftMessage message) {
    Encoder out = host.frame().putNumber(host.time());
    RaftCodec.write(out, message);
    host.send(to, out);
  }

  @Override
  public void persist(long ticket, RaftRecord written) {
    journal.append(group, ticket, written);
    if (written instanceof RaftRecord.Compacted compacted) {
      compactTicket = ticket;
      compactIndex = compacted.mark().index();
    }
  }

  @Override
  public void apply(RaftEntry entry) {
    host.committed(entry.index(), entry.term(), entry.content());
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
    return raft.propose(command, nowNanos());
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
    raft.transfer(to, nowNanos());
  }
}
