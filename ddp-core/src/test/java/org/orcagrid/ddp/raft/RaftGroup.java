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
package org.orcagrid.ddp.raft;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/** The nodes of a group, whose messages a test delivers one by one or all together. */
final class RaftGroup {
  static final long ELECTION_NANOS = 1_000;
  static final long BEAT_NANOS = 100;

  /** So few bytes of entries in a message that each command has one of its own. */
  private static final int BATCH_BYTES = 1;

  private final Set<RaftRule> rules;
  private final int nodes;
  private final Member[] members;
  private final Map<Integer, Queue<RaftMessage>> underWay = new HashMap<>();
  private long now;

  /** A node and its disk, which is there at once unless a test holds it. */
  final class Member implements RaftEffects {
    private final int self;
    private final List<RaftEntry> written = new ArrayList<>();
    private SnapshotMark mark;
    private long term;
    private int vote = Raft.NOBODY;
    private Raft raft;
    private long ticket;
    private boolean diskStands;
    private List<String> applied = new ArrayList<>();

    private Member(int self, Members first) {
      this.self = self;
      this.mark = SnapshotMark.beginning(first);
    }

    private void start() {
      RaftSettings settings =
          new RaftSettings(self, ELECTION_NANOS, BEAT_NANOS, BATCH_BYTES, 4, 10);
      applied = new ArrayList<>();
      raft = new Raft(settings, new Stored(term, vote, mark, written), rules, this, now);
    }

    /** Tells the node of what it has written. */
    private void settle() {
      while (raft != null && ticket != 0 && !diskStands) {
        long done = ticket;
        ticket = 0;
        raft.onPersisted(done, now);
      }
    }

    Raft raft() {
      return raft;
    }

    List<String> applied() {
      return applied;
    }

    void diskStands(boolean stands) {
      diskStands = stands;
      settle();
    }

    @Override
    public void send(int to, RaftMessage message) {
      queue(self, to).add(message);
    }

    @Override
    public void persist(long number, RaftRecord record) {
      ticket = number;
      if (record instanceof RaftRecord.Term changed) {
        term = changed.term();
        vote = changed.vote();
      } else if (record instanceof RaftRecord.Entries added) {
        written.removeIf(each -> each.index() >= added.entries().get(0).index());
        written.addAll(added.entries());
      } else if (record instanceof RaftRecord.Compacted compacted) {
        mark = compacted.mark();
        written.removeIf(each -> each.index() <= mark.index());
      } else if (record instanceof RaftRecord.Installed installed) {
        mark = installed.mark();
        written.clear();
      }
    }

    @Override
    public void apply(RaftEntry entry) {
      applied.add(
          entry.content() == null ? "-" : new String(entry.content(), StandardCharsets.UTF_8));
    }

    @Override
    public void readSnapshot(int follower, SnapshotMark of, long offset) {
      byte[] whole =
          String.join(",", applied.subList(0, (int) of.index())).getBytes(StandardCharsets.UTF_8);
      int end = (int) Math.min(whole.length, offset + 2);
      byte[] part = java.util.Arrays.copyOfRange(whole, (int) offset, end);
      later.add(
          () ->
              raft.onSnapshotRead(
                  follower, new SnapshotPart(of, offset, part, end == whole.length)));
    }

    private final StringBuilder received = new StringBuilder();

    @Override
    public void writeSnapshot(SnapshotPart part) {
      if (part.offset() == 0) {
        received.setLength(0);
      }
      received.append(new String(part.bytes(), StandardCharsets.UTF_8));
      later.add(() -> raft.onSnapshotWritten(part));
    }

    @Override
    public void restore(SnapshotMark of) {
      applied = new ArrayList<>(List.of(received.toString().split(",")));
    }
  }

  /** What effects have asked for, to be told after the step. */
  private final ArrayDeque<Runnable> later = new ArrayDeque<>();

  RaftGroup(int nodes, Members first, Set<RaftRule> rules) {
    this.rules = rules;
    this.nodes = nodes;
    this.members = new Member[nodes];
    for (int node = 0; node < nodes; node++) {
      members[node] = new Member(node, first.isVoter(node) ? first : Members.NONE);
      members[node].start();
    }
  }

  private Queue<RaftMessage> queue(int from, int to) {
    return underWay.computeIfAbsent(from * nodes + to, key -> new ArrayDeque<>());
  }

  Member member(int node) {
    return members[node];
  }

  Raft raft(int node) {
    return members[node].raft;
  }

  /** Does something with a node, and all that follows at this node. */
  void step(int node, Runnable input) {
    input.run();
    members[node].settle();
    while (!later.isEmpty()) {
      later.poll().run();
      members[node].settle();
    }
  }

  void tick(int node, long nanos) {
    now += nanos;
    step(node, () -> raft(node).tick(now));
  }

  /** So much time passes for some nodes, beat by beat; all their messages arrive among them. */
  void pass(long nanos, int... some) {
    for (long left = nanos; left > 0; left -= BEAT_NANOS) {
      now += BEAT_NANOS;
      for (int node : some) {
        step(node, () -> raft(node).tick(now));
      }
      exchange(some);
    }
  }

  /** Time passes for one node until it asks for votes; nothing is delivered. */
  void untilItAsks(int node) {
    while (raft(node).role() == Raft.Role.FOLLOWER) {
      tick(node, BEAT_NANOS);
    }
  }

  long propose(int node, String command) {
    long[] index = {0};
    step(node, () -> index[0] = raft(node).propose(command.getBytes(StandardCharsets.UTF_8), now));
    return index[0];
  }

  long change(int node, Members next) {
    long[] index = {0};
    step(node, () -> index[0] = raft(node).change(next, now));
    return index[0];
  }

  void transfer(int from, int to) {
    step(from, () -> raft(from).transfer(to, now));
  }

  /** Delivers what one node has sent to the other; whether there was anything. */
  boolean deliver(int from, int to) {
    boolean any = false;
    for (int left = queue(from, to).size(); left > 0; left--) {
      RaftMessage message = queue(from, to).poll();
      if (raft(to) != null) {
        step(to, () -> raft(to).onMessage(from, message, now));
        any = true;
      }
    }
    return any;
  }

  /** Delivers one message. */
  void deliverOne(int from, int to) {
    RaftMessage message = queue(from, to).remove();
    step(to, () -> raft(to).onMessage(from, message, now));
  }

  void drop(int from, int to) {
    queue(from, to).clear();
  }

  /** Delivers all messages between some nodes, until there is none; others are lost. */
  void exchange(int... some) {
    boolean any = true;
    while (any) {
      any = false;
      for (int from : some) {
        for (int to : some) {
          any |= deliver(from, to);
        }
      }
    }
    underWay.values().forEach(Queue::clear);
  }

  void crash(int node) {
    members[node].raft = null;
    for (int other = 0; other < nodes; other++) {
      drop(node, other);
      drop(other, node);
    }
  }

  void start(int node) {
    members[node].start();
  }

  /** Has a node elected by some, and delivers nothing that it sends as a leader. */
  void win(int node, int... voters) {
    now += 2 * ELECTION_NANOS;
    while (raft(node).role() != Raft.Role.LEADER) {
      tick(node, BEAT_NANOS);
      for (int voter : voters) {
        deliver(node, voter);
      }
      for (int voter : voters) {
        if (raft(node).role() != Raft.Role.LEADER) {
          deliver(voter, node);
        }
      }
    }
  }

  /** Has a node elected by some. */
  void elect(int node, int... voters) {
    // Voters do not hear from a leader any more.
    now += 2 * ELECTION_NANOS;
    untilItAsks(node);
    exchange(voters);
    if (raft(node).role() != Raft.Role.LEADER) {
      throw new IllegalStateException(node + " is not elected");
    }
  }
}
