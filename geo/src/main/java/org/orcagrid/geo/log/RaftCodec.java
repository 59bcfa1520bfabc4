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
import java.util.List;
import org.orcagrid.ddp.raft.Members;
import org.orcagrid.ddp.raft.RaftEntry;
import org.orcagrid.ddp.raft.RaftMessage;
import org.orcagrid.ddp.raft.SnapshotMark;
import org.orcagrid.ddp.raft.SnapshotPart;
import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/** The bytes of what Raft's groups say, and of what is in it. */
public final class RaftCodec {
  private static final int VOTE = 1;
  private static final int VOTED = 2;
  private static final int APPEND = 3;
  private static final int APPENDED = 4;
  private static final int SNAPSHOT = 5;
  private static final int SNAPSHOT_TAKEN = 6;
  private static final int STAND = 7;

  private static final int NOTHING = 0;
  private static final int COMMAND = 1;
  private static final int MEMBERS = 2;

  private static final int BYTES_MAX = 16 << 20;
  private static final int COUNT_MAX = 1 << 20;

  private RaftCodec() {}

  /** Writes a message. */
  public static void write(Encoder out, RaftMessage message) {
    if (message instanceof RaftMessage.Vote vote) {
      out.putByte(VOTE).putNumber(vote.term()).putBoolean(vote.pre()).putBoolean(vote.transfer());
      out.putNumber(vote.lastIndex()).putNumber(vote.lastTerm());
    } else if (message instanceof RaftMessage.Voted voted) {
      out.putByte(VOTED).putNumber(voted.term());
      out.putBoolean(voted.pre()).putBoolean(voted.granted());
    } else if (message instanceof RaftMessage.Append append) {
      out.putByte(APPEND).putNumber(append.term()).putNumber(append.previousIndex());
      out.putNumber(append.previousTerm()).putNumber(append.committed());
      putEntries(out, append.entries());
    } else if (message instanceof RaftMessage.Appended appended) {
      out.putByte(APPENDED).putNumber(appended.term());
      out.putBoolean(appended.matches()).putNumber(appended.index());
    } else if (message instanceof RaftMessage.Snapshot snapshot) {
      SnapshotPart part = snapshot.part();
      out.putByte(SNAPSHOT).putNumber(snapshot.term());
      putMark(out, part.mark());
      out.putNumber(part.offset()).putBoolean(part.isLast()).putBytes(part.bytes());
    } else if (message instanceof RaftMessage.SnapshotTaken taken) {
      out.putByte(SNAPSHOT_TAKEN).putNumber(taken.term());
      out.putNumber(taken.index()).putNumber(taken.offset() + 1);
    } else if (message instanceof RaftMessage.Stand stand) {
      out.putByte(STAND).putNumber(stand.term());
    }
  }

  /**
   * Reads a message, up to the end of the bytes.
   *
   * @throws MalformedPacketException if it is none
   */
  public static RaftMessage read(Decoder in) {
    int kind = in.getByte();
    long term = in.getNumber();
    RaftMessage message =
        switch (kind) {
          case VOTE ->
              new RaftMessage.Vote(
                  term, in.getBoolean(), in.getBoolean(), in.getNumber(), in.getNumber());
          case VOTED -> new RaftMessage.Voted(term, in.getBoolean(), in.getBoolean());
          case APPEND -> append(in, term);
          case APPENDED -> new RaftMessage.Appended(term, in.getBoolean(), in.getNumber());
          case SNAPSHOT -> snapshot(in, term);
          case SNAPSHOT_TAKEN ->
              new RaftMessage.SnapshotTaken(term, in.getNumber(), in.getNumber() - 1);
          case STAND -> new RaftMessage.Stand(term);
          default -> throw new MalformedPacketException("There is no message " + kind + " of Raft");
        };
    in.end();
    return message;
  }

  private static RaftMessage append(Decoder in, long term) {
    long previousIndex = in.getNumber();
    long previousTerm = in.getNumber();
    long committed = in.getNumber();
    return new RaftMessage.Append(
        term, previousIndex, previousTerm, getEntries(in, previousIndex + 1), committed);
  }

  private static RaftMessage snapshot(Decoder in, long term) {
    SnapshotMark mark = getMark(in);
    long offset = in.getNumber();
    boolean isLast = in.getBoolean();
    return new RaftMessage.Snapshot(
        term, new SnapshotPart(mark, offset, in.getPresent(BYTES_MAX), isLast));
  }

  /** Writes entries whose indexes follow each other; without the indexes. */
  static void putEntries(Encoder out, List<RaftEntry> entries) {
    out.putNumber(entries.size());
    for (RaftEntry each : entries) {
      out.putNumber(each.term());
      if (each.content() != null) {
        out.putByte(COMMAND).putBytes(each.content());
      } else if (each.members() != null) {
        out.putByte(MEMBERS);
        putMembers(out, each.members());
      } else {
        out.putByte(NOTHING);
      }
    }
  }

  /** Reads entries, the first of which has this index. */
  static List<RaftEntry> getEntries(Decoder in, long first) {
    List<RaftEntry> entries = new ArrayList<>();
    int count = in.getInt(COUNT_MAX);
    for (int i = 0; i < count; i++) {
      long term = in.getNumber();
      int kind = in.getByte();
      entries.add(
          switch (kind) {
            case COMMAND -> RaftEntry.command(first + i, term, in.getPresent(BYTES_MAX));
            case MEMBERS -> RaftEntry.members(first + i, term, getMembers(in));
            case NOTHING -> RaftEntry.nothing(first + i, term);
            default -> throw new MalformedPacketException("There is no entry " + kind);
          });
    }
    return entries;
  }

  static void putMark(Encoder out, SnapshotMark mark) {
    out.putNumber(mark.index()).putNumber(mark.term());
    putMembers(out, mark.members());
  }

  static SnapshotMark getMark(Decoder in) {
    return new SnapshotMark(in.getNumber(), in.getNumber(), getMembers(in));
  }

  private static void putMembers(Encoder out, Members members) {
    out.putNumber(members.voters()).putNumber(members.learners());
  }

  private static Members getMembers(Decoder in) {
    int voters = in.getInt(Integer.MAX_VALUE - 1);
    int learners = in.getInt(Integer.MAX_VALUE - 1);
    if ((voters & learners) != 0) {
      throw new MalformedPacketException("A member is a voter and a learner");
    }
    return new Members(voters, learners);
  }
}
