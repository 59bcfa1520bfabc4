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
package org.orcagrid.simulator.timing;

import java.util.ArrayList;
import java.util.List;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.simulator.Simulation;

/**
 * A client: one request after the other, for ever, in transactions and scopes where there are some.
 *
 * <p>All its time is some request's: that of the begin of a transaction is its first request's,
 * that of the end its last write's; that of attempts which were aborted is theirs on whom it was
 * spent; that of persisting a scope is the next request's, which it holds up.
 */
final class TimedClient {
  private final TimingRun run;
  private final Simulation simulation;
  private final TimedNode node;
  private final ReplicaSession session;
  private final TimingSettings.Load load;
  private final boolean transacts;
  private final boolean scopes;

  /** The requests of the transaction, or the one there is without; what they have taken so far. */
  private final List<Request> unit = new ArrayList<>();

  private int next;
  private int inScope;
  private boolean conflicted;
  private Operation operation;
  private long spentUntilNanos;
  private long submittedNanos;

  private static final class Request {
    private final boolean write;
    private final int record;
    private long nanos;

    private Request(boolean write, int record) {
      this.write = write;
      this.record = record;
    }
  }

  TimedClient(TimingRun run, TimedNode node) {
    this.run = run;
    this.simulation = run.simulation();
    this.node = node;
    this.session = node.openSession();
    this.load = run.settings().load();
    this.transacts = run.model().consistency() == Consistency.TRANSACTIONAL;
    this.scopes = run.model().persistency().isByScope();
  }

  void start() {
    spentUntilNanos = simulation.nowNanos();
    beginUnit();
  }

  private void beginUnit() {
    unit.clear();
    conflicted = false;
    for (int i = transacts ? load.grouping().transactionRequests() : 1; i > 0; i--) {
      unit.add(new Request(simulation.chance(load.writePercent()), run.nextRecord()));
    }
    attempt();
  }

  private void attempt() {
    next = 0;
    if (transacts) {
      submit(Operation.of(Operation.Kind.BEGIN));
    } else {
      request();
    }
  }

  /** The next request's processor time, and then the request. */
  private void request() {
    Request request = unit.get(next);
    TimingSettings.Processor processor = run.settings().machine().processor();
    long spread = processor.requestNanos() * processor.spreadPercent() / 100;
    simulation.after(
        processor.requestNanos() + simulation.between(-spread, spread),
        () ->
            submit(
                request.write
                    ? Operation.write(run.key(request.record), run.value())
                    : Operation.read(run.key(request.record))));
  }

  private void submit(Operation asked) {
    operation = asked;
    submittedNanos = simulation.nowNanos();
    asked.listener(this::onEnded);
    node.submit(session, asked);
  }

  /** Its operation has ended. */
  private void onEnded(Operation done) {
    if (done != operation) {
      throw new IllegalStateException("Nobody waits for " + done);
    }
    operation = null;
    if (done.kind() != Operation.Kind.PERSIST) {
      spend(done.kind() == Operation.Kind.END ? lastWrite() : unit.get(next));
    }
    if (done.status() == Operation.Status.ABORTED) {
      conflicted = true;
      run.aborted();
      attempt();
      return;
    }
    switch (done.kind()) {
      case BEGIN -> request();
      case END -> finishUnit();
      case PERSIST -> beginUnit();
      default -> onAnswered(done);
    }
  }

  private void onAnswered(Operation done) {
    if (done.kind() == Operation.Kind.READ) {
      run.read(simulation.nowNanos() > submittedNanos);
    }
    next++;
    if (next < unit.size()) {
      request();
    } else if (transacts) {
      submit(Operation.of(Operation.Kind.END));
    } else {
      finishUnit();
    }
  }

  private void finishUnit() {
    for (Request request : unit) {
      run.answered(request.write, request.nanos);
    }
    if (transacts) {
      run.committed(conflicted);
    }
    inScope += unit.size();
    if (scopes && inScope >= load.grouping().scopeRequests()) {
      inScope = 0;
      submit(Operation.of(Operation.Kind.PERSIST));
    } else {
      beginUnit();
    }
  }

  private void spend(Request on) {
    on.nanos += simulation.nowNanos() - spentUntilNanos;
    spentUntilNanos = simulation.nowNanos();
  }

  private Request lastWrite() {
    for (int i = unit.size() - 1; i >= 0; i--) {
      if (unit.get(i).write) {
        return unit.get(i);
      }
    }
    return unit.get(unit.size() - 1);
  }
}
