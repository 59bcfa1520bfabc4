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
package org.orcagrid.bench.compare.process;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.orcagrid.bench.workload.OperationKind;
import org.orcagrid.bench.workload.OperationStream;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;

/**
 * A client in a closed loop: one request after the other. As in the paper (section 7), five
 * requests are a transaction where the model has transactions, and ten a scope where it has scopes.
 * Requests are counted when they end, those of a transaction when it ends; one that was aborted is
 * begun anew with the same requests.
 */
final class ModelClient {
  /** As in the paper, section 7. */
  private static final int TRANSACTION_REQUESTS = 5;

  private static final int SCOPE_REQUESTS = 10;

  private final MapSession session;
  private final OperationStream operations;
  private final Consumer<String> failures;
  private final int valueBytes;
  private final boolean transactional;
  private final boolean scoped;
  private final org.orcagrid.bench.workload.Operation[] requests;

  private final AtomicLong done = new AtomicLong();
  private final AtomicLong aborted = new AtomicLong();
  private volatile boolean stopping;
  private volatile boolean idle;

  // Of whoever has the turn: the thread that begins, then the worker's.

  /** How many requests of the transaction have been made; -1 before it has begun. */
  private int made = -1;

  private int inScope;
  private boolean inTransaction;
  private long number;

  /** A client that is idle, with a session that nobody else uses. */
  ModelClient(
      MapSession session,
      Ddp model,
      OperationStream operations,
      int valueBytes,
      Consumer<String> failures) {
    this.session = session;
    this.operations = operations;
    this.valueBytes = valueBytes;
    this.failures = failures;
    this.transactional = model.consistency() == Consistency.TRANSACTIONAL;
    this.scoped = model.persistency().isByScope();
    this.requests =
        new org.orcagrid.bench.workload.Operation[transactional ? TRANSACTION_REQUESTS : 1];
  }

  void begin() {
    draw();
    next();
  }

  /** It will be idle soon. */
  void stop() {
    stopping = true;
  }

  boolean isIdle() {
    return idle;
  }

  /** Requests that have ended. */
  long done() {
    return done.get();
  }

  /** Transactions that were aborted. */
  long aborted() {
    return aborted.get();
  }

  private void draw() {
    for (int i = 0; i < requests.length; i++) {
      requests[i] = operations.next();
    }
    made = 0;
  }

  /** Submits what comes next, or ends. */
  private void next() {
    if (made == 0 && !inTransaction && stopping) {
      idle = true;
      session.close();
    } else if (scoped && !inTransaction && inScope >= SCOPE_REQUESTS) {
      inScope = 0;
      submit(Operation.Kind.PERSIST);
    } else if (transactional && !inTransaction) {
      inTransaction = true;
      submit(Operation.Kind.BEGIN);
    } else if (made < requests.length) {
      submit(requests[made]);
    } else {
      submit(Operation.Kind.END);
    }
  }

  private void submit(Operation.Kind kind) {
    watch(session.submit(Operation.of(kind)), kind);
  }

  private void submit(org.orcagrid.bench.workload.Operation request) {
    Key key = key(request.key());
    if (request.kind() == OperationKind.READ) {
      watch(session.submit(Operation.read(key)), Operation.Kind.READ);
    } else {
      byte[] value = ByteBuffer.allocate(valueBytes).putLong(0, number++).array();
      watch(session.submit(Operation.write(key, value)), Operation.Kind.WRITE);
    }
  }

  static Key key(long number) {
    return Key.of(ByteBuffer.allocate(Long.BYTES).putLong(0, number).array());
  }

  private void watch(CompletionStage<Operation> answer, Operation.Kind kind) {
    answer.whenCompleteAsync((ended, problem) -> onEnd(kind, ended, problem), Runnable::run);
  }

  private void onEnd(Operation.Kind kind, Operation ended, Throwable problem) {
    if (problem != null) {
      fail("An operation has failed: " + problem);
      return;
    }
    if (ended.status() == Operation.Status.ABORTED) {
      aborted.incrementAndGet();
      inTransaction = false;
      made = 0;
      next();
      return;
    }
    if (kind == Operation.Kind.READ && ended.read() == null) {
      fail("A key has lost its value");
      return;
    }
    if (kind == Operation.Kind.READ || kind == Operation.Kind.WRITE) {
      made++;
    }
    if (made == requests.length && (!transactional || kind == Operation.Kind.END)) {
      inTransaction = false;
      inScope += made;
      done.addAndGet(made);
      draw();
    }
    next();
  }

  private void fail(String reason) {
    failures.accept(reason);
    idle = true;
  }
}
