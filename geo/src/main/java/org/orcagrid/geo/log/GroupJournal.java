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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.raft.Members;
import org.orcagrid.ddp.raft.RaftEntry;
import org.orcagrid.ddp.raft.RaftRecord;
import org.orcagrid.ddp.raft.SnapshotMark;
import org.orcagrid.ddp.raft.Stored;
import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/**
 * Where the groups of a worker's partitions write what they must not forget: one medium, which is
 * forced for all of them at once.
 *
 * <p>The medium is trimmed up to the first record that some group needs. A group that needs an old
 * one while the medium fills is asked for a snapshot ({@link Owner#makeRoom}).
 *
 * <p>Of the worker's thread, but for the constructor and {@link #stored}.
 */
public final class GroupJournal implements AutoCloseable {
  private static final int TERM = 1;
  private static final int ENTRIES = 2;
  private static final int BASE = 3;
  private static final int MARK = 4;

  private static final int PARTITION_OF_NONE = 0;
  private static final long REFUSED_NANOS = 100_000;
  private static final long FULL_NANOS = 5_000_000_000L;
  private static final long TRIM_NANOS = 100_000_000;

  private final DurableMedium medium;
  private final Map<Integer, Group> groups = new HashMap<>();

  /** Records on their way, in their order. */
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

  private long durable;
  private boolean dirty;
  private long trimmedNanos;

  /** The latest time of day that was written, and that is durable. */
  private long pastMillis;

  private long marking;
  private long markPosition;

  /** Where the latest one is that is durable, 0 if it is not known. */
  private long markedAt;

  /** The last record. */
  private long lastPosition;

  /** What is to be trimmed when all records up to a position are durable. */
  private long trimTo;

  private long trimWhen;

  /** Whose records they are. */
  public interface Owner {
    /** All records up to a ticket are durable. */
    void onPersisted(long ticket);

    /** A snapshot is wanted, so that older records can go. */
    void makeRoom();
  }

  /** What the journal keeps for a group. */
  public static final class Group {
    private final int partition;
    private Owner owner;
    private long term;
    private int vote = -1;
    private SnapshotMark mark;

    /** While it is read back: the entries behind the mark. */
    private List<RaftEntry> entries = new ArrayList<>();

    /** Where entries are: the last index of a record, and its position. */
    private final ArrayDeque<At> batches = new ArrayDeque<>();

    /** Where the latest record is that has the term, and the mark. */
    private long termAt;

    private long baseAt;

    private Group(int partition) {
      this.partition = partition;
    }

    /** Entries from an index on are others now; the positions of records stay as they are. */
    private void cut(long first) {
      int last = entries.size() - 1;
      while (last >= 0 && entries.get(last).index() >= first) {
        entries.remove(last);
        last--;
      }
    }

    /** The first record that it needs; the greatest number for none. */
    private long needed() {
      while (!batches.isEmpty() && mark != null && batches.peek().last() <= mark.index()) {
        batches.poll();
      }
      long first = batches.isEmpty() ? Long.MAX_VALUE : batches.peek().position();
      first = termAt == 0 ? first : Math.min(first, termAt);
      return baseAt == 0 ? first : Math.min(first, baseAt);
    }
  }

  private record At(long last, long position) {}

  private record Waiting(Group group, long ticket, long position) {}

  /**
   * Reads a medium.
   *
   * @throws IOException if it cannot be read, or has what no journal has
   */
  public GroupJournal(DurableMedium medium, Runnable progress) throws IOException {
    this.medium = medium;
    medium.onProgress(progress);
    try {
      medium.replay(this::readBack);
    } catch (MalformedPacketException e) {
      throw new IOException("The journal is of another version: " + e.getMessage(), e);
    }
    durable = medium.durable();
  }

  private void readBack(long position, ByteBuffer record) {
    byte[] bytes = new byte[record.remaining()];
    record.duplicate().get(bytes);
    Decoder in = new Decoder(bytes);
    int kind = in.getByte();
    int partition = in.getInt(Integer.MAX_VALUE - 1);
    if (kind == MARK) {
      pastMillis = Math.max(pastMillis, in.getNumber());
      markedAt = position;
      return;
    }
    Group group = group(partition);
    switch (kind) {
      case TERM -> {
        group.term = in.getNumber();
        group.vote = (int) in.getNumber() - 1;
        group.termAt = position;
      }
      case ENTRIES -> {
        long first = in.getNumber();
        List<RaftEntry> read = RaftCodec.getEntries(in, first);
        group.cut(first);
        group.entries.addAll(read);
        group.batches.add(new At(first + read.size() - 1, position));
      }
      case BASE -> {
        group.mark = RaftCodec.getMark(in);
        group.term = in.getNumber();
        group.vote = (int) in.getNumber() - 1;
        boolean isInstalled = in.getBoolean();
        group.entries.removeIf(each -> isInstalled || each.index() <= group.mark.index());
        if (isInstalled) {
          group.batches.clear();
        }
        group.baseAt = position;
        group.termAt = position;
      }
      default -> throw new MalformedPacketException("There is no record " + kind);
    }
    in.end();
  }

  private Group group(int partition) {
    return groups.computeIfAbsent(partition, Group::new);
  }

  /** A partition's group, from now on with an owner. */
  public Group open(int partition, Owner owner) {
    Group group = group(partition);
    group.owner = owner;
    return group;
  }

  /** What was found of a group, once; {@code first} are its members if nothing was. */
  public Stored stored(Group group, Members first) {
    if (group.mark == null) {
      group.mark = SnapshotMark.beginning(first);
    }
    Stored stored = new Stored(group.term, group.vote, group.mark, List.copyOf(group.entries));
    group.entries = new ArrayList<>();
    return stored;
  }

  // --- writing -----------------------------------------------------------------------------------

  /** Appends a record. {@link Owner#onPersisted} gets its ticket when the record is durable. */
  public void append(Group group, long ticket, RaftRecord record) {
    Encoder out = new Encoder();
    if (record instanceof RaftRecord.Term term) {
      group.term = term.term();
      group.vote = term.vote();
      out.putByte(TERM).putNumber(group.partition);
      out.putNumber(term.term()).putNumber(term.vote() + 1L);
      group.termAt = append(out);
    } else if (record instanceof RaftRecord.Entries entries) {
      long first = entries.entries().get(0).index();
      out.putByte(ENTRIES).putNumber(group.partition).putNumber(first);
      RaftCodec.putEntries(out, entries.entries());
      group.batches.add(new At(first + entries.entries().size() - 1, append(out)));
    } else if (record instanceof RaftRecord.Compacted compacted) {
      base(group, compacted.mark(), false);
    } else if (record instanceof RaftRecord.Installed installed) {
      group.batches.clear();
      base(group, installed.mark(), true);
    }
    waiting.add(new Waiting(group, ticket, lastPosition));
  }

  /**
   * Writes a group's latest mark again, and the entries behind it, so that older records can go: of
   * a group that commits nothing no snapshot would help.
   */
  public void renew(Group group, List<RaftEntry> behindMark) {
    base(group, group.mark, false);
    group.batches.clear();
    if (!behindMark.isEmpty()) {
      long first = behindMark.get(0).index();
      Encoder out = new Encoder();
      out.putByte(ENTRIES).putNumber(group.partition).putNumber(first);
      RaftCodec.putEntries(out, behindMark);
      group.batches.add(new At(first + behindMark.size() - 1, append(out)));
    }
  }

  private void base(Group group, SnapshotMark mark, boolean isInstalled) {
    Encoder out = new Encoder();
    out.putByte(BASE).putNumber(group.partition);
    RaftCodec.putMark(out, mark);
    out.putNumber(group.term).putNumber(group.vote + 1L).putBoolean(isInstalled);
    group.mark = mark;
    group.baseAt = append(out);
    group.termAt = group.baseAt;
  }

  private long append(Encoder out) {
    ByteBuffer record = ByteBuffer.wrap(out.toBytes());
    dirty = true;
    long position = medium.append(record);
    long begin = System.nanoTime();
    long reached = medium.durable();
    while (position == DurableMedium.NOTHING) {
      requireWorking();
      medium.force();
      LockSupport.parkNanos(this, REFUSED_NANOS);
      if (medium.durable() > reached) {
        reached = medium.durable();
        begin = System.nanoTime();
      } else if (System.nanoTime() - begin > FULL_NANOS) {
        throw new IllegalStateException(
            "The journal takes nothing any more at "
                + medium.bytes()
                + " bytes: set geo.journal.bytes to at least four times what the partitions of a"
                + " worker have, now "
                + medium.bytesMax());
      }
      position = medium.append(record);
    }
    lastPosition = position;
    return position;
  }

  private void requireWorking() {
    Throwable failure = medium.failure();
    if (failure != null) {
      throw new IllegalStateException("The journal has failed: " + failure.getMessage(), failure);
    }
  }

  /** Writes down what the clock shows; durable with what is written next. */
  public void mark(long wallMillis) {
    if (marking == 0) {
      Encoder out = new Encoder();
      out.putByte(MARK).putNumber(PARTITION_OF_NONE).putNumber(wallMillis);
      markPosition = append(out);
      marking = wallMillis;
    }
  }

  /** A time of day that was written down for good. */
  public long pastMillis() {
    return pastMillis;
  }

  /** Has the medium force what was written since. */
  public void force() {
    if (dirty) {
      dirty = false;
      medium.force();
    }
  }

  /** Tells owners what is durable, and makes room; whether something was done. */
  public boolean look(long nowNanos) {
    requireWorking();
    long reached = medium.durable();
    boolean progress = reached > durable;
    if (progress) {
      durable = reached;
      if (marking != 0 && markPosition <= durable) {
        pastMillis = Math.max(pastMillis, marking);
        marking = 0;
        markedAt = markPosition;
      }
      while (!waiting.isEmpty() && waiting.peek().position() <= durable) {
        Waiting first = waiting.poll();
        first.group().owner.onPersisted(first.ticket());
      }
    }
    if (nowNanos - trimmedNanos >= TRIM_NANOS) {
      trimmedNanos = nowNanos;
      trim();
    }
    return progress;
  }

  private void trim() {
    Group first = null;
    long needed = Long.MAX_VALUE;
    for (Group each : groups.values()) {
      long its = each.needed();
      if (its < needed) {
        needed = its;
        first = each;
      }
    }
    if (first == null && markedAt == 0) {
      return;
    }
    if (first != null && medium.isHalfFull() && first.owner != null) {
      first.owner.makeRoom();
    }
    // What is needed was found out from all records: it holds when these are durable.
    if (trimWhen <= durable) {
      if (trimTo != 0) {
        medium.trim(trimTo);
      }
      trimTo = markedAt == 0 ? needed : Math.min(needed, markedAt);
      trimWhen = lastPosition;
    }
  }

  /** Bytes that it takes. */
  public long bytes() {
    return medium.bytes();
  }

  @Override
  public void close() throws IOException {
    medium.close();
  }
}
