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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.raft.Members;
import org.orcagrid.ddp.raft.RaftEntry;
import org.orcagrid.ddp.raft.RaftRecord;
import org.orcagrid.ddp.raft.SnapshotMark;
import org.orcagrid.ddp.raft.Stored;

class GroupJournalTest {
  private static final Members MEMBERS = Members.of(7);
  private static final long TRIM_NANOS = 200_000_000;

  private final Memory memory = new Memory();
  private final List<Long> persisted = new ArrayList<>();
  private int roomsMade;
  private long nowNanos;
  private GroupJournal journal;
  private GroupJournal.Group group;

  /** A medium in memory, which loses what was not forced. */
  private static final class Memory implements DurableMedium {
    private final List<byte[]> records = new ArrayList<>();
    private int durable;
    private long trimmed;
    private boolean halfFull;

    @Override
    public int recordBytesMax() {
      return 1 << 20;
    }

    @Override
    public boolean isHalfFull() {
      return halfFull;
    }

    @Override
    public long append(ByteBuffer record) {
      byte[] bytes = new byte[record.remaining()];
      record.duplicate().get(bytes);
      records.add(bytes);
      return records.size();
    }

    @Override
    public void force() {
      durable = records.size();
    }

    @Override
    public long durable() {
      return durable;
    }

    @Override
    public void onProgress(Runnable listener) {
      assertTrue(records.size() >= durable, "nobody is told");
    }

    @Override
    public Throwable failure() {
      return null;
    }

    @Override
    public void replay(Replay replay) {
      for (int i = (int) Math.max(0, trimmed - 1); i < records.size(); i++) {
        replay.onRecord(i + 1, ByteBuffer.wrap(records.get(i)));
      }
    }

    @Override
    public void trim(long position) {
      assertTrue(position >= trimmed, "it goes on");
      trimmed = position;
    }

    @Override
    public long bytes() {
      return records.stream().mapToLong(each -> each.length).sum();
    }

    /** The power fails. */
    void crash() {
      records.subList(durable, records.size()).clear();
    }

    @Override
    public void close() {
      force();
    }
  }

  private final class Owner implements GroupJournal.Owner {
    @Override
    public void onPersisted(long ticket) {
      persisted.add(ticket);
    }

    @Override
    public void makeRoom() {
      roomsMade++;
    }
  }

  private Stored start() throws IOException {
    journal = new GroupJournal(memory, () -> {});
    group = journal.open(3, new Owner());
    return journal.stored(group, MEMBERS);
  }

  private static RaftRecord.Entries entries(long term, long... indexes) {
    List<RaftEntry> entries = new ArrayList<>();
    for (long each : indexes) {
      entries.add(RaftEntry.command(each, term, new byte[] {(byte) each}));
    }
    return new RaftRecord.Entries(entries);
  }

  private void look() {
    nowNanos += TRIM_NANOS;
    journal.look(nowNanos);
  }

  @Test
  void whatIsForcedIsReadBackAndToldOnce() throws IOException {
    assertEquals(MEMBERS, start().mark().members());
    journal.append(group, 1, new RaftRecord.Term(4, 2));
    journal.append(group, 2, entries(4, 1, 2, 3));
    look();
    assertEquals(List.of(), persisted);
    journal.force();
    look();
    assertEquals(List.of(1L, 2L), persisted);
    journal.append(group, 3, entries(4, 4));
    memory.crash();
    Stored stored = start();
    assertEquals(4, stored.term());
    assertEquals(2, stored.vote());
    assertEquals(3, stored.entries().size());
    assertArrayEquals(new byte[] {3}, stored.entries().get(2).content());
  }

  @Test
  void entriesTakeThePlaceOfThoseFromTheirFirstOn() throws IOException {
    start();
    journal.append(group, 1, entries(1, 1, 2, 3));
    journal.append(group, 2, entries(2, 2));
    journal.force();
    Stored stored = start();
    assertEquals(2, stored.entries().size());
    assertEquals(2, stored.entries().get(1).term());
  }

  @Test
  void recordsGoWhenWhatReplacesThemIsDurable() throws IOException {
    start();
    journal.append(group, 1, new RaftRecord.Term(1, 0));
    journal.append(group, 2, entries(1, 1, 2));
    journal.append(group, 3, entries(1, 3));
    journal.force();
    look();
    look();
    assertEquals(1, memory.trimmed);
    journal.append(group, 4, new RaftRecord.Compacted(new SnapshotMark(2, 1, MEMBERS)));
    look();
    look();
    assertEquals(1, memory.trimmed, "a power cut would lose the mark");
    journal.force();
    look();
    look();
    assertEquals(3, memory.trimmed, "the entry behind the mark stays");
    Stored stored = start();
    assertEquals(2, stored.mark().index());
    assertEquals(1, stored.term());
    assertEquals(0, stored.vote());
    assertEquals(1, stored.entries().size());
  }

  @Test
  void aGroupThatHoldsUpTheOthersIsWrittenAnew() throws IOException {
    start();
    journal.append(group, 1, entries(1, 1, 2));
    journal.force();
    memory.halfFull = true;
    look();
    assertEquals(1, roomsMade);
    journal.renew(group, entries(1, 1, 2).entries());
    journal.force();
    look();
    look();
    assertEquals(2, memory.trimmed);
    assertEquals(2, start().entries().size());
  }

  @Test
  void anInstalledSnapshotTakesThePlaceOfAll() throws IOException {
    start();
    journal.append(group, 1, entries(1, 1, 2, 3));
    journal.append(group, 2, new RaftRecord.Installed(new SnapshotMark(9, 2, MEMBERS)));
    journal.append(group, 3, entries(2, 10));
    journal.force();
    Stored stored = start();
    assertEquals(9, stored.mark().index());
    assertEquals(1, stored.entries().size());
    assertEquals(10, stored.entries().get(0).index());
  }

  @Test
  void theTimeOfDayIsKnownWhenItIsDurable() throws IOException {
    start();
    journal.mark(1_000);
    look();
    assertEquals(0, journal.pastMillis());
    journal.force();
    look();
    assertEquals(1_000, journal.pastMillis());
    memory.crash();
    start();
    assertEquals(1_000, journal.pastMillis());
  }

  @Test
  void whereNoGroupIsOlderTimesOfDayGo() throws IOException {
    journal = new GroupJournal(memory, () -> {});
    for (int i = 1; i <= 3; i++) {
      journal.mark(1_000L * i);
      journal.force();
      look();
    }
    look();
    assertEquals(3, memory.trimmed);
    journal = new GroupJournal(memory, () -> {});
    assertEquals(3_000, journal.pastMillis());
  }
}
