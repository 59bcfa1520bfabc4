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
package org.orcagrid.ddp.kite;

import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.paxos.Acceptor;
import org.orcagrid.ddp.paxos.Command;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.MessageType;

/**
 * How a node that has joined learns what its predecessor had acknowledged: from so many others that
 * at least one of them is in every majority that the predecessor was in. It takes the latest of
 * each version, promise, command and delinquency bit. The paper has no such thing: its nodes crash
 * for good (section 2.1).
 *
 * <p>Pages are asked for one by one of each node, and asked for again, smaller, when something of
 * them is lost. Taking one twice does no harm.
 */
final class KiteCatchUp {
  private static final int FAILURES_MAX = 6;

  private final WorkerContext context;
  private final ReplicaStore store;
  private final Acceptor acceptor;
  private final Command command = new Command();
  private final Peer[] peers;
  private int done;

  /** How far this node is with one other. */
  private static final class Peer {
    private long cursor;
    private long attempt;
    private int keys = StateSource.KEYS_MAX;

    /** Attempts in a row that nothing has come of: each waits twice as long as the one before. */
    private int failures;

    private long sentNanos = WorkerContext.LONG_AGO;

    /** The messages of the page that have arrived, by their numbers. */
    private long arrived;

    private int expected;
    private long next;

    /**
     * The last committed command of each session. Not used before all keys of this peer are known:
     * a node that knew a command to be committed and not the log that it is in would keep others
     * from finishing that log.
     */
    private final long[] commands;

    private Peer(int sessions) {
      this.commands = new long[sessions];
    }
  }

  KiteCatchUp(WorkerContext context, Acceptor acceptor) {
    this.context = context;
    this.store = context.store;
    this.acceptor = acceptor;
    this.peers = new Peer[context.settings.nodes()];
    // Where there was nobody, nothing was acknowledged.
    this.done = context.node.view().vacant();
    for (int node = 0; node < peers.length; node++) {
      boolean asked = node != context.self && !context.node.isServing() && context.worker == 0;
      peers[node] = asked ? new Peer(context.settings.globalSessions()) : null;
    }
  }

  /** Other nodes are at these places: what was told half is begun anew. */
  void restart(int places) {
    for (int node = 0; node < peers.length; node++) {
      if (peers[node] != null && (places & ~done & Quorum.of(node)) != 0) {
        peers[node] = new Peer(context.settings.globalSessions());
      }
    }
  }

  /** Asks for what is missing. */
  void poll() {
    if (isEnough()) {
      context.node.serve();
      return;
    }
    for (int node = 0; node < peers.length; node++) {
      Peer peer = peers[node];
      if (peer != null
          && (done & Quorum.of(node)) == 0
          && context.now() - peer.sentNanos
              >= context.settings.times().resendNanos() << peer.failures) {
        if (peer.attempt != 0) {
          peer.keys = Math.max(1, peer.keys / 2);
          peer.failures = Math.min(FAILURES_MAX, peer.failures + 1);
        }
        ask(node, peer);
      }
    }
  }

  private void ask(int node, Peer peer) {
    peer.attempt = context.nextOperation();
    peer.arrived = 0;
    peer.expected = -1;
    peer.sentNanos = context.now();
    Message m = context.message(node, MessageType.STATE_REQUEST, 0, Message.NO_VALUE);
    if (m != null) {
      m.id(peer.attempt).count(peer.keys).clock(peer.cursor);
    }
  }

  /** Part of a page. */
  void onState(int from, Message m) {
    Peer peer = peers[from];
    if (peer == null || m.id() != peer.attempt) {
      return;
    }
    if (m.type() == MessageType.STATE_END) {
      context.node.delinquency().onSlowRelease((int) m.rmw() & context.settings.all());
      peer.expected = m.count();
      peer.next = m.clock();
    } else if (m.count() < Long.SIZE && isTaken(peer, m)) {
      peer.arrived |= 1L << m.count();
    }
    if (Long.bitCount(peer.arrived) == peer.expected) {
      onPage(from, peer);
    }
  }

  private void onPage(int from, Peer peer) {
    if (peer.next == StateSource.END) {
      for (int session = 0; session < peer.commands.length; session++) {
        if (peer.commands[session] != 0) {
          context.node.committed().add(session, peer.commands[session]);
        }
      }
      done |= Quorum.of(from);
      peer.attempt = 0;
      if (isEnough()) {
        context.node.serve();
      }
    } else {
      peer.cursor = peer.next;
      peer.keys = Math.min(StateSource.KEYS_MAX, peer.keys * 2);
      peer.failures = 0;
      ask(from, peer);
    }
  }

  /** So many of the others that one of them is in every majority that this node's place was in. */
  private boolean isEnough() {
    int nodes = context.settings.nodes();
    int majority = nodes / 2 + 1;
    return Integer.bitCount(done) >= nodes - majority + 1;
  }

  private boolean isTaken(Peer peer, Message m) {
    if (m.type() == MessageType.STATE_COMMAND) {
      peer.commands[m.commandSession()] = m.commandId();
      return true;
    }
    long hash = KeyHash.hash(m.buffer(), m.keyAt(), m.keyLength());
    long record = store.findOrCreate(m.buffer(), m.keyAt(), m.keyLength(), hash);
    if (record == ReplicaStore.NONE) {
      context.refuse();
      return false;
    }
    store.lock(record);
    try {
      boolean taken =
          m.type() == MessageType.STATE_VERSION ? takeVersion(record, m) : takeAccepted(record, m);
      if (!taken) {
        context.refuse();
      }
      return taken;
    } finally {
      store.unlock(record);
    }
  }

  private boolean takeVersion(long record, Message m) {
    if (!store.setIfLater(record, m.clock(), m.rmw(), m.buffer(), m.valueAt(), m.valueLength())) {
      return false;
    }
    if (m.log() == 0 && m.ballot() == 0) {
      return true;
    }
    if (!acceptor.turnTo(record)) {
      return false;
    }
    if (m.log() > acceptor.lastLog()) {
      acceptor.onCommit(m.log(), m.commandSession(), m.commandId());
    }
    acceptor.adoptPromise(m.log(), m.ballot());
    return true;
  }

  private boolean takeAccepted(long record, Message m) {
    WorkerContext.read(m, command);
    return acceptor.turnTo(record) && acceptor.adoptAccepted(m.log(), m.ballot(), command);
  }
}
