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
package org.orcagrid.ratis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.geo.log.HostedLog;
import org.orcagrid.geo.log.LogHost;
import org.orcagrid.geo.log.SnapshotFiles;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/**
 * A group of Ratis as a partition's log. Of the host's thread, which sees Ratis' term and role when
 * it {@linkplain #look looks}, and not in between.
 *
 * <p>Ratis' votes do not carry hybrid times, which the store's safe times need. So a leader is one
 * here only when it has asked all members for theirs, and a majority has answered. Who answers has
 * seen the leader's term, and takes no earlier leader for one any more. A majority that has voted
 * does the same in our own Raft.
 */
final class RatisPartitionLog implements HostedLog, Handover.Taker {
  private static final int NOBODY = -1;
  private static final int BACKLOG_MAX = 4_096;

  // What the members' logs tell each other; each with the term.
  private static final int LEADS = 1;
  private static final int TIME = 2;
  private static final int WHO_LEADS = 3;

  private final LogHost host;
  private final RatisLogs logs;
  private final RaftGroup group;
  private final List<Integer> members;
  private final int self;
  private final ClientId client = ClientId.randomId();
  private final Handover handover;
  private final RatisMachine machine;

  /** Null before the server runs, and once it has ended. */
  private volatile RaftServer.Division division;

  private Base base = new Base(0, 0);
  private long term;
  private int leader = NOBODY;

  /** Whether Ratis says that this node leads in the term, and who has told its time since. */
  private boolean elected;

  private int heard;
  private long calls;
  private long handed;
  private long proposed;

  RatisPartitionLog(
      RatisLogs logs,
      LogHost host,
      RaftGroup group,
      List<Integer> members,
      int self,
      SnapshotFiles files) {
    this.logs = logs;
    this.host = host;
    this.group = group;
    this.members = List.copyOf(members);
    this.self = self;
    this.handover = new Handover(host, this);
    this.machine = new RatisMachine(client, host.number(), files, handover, logs::failed);
  }

  RatisMachine machine() {
    return machine;
  }

  RaftGroup group() {
    return group;
  }

  void started(RaftServer.Division started) {
    division = started;
  }

  /** The server is about to end. */
  void ends() {
    machine.ends();
    handover.close();
  }

  void ended() {
    division = null;
  }

  // --- what Ratis says ---------------------------------------------------------------------------

  @Override
  public void look() {
    RaftServer.Division present = division;
    if (present == null) {
      elected = false;
      return;
    }
    DivisionInfo info = present.getInfo();
    long seen = info.getCurrentTerm();
    if (seen > term) {
      enter(seen, NOBODY);
    }
    // A term has one leader, which leads once: between two looks at the same term it was leader.
    boolean leads = seen == term && info.isLeaderReady() && info.getCurrentTerm() == seen;
    if (leads && !elected) {
      elected = true;
      heard = Quorum.of(self);
      leader = self;
      announce();
    } else if (!leads && elected) {
      elected = false;
      leader = NOBODY;
    }
  }

  private void enter(long next, int from) {
    term = next;
    leader = from;
    elected = false;
    heard = 0;
    // What an earlier leader here has proposed, and nobody has committed, may be gone.
    proposed = 0;
  }

  @Override
  public void tick() {
    if (elected) {
      announce();
    } else if (leader == NOBODY && division != null) {
      int known = Groups.number(division.getInfo().getLeaderId());
      if (known != NOBODY && known != self) {
        tell(known, WHO_LEADS, term);
      }
    }
  }

  /** Tells those whose times are not known who leads. */
  private void announce() {
    for (int each : members) {
      if ((heard & Quorum.of(each)) == 0) {
        tell(each, LEADS, term);
      }
    }
  }

  private void tell(int to, int what, long ofTerm) {
    Encoder out = host.frame().putByte(what).putNumber(ofTerm);
    host.send(to, what == TIME ? out.putNumber(host.time()) : out);
  }

  @Override
  public void onFrame(int from, Decoder in) {
    int what = in.getByte();
    long ofTerm = in.getNumber();
    switch (what) {
      case LEADS -> onLeads(from, ofTerm);
      case TIME -> {
        host.heardTime(in.getNumber());
        if (elected && ofTerm == term) {
          heard |= Quorum.of(from);
        }
      }
      case WHO_LEADS -> {
        if (elected && ofTerm <= term) {
          tell(from, LEADS, term);
        }
      }
      default -> throw new IllegalStateException("There is no frame " + what + " of a log");
    }
  }

  private void onLeads(int from, long ofTerm) {
    if (ofTerm < term) {
      return;
    }
    if (ofTerm > term) {
      enter(ofTerm, from);
    }
    leader = from;
    // It asks again: the answer holds after a restart only when Ratis has the term, too.
    if (division != null && division.getInfo().getCurrentTerm() >= ofTerm) {
      tell(from, TIME, ofTerm);
    }
  }

  // --- what is committed -------------------------------------------------------------------------

  @Override
  public void committed(long index, long entryTerm, byte[] command) {
    handed = index;
    host.committed(index, entryTerm, command);
  }

  @Override
  public void restore(Base next) {
    base = next;
    handed = next.index();
    host.restore(next);
  }

  @Override
  public Base base() {
    return base;
  }

  @Override
  public void compact(long index) {
    RaftServer.Division present = division;
    TermIndex last = present == null ? null : present.getRaftLog().getTermIndex(index - 1);
    if (last != null) {
      base = new Base(index, last.getTerm());
      machine.offer(last);
      logs.snapshot(group.getGroupId());
    }
  }

  // --- the log, for the partition ----------------------------------------------------------------

  @Override
  public boolean leads() {
    return elected && 2 * Integer.bitCount(heard) > members.size();
  }

  @Override
  public int leader() {
    return leader == self && !leads() ? NOBODY : leader;
  }

  @Override
  public long term() {
    return term;
  }

  @Override
  public long propose(byte[] command) {
    RaftServer.Division present = division;
    boolean isBusy = proposed - handed >= BACKLOG_MAX;
    if (!leads() || isBusy || !(present instanceof RaftClientAsynchronousProtocol server)) {
      return REFUSED;
    }
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(client)
            .setServerId(present.getId())
            .setGroupId(group.getGroupId())
            .setCallId(++calls)
            .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(command)))
            .setType(RaftClientRequest.writeRequestType())
            .build();
    machine.beginAppend(term);
    boolean isRefused;
    try {
      isRefused = isRefused(server.submitClientRequestAsync(request));
    } catch (IOException | RuntimeException e) {
      // Where the command was appended before, it has an index.
      isRefused = false;
    }
    long index = machine.endAppend();
    if (index < 0 || isRefused) {
      return REFUSED;
    }
    proposed = index + 1;
    return proposed;
  }

  /** A command that is too large has an index, and is not in the log. */
  private static boolean isRefused(CompletableFuture<RaftClientReply> reply) {
    return reply.isDone()
        && !reply.isCompletedExceptionally()
        && reply.join().getStateMachineException() != null;
  }

  @Override
  public long first() {
    RaftServer.Division present = division;
    // A snapshot that Ratis has installed is not restored yet.
    long installed = present == null ? 0 : present.getRaftLog().getSnapshotIndex() + 1;
    return Math.max(base.index(), installed) + 1;
  }

  @Override
  public byte[] command(long index) {
    RaftServer.Division present = division;
    if (present == null || index < first()) {
      return null;
    }
    try {
      LogEntryProto entry = present.getRaftLog().get(index - 1);
      if (entry == null && index <= handed) {
        throw new IllegalStateException("Entry " + index + " is gone while it is read");
      }
      boolean isCommand = entry != null && entry.hasStateMachineLogEntry();
      return isCommand ? entry.getStateMachineLogEntry().getLogData().toByteArray() : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void transfer(int node) {
    if (leads() && node != self) {
      logs.transfer(group.getGroupId(), node);
    }
  }
}
