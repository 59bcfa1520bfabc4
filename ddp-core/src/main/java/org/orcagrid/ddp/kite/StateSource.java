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

import org.orcagrid.ddp.paxos.Acceptor;
import org.orcagrid.ddp.paxos.Command;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.transfer.Outlet;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.MessageType;

/**
 * Tells a node that has joined, page by page, what this one holds: versions, what was promised and
 * accepted, which commands are committed, and who is delinquent. The cursor counts the sessions and
 * then the places of the store: a command that is told as committed is in what is told of its key
 * after that.
 *
 * <p>Invariant: nothing is told before all workers of this node are in the asker's view. So what
 * this node has acknowledged without being told of is acknowledged in that view, in which the
 * asker's predecessor does not count any more.
 */
final class StateSource {
  /** The cursor behind everything. */
  static final long END = Long.MAX_VALUE;

  /** Keys of a page at most: each takes two messages, and a mask has 64 bits. */
  static final int KEYS_MAX = 31;

  private static final int PLACES_AT_ONCE_MAX = 4096;
  private static final int COMMANDS_AT_ONCE_MAX = 62;

  private final WorkerContext context;
  private final ReplicaStore store;
  private final Acceptor acceptor;
  private final Bytes key = new Bytes(64);
  private final Bytes value = new Bytes(64);
  private final Bytes acceptedValue = new Bytes(64);
  private final Command accepted = new Command();
  private final Outlet outlet;

  /** What each node has asked for last. */
  private final Request[] requests;

  private int told;
  private long toldBytes;

  private record Request(long attempt, long cursor, int keysMax) {}

  StateSource(WorkerContext context, Acceptor acceptor) {
    this.context = context;
    this.store = context.store;
    this.acceptor = acceptor;
    this.outlet = new Outlet(context.settings.nodes(), context.node.budget());
    this.requests = new Request[context.settings.nodes()];
  }

  /**
   * A node asks for a page, instead of any that it has asked for before: while that waits for its
   * time, the node asks again, and for a smaller one.
   */
  void onRequest(int from, Message m) {
    if (context.node.isIn(m.view())) {
      int keysMax = Math.max(1, Math.min(m.count(), KEYS_MAX));
      requests[from] = new Request(m.id(), Math.max(0, m.clock()), keysMax);
      outlet.begin(from);
      outlet.ask(from, 1);
    }
  }

  /** Whether a page waits for its time. */
  boolean isWaiting() {
    return outlet.isWaiting();
  }

  /** Tells what was asked for and may be told now. */
  void poll() {
    if (outlet.isWaiting()) {
      outlet.tell(context.now(), this::tellPage);
    }
  }

  private long tellPage(int to) {
    Request request = requests[to];
    told = 0;
    toldBytes = 0;
    long next = tell(to, request.attempt(), request.cursor(), request.keysMax());
    Message end = context.message(to, MessageType.STATE_END, 0, Message.NO_VALUE);
    if (end != null) {
      end.id(request.attempt()).count(told).clock(next).rmw(context.node.delinquency().nodes());
      end.log(store.keys());
    }
    return toldBytes;
  }

  /** The next message of a page; null if there is no room for it. */
  private Message part(int to, MessageType type, long attempt, int keyLength, int valueLength) {
    Message m = context.message(to, type, keyLength, valueLength);
    if (m != null) {
      m.id(attempt).count(told);
      toldBytes += m.bytes();
    }
    told++;
    return m;
  }

  /** Tells a page and returns the next cursor. */
  private long tell(int from, long attempt, long cursor, int keysMax) {
    int sessions = context.node.committed().sessions();
    if (cursor < sessions) {
      return tellCommands(from, attempt, (int) cursor);
    }
    long at = Math.min(cursor - sessions, ReplicaStore.PLACES_END);
    int keys = 0;
    for (int i = 0; i < PLACES_AT_ONCE_MAX && at != ReplicaStore.PLACES_END; i++) {
      long record = store.recordAt(at);
      if (record != ReplicaStore.NONE) {
        if (keys == keysMax) {
          return sessions + at;
        }
        tellKey(from, attempt, record);
        keys++;
      }
      at = store.nextPlace(at);
    }
    return at == ReplicaStore.PLACES_END ? END : sessions + at;
  }

  private long tellCommands(int from, long attempt, int first) {
    int sessions = context.node.committed().sessions();
    int session = first;
    for (; session < sessions && told < COMMANDS_AT_ONCE_MAX; session++) {
      long last = context.node.committed().last(session);
      if (last != 0) {
        Message m = part(from, MessageType.STATE_COMMAND, attempt, 0, Message.NO_VALUE);
        if (m != null) {
          m.commandSession(session).commandId(last);
        }
      }
    }
    return session;
  }

  private void tellKey(int from, long attempt, long record) {
    int length;
    long clock;
    long rmw;
    long log = 0;
    int session = 0;
    long id = 0;
    long promised = 0;
    long acceptedBallot = 0;
    store.lock(record);
    try {
      if (!store.isInUse(record)) {
        // It was removed since it was found in its place.
        return;
      }
      length = store.keyLength(record);
      key.length(length);
      store.copyKey(record, key.room(length), 0);
      clock = store.clock(record);
      rmw = store.rmw(record);
      store.copyValue(record, value);
      if (store.paxos(record) != ReplicaStore.NONE && acceptor.turnTo(record)) {
        log = acceptor.lastLog();
        session = acceptor.lastSession();
        id = acceptor.lastId();
        promised = acceptor.promised();
        acceptedBallot = acceptor.acceptedBallot();
        if (acceptedBallot != 0) {
          acceptor.copyAccepted(accepted);
          acceptedValue.set(accepted.value, accepted.valueAt, accepted.valueLength);
        }
      }
    } finally {
      store.unlock(record);
    }
    if (clock == 0 && rmw == 0 && log == 0 && promised == 0) {
      // A key that was looked for and never written.
      return;
    }
    Message m = part(from, MessageType.STATE_VERSION, attempt, length, value.length());
    if (m != null) {
      m.clock(clock).rmw(rmw).log(log).ballot(promised);
      m.commandSession(session).commandId(id);
      WorkerContext.fill(m, key, value);
    }
    if (acceptedBallot != 0) {
      m = part(from, MessageType.STATE_ACCEPTED, attempt, length, acceptedValue.length());
      if (m != null) {
        m.log(log).ballot(acceptedBallot);
        m.clock(accepted.baseClock).rmw(accepted.baseRmw);
        m.commandSession(accepted.session).commandId(accepted.id);
        WorkerContext.fill(m, key, acceptedValue);
      }
    }
  }
}
