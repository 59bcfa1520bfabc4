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

import java.util.Set;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.Reading;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.Outbox;

/**
 * A node's worker in ZAB as the paper of Kite compares with it (section 6): all writes go to the
 * leader, get one order there, and are applied in that order by all nodes; a write ends when its
 * own node has applied it. Reads are local. So all accesses are sequentially consistent, and writes
 * linearizable.
 *
 * <p><b>A yardstick, not a product:</b> node {@link ZabSettings#LEADER} leads for ever. There is no
 * election and no recovery; without the leader, or with another node away for long, writes do not
 * end. What ends is right all the same, over a network that loses, doubles and reorders packets.
 *
 * <p>A state machine: all it does is in answer to {@link #beginRead}, {@link #beginWrite}, {@link
 * #onMessage} and {@link #poll}, which one thread calls. Allocates nothing once its buffers have
 * grown. The stores of all nodes must have the same limits.
 */
public final class ZabWorker {
  private final ZabContext context;
  private final ZabSession[] sessions;
  private final Role role;
  private final Reading reading = new Reading();

  /** The worker of a node that keeps all rules. */
  public ZabWorker(
      ZabSettings settings, ReplicaStore store, Outbox outbox, ZabCompletions completions) {
    this(settings, store, ZabRule.all(), outbox, completions);
  }

  /** One that breaks the rules that are not in {@code rules}: for tests of the checkers. */
  public ZabWorker(
      ZabSettings settings,
      ReplicaStore store,
      Set<ZabRule> rules,
      Outbox outbox,
      ZabCompletions completions) {
    this.context = new ZabContext(settings, store, rules, outbox, completions);
    this.role = settings.isLeader() ? new ZabLeader(context) : new ZabFollower(context);
    this.sessions = new ZabSession[settings.sessions()];
    for (int slot = 0; slot < sessions.length; slot++) {
      sessions[slot] = new ZabSession(slot);
    }
  }

  /** One of the node's sessions. */
  public ZabSession session(int slot) {
    return sessions[slot];
  }

  /** The last proposal that this node has, with all before it. */
  public long received() {
    return context.log.received();
  }

  /** The last write in the order of all that this node has applied, with all before it. */
  public long applied() {
    return context.log.applied();
  }

  /** Reads the session's key from this node's store; completes before this returns. */
  public void beginRead(ZabSession session) {
    Invariant.check(session.isIdle(), "a session does one thing at a time");
    ReplicaStore store = context.store;
    int length = session.key.length();
    long record =
        store.find(session.key.buffer(), 0, length, KeyHash.hash(session.key.buffer(), 0, length));
    if (record == ReplicaStore.NONE) {
      session.result.length(Reading.ABSENT);
      session.zxid = 0;
    } else {
      store.read(record, session.result, reading);
      session.zxid = reading.clock;
    }
    session.done = true;
    context.complete(session);
  }

  /**
   * Begins to write the session's value.
   *
   * @param nowNanos of a clock that never goes back
   * @return false, and nothing was begun, if too much is under way: try again after a poll
   */
  public boolean beginWrite(ZabSession session, long nowNanos) {
    Invariant.check(session.isIdle(), "a session does one thing at a time");
    context.now(nowNanos);
    session.idle = false;
    if (!role.beginWrite(session)) {
      session.idle = true;
      return false;
    }
    return true;
  }

  /**
   * A message from another node; must be {@linkplain Message#isWhole whole}. One that is none of
   * ZAB's is ignored.
   */
  public void onMessage(int from, Message message, long nowNanos) {
    context.now(nowNanos);
    ZabMessage kind = ZabMessage.of(message);
    if (kind != null) {
      role.onMessage(from, kind, message);
    }
  }

  /** Does what the time asks for, and sends what has gathered. To be called after every batch. */
  public void poll(long nowNanos) {
    context.now(nowNanos);
    role.poll();
  }

  /** Whether anything is under way that needs {@link #poll} soon. */
  public boolean isBusy() {
    return role.isBusy();
  }
}
