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
package org.orcagrid.ddp.replica.consistency;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.replica.log.Journal;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Encoding;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.Links;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;

/**
 * Scope persistency (DDP, section 5.5): the writes of a session gather until it says that they are
 * to be persisted; then all members make one record of them.
 *
 * <p>Invariants: the scopes of a session are persisted in their order, since links and logs keep
 * it; a scope is in a log whole or not at all.
 */
public final class Scopes {
  private static final int INCARNATION_SHIFT = 47;

  private final ReplicaState state;
  private final Links links;
  private final Journal journal;
  private final Operations operations;

  /** The scopes of this node's sessions, by number: what was written in them so far. */
  private final Map<Long, Open> open = new HashMap<>();

  /** How many scopes have begun in this life. */
  private long begun;

  /** Those that are being persisted. */
  private final Map<Long, Ending> ending = new LinkedHashMap<>();

  private static final class Open {
    private final Map<Key, Write> writes = new LinkedHashMap<>();
    private int bytes;

    private void put(Write write) {
      Write before = writes.put(write.key(), write);
      bytes += Encoding.bytes(write) - (before == null ? 0 : Encoding.bytes(before));
    }
  }

  private static final class Ending {
    private final Operation operation;
    private final List<Write> writes;
    private int acknowledged;

    private Ending(Operation operation, List<Write> writes) {
      this.operation = operation;
      this.writes = writes;
    }
  }

  /** No scopes yet. */
  public Scopes(ReplicaState state, Links links, Journal journal, Operations operations) {
    this.state = state;
    this.links = links;
    this.journal = journal;
    this.operations = operations;
  }

  private long number(ReplicaSession session) {
    if (session.scope() == 0) {
      session.scope((long) state.incarnation() << INCARNATION_SHIFT | ++begun);
    }
    return session.scope();
  }

  /** A session has written something; it belongs to its scope where there are scopes. */
  void add(ReplicaSession session, Write write) {
    if (state.persistency().isByScope()) {
      open.computeIfAbsent(number(session), number -> new Open()).put(write);
    }
  }

  /** The bytes of what a session has written in its scope, but for a write of {@code key}. */
  int bytesBeside(ReplicaSession session, Key key) {
    Open scope = session.scope() == 0 ? null : open.get(session.scope());
    if (scope == null) {
      return 0;
    }
    Write same = scope.writes.get(key);
    return same == null ? scope.bytes : scope.bytes - Encoding.bytes(same);
  }

  /** The bytes of what a session has written in its scope, but for what a batch writes again. */
  long bytesBeside(ReplicaSession session, Batch batch) {
    Open scope = session.scope() == 0 ? null : open.get(session.scope());
    if (scope == null) {
      return 0;
    }
    long same =
        batch.parts().stream()
            .filter(part -> part.writes() && scope.writes.containsKey(part.key()))
            .mapToLong(part -> Encoding.bytes(scope.writes.get(part.key())))
            .sum();
    return scope.bytes - same;
  }

  /** A session has ended: nobody will persist what it has written in its scope. */
  public void forget(ReplicaSession session) {
    open.remove(session.scope());
  }

  /** Tells of each version that this node may still have persisted. */
  public void underWay(Consumer<Write> each) {
    open.values().forEach(scope -> scope.writes.values().forEach(each));
    ending.values().forEach(scope -> scope.writes.forEach(each));
  }

  /** Begins to persist a session's scope. */
  public boolean begin(Operation operation) {
    long scope = number(operation.session());
    operation.session().scope(0);
    Open written = open.remove(scope);
    if (written == null) {
      operations.complete(operation);
      return true;
    }
    Ending ended = new Ending(operation, List.copyOf(written.writes.values()));
    ending.put(scope, ended);
    links.broadcast(new ReplicaMessage.ScopePersist(scope, ended.writes));
    persist(ended.writes, () -> acknowledge(scope, state.self()));
    return true;
  }

  private void persist(List<Write> writes, Runnable then) {
    Runnable durable =
        () -> {
          writes.forEach(write -> state.entry(write.key()).scoped(write));
          then.run();
        };
    if (state.keeps(ReplicaRule.ONE_RECORD)) {
      journal.persist(new LogRecord.Batch(writes), durable);
      return;
    }
    for (Write write : writes.subList(0, writes.size() - 1)) {
      journal.persistLater(new LogRecord.Version(write));
    }
    journal.persist(new LogRecord.Version(writes.get(writes.size() - 1)), durable);
  }

  /** A message has come; whether it is about scopes. */
  public boolean onMessage(int from, ReplicaMessage message) {
    if (message instanceof ReplicaMessage.ScopePersist scope) {
      persist(scope.writes(), () -> links.send(from, new ReplicaMessage.ScopeAck(scope.scope())));
    } else if (message instanceof ReplicaMessage.ScopeAck ack) {
      acknowledge(ack.scope(), from);
    } else {
      return false;
    }
    return true;
  }

  private void acknowledge(long scope, int node) {
    Ending ended = ending.get(scope);
    if (ended != null) {
      ended.acknowledged |= Quorum.of(node);
      check(scope, ended);
    }
  }

  private void check(long scope, Ending ended) {
    int missing = state.members() & ~ended.acknowledged;
    if (missing == 0 || !state.keeps(ReplicaRule.SCOPE_AT_ALL)) {
      ending.remove(scope);
      operations.complete(ended.operation);
    }
  }

  /** A scope is whole: what it takes is counted, and its number is one of this life. */
  public void checkInvariants() {
    long life = (long) state.incarnation() << INCARNATION_SHIFT;
    open.forEach(
        (number, scope) -> {
          Invariant.check(
              number > life && number <= (life | begun),
              "scopes are numbered in this life",
              "number",
              number,
              "begun",
              life | begun);
          int bytes = scope.writes.values().stream().mapToInt(Encoding::bytes).sum();
          Invariant.check(
              bytes == scope.bytes, "a scope is counted", "bytes", bytes, "counted", scope.bytes);
        });
    for (Long number : ending.keySet()) {
      Invariant.check(!open.containsKey(number), "a scope that is being persisted is closed");
    }
  }

  /** There is a new view: tells those that have joined what is being persisted. */
  public void onView(int joined) {
    new LinkedHashMap<>(ending)
        .forEach(
            (scope, ended) -> {
              ended.acknowledged &= ~joined;
              for (int node = 0; node < state.nodes(); node++) {
                if ((joined & Quorum.of(node)) != 0) {
                  links.send(node, new ReplicaMessage.ScopePersist(scope, ended.writes));
                }
              }
              check(scope, ended);
            });
  }
}
