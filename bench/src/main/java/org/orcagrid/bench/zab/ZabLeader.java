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
package org.orcagrid.bench.zab;

import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;

/**
 * The leader: gives each write its place in the order of all writes, proposes it to the followers,
 * and commits in order what a majority has. One message tells a follower of all commits of a batch.
 *
 * <p>A proposal is kept until every follower has acknowledged it, so a follower that is away for
 * ever stops all writes once the window is full: there is no recovery.
 */
final class ZabLeader implements Role {
  private final ZabContext context;
  private final ZabLog log;
  private final OwnWrites own;
  private final int nodes;

  /** The last zxid that each follower has acknowledged; of this node, none. */
  private final long[] acked;

  /** The last zxid that each follower was sent, with all before it. */
  private final long[] sent;

  /** When a follower has last acknowledged something new, or was sent it again. */
  private final long[] ackedNanos;

  /** The last commit that each follower was told. */
  private final long[] told;

  /** The last write that was taken from each follower. */
  private final long[] taken;

  private final long[] sorted;
  private final Bytes key = new Bytes(64);
  private long committed;

  ZabLeader(ZabContext context) {
    this.context = context;
    this.log = context.log;
    this.own = context.own;
    this.nodes = context.settings.nodes();
    this.acked = new long[nodes];
    this.sent = new long[nodes];
    this.ackedNanos = new long[nodes];
    this.told = new long[nodes];
    this.taken = new long[nodes];
    this.sorted = new long[nodes];
  }

  @Override
  public boolean beginWrite(ZabSession session) {
    if (!hasRoom()) {
      return false;
    }
    long number = own.add(session);
    log.append(context.settings.self(), number, session.key, session.value);
    propose(session.key, session.value);
    return true;
  }

  private boolean hasRoom() {
    return log.hasRoom(log.received() + 1, ackedByAll());
  }

  private long ackedByAll() {
    long all = log.received();
    for (int peer = 0; peer < nodes; peer++) {
      if (peer != context.settings.self()) {
        all = Math.min(all, acked[peer]);
      }
    }
    return all;
  }

  @Override
  public void onMessage(int from, ZabMessage kind, Message message) {
    switch (kind) {
      case WRITE -> onWrite(from, message);
      case ACK -> onAck(from, message);
      default -> {
        // Nothing that a leader is asked.
      }
    }
  }

  private void onWrite(int from, Message write) {
    boolean isNext = write.id() == taken[from] + 1 || !context.keeps(ZabRule.ONCE);
    // One that comes too early or finds no room is sent again by its node.
    if (isNext && hasRoom()) {
      taken[from] = write.id();
      log.append(from, write.id(), write);
      long zxid = log.received();
      takeKey(write);
      propose(key, log.value(zxid));
    }
  }

  private void takeKey(Message write) {
    key.set(write.buffer(), write.keyAt(), write.keyLength());
  }

  /** Sends the proposal that was put into the log last to all followers. */
  private void propose(Bytes proposedKey, Bytes value) {
    long zxid = log.received();
    for (int peer = 0; peer < nodes; peer++) {
      if (peer != context.settings.self()) {
        if (acked[peer] == zxid - 1) {
          ackedNanos[peer] = context.now();
        }
        // What finds no room now follows when there is some, in its order.
        if (sent[peer] == zxid - 1 && send(peer, zxid, proposedKey, value)) {
          sent[peer] = zxid;
        }
      }
    }
    commit();
  }

  private boolean send(int peer, long zxid, Bytes proposedKey, Bytes value) {
    boolean refused = log.record(zxid) == ReplicaStore.NONE;
    int keyLength = refused ? 0 : proposedKey.length();
    int valueLength = refused ? Message.NO_VALUE : value.length();
    Message m = context.message(peer, ZabMessage.PROPOSAL, keyLength, valueLength);
    if (m == null) {
      return false;
    }
    m.id(zxid).session(log.origin(zxid)).clock(log.number(zxid));
    if (refused) {
      m.flags(ZabMessage.REFUSED);
    } else {
      m.buffer().put(m.keyAt(), proposedKey.buffer(), 0, keyLength);
      ZabContext.fillValue(m, value);
    }
    return true;
  }

  private void onAck(int from, Message ack) {
    if (ack.id() > acked[from] && ack.id() <= log.received()) {
      acked[from] = ack.id();
      sent[from] = Math.max(sent[from], acked[from]);
      ackedNanos[from] = context.now();
      commit();
    }
    // What it knows to be committed: after a loss it knows less than it was told, and is told
    // again. While acknowledgements and commits pass each other on the way it is told once more
    // than need be, which costs one short message a batch at most.
    told[from] = Math.min(told[from], ack.clock());
  }

  /** Commits what a majority has, and applies it here. */
  private void commit() {
    long majority = ackedByMajority();
    if (majority > committed) {
      committed = majority;
      context.applyTo(committed);
    }
  }

  private long ackedByMajority() {
    if (!context.keeps(ZabRule.MAJORITY)) {
      return log.received();
    }
    for (int node = 0; node < nodes; node++) {
      long has = node == context.settings.self() ? log.received() : acked[node];
      int at = node;
      while (at > 0 && sorted[at - 1] < has) {
        sorted[at] = sorted[at - 1];
        at--;
      }
      sorted[at] = has;
    }
    return sorted[context.settings.majority() - 1];
  }

  @Override
  public void poll() {
    for (int peer = 0; peer < nodes; peer++) {
      if (peer != context.settings.self()) {
        tell(peer);
        goBack(peer);
        sendMissing(peer);
      }
    }
  }

  private void tell(int peer) {
    if (told[peer] < committed) {
      Message commit = context.message(peer, ZabMessage.COMMIT, 0, Message.NO_VALUE);
      if (commit != null) {
        commit.id(committed);
        told[peer] = committed;
      }
    }
  }

  /** Begins again after what a follower has acknowledged, if it is silent for long. */
  private void goBack(int peer) {
    if (acked[peer] < sent[peer]
        && context.now() - ackedNanos[peer] >= context.settings.resendNanos()) {
      ackedNanos[peer] = context.now();
      sent[peer] = acked[peer];
    }
  }

  private void sendMissing(int peer) {
    int most = ZabContext.SENT_AT_ONCE_MAX;
    while (sent[peer] < log.received() && most-- > 0) {
      long zxid = sent[peer] + 1;
      long record = log.record(zxid);
      if (record != ReplicaStore.NONE) {
        int length = context.store.keyLength(record);
        context.store.copyKey(record, key.room(length), 0);
        key.length(length);
      }
      if (!send(peer, zxid, key, log.value(zxid))) {
        return;
      }
      sent[peer] = zxid;
    }
  }

  @Override
  public boolean isBusy() {
    return log.received() > log.applied() || ackedByAll() < log.received();
  }
}
