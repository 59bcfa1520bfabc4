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
package org.orcagrid.simulator.kite;

import java.util.SplittableRandom;
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.kite.KiteSession;
import org.orcagrid.ddp.kite.Operation;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.simulator.checker.Access;
import org.orcagrid.simulator.checker.KeyOperation;

/** A session that does one random thing after the other, and writes down what it gets. */
final class SimulatedSession {
  private static final long THINK_NANOS_MAX = 60 * KiteSchedule.MICRO;
  private static final long RETRY_NANOS = 50 * KiteSchedule.MICRO;

  private final KiteRun run;
  private final SimulatedNode.Worker worker;
  private final KiteSession session;
  private final Operation asked = new Operation();
  private final int global;
  private final SplittableRandom random;

  private int left;
  private boolean thinking = true;
  private int key;
  private long beginNanos;
  private long written;
  private long expected;
  private int step;
  private long lastRead = Access.ABSENT;

  SimulatedSession(KiteRun run, SimulatedNode.Worker worker, KiteSession session, int global) {
    this.run = run;
    this.worker = worker;
    this.session = session;
    this.global = global;
    this.random = run.simulation().random().split();
    this.left = run.workload().operations(global);
  }

  boolean isFinished() {
    return left == 0 && session.isIdle();
  }

  void start() {
    if (left > 0) {
      worker.after(random.nextLong(THINK_NANOS_MAX), this::begin);
    }
  }

  private void begin() {
    choose();
    if (resume()) {
      worker.flush();
    }
  }

  /** Begins what was chosen; false if there is no room for it yet. */
  private boolean resume() {
    if (worker.node().isRetired()) {
      return false;
    }
    beginNanos = run.simulation().nowNanos();
    thinking = false;
    if (run.isTraced()) {
      run.trace(
          "session " + global + " begins " + asked.kind() + " of key " + key + ", " + written);
    }
    if (!worker.kite().begin(session.slot(), asked, worker.nowNanos())) {
      thinking = true;
      worker.after(
          RETRY_NANOS,
          () -> {
            if (resume()) {
              worker.flush();
            }
          });
      return false;
    }
    return true;
  }

  private void choose() {
    Workload.Choice choice = run.workload().choose(global, step, lastRead, random);
    asked.kind(choice.kind());
    key = choice.key();
    written = choice.written();
    set(asked.key(), key);
    set(asked.value(), written);
    expected = choice.expected();
    set(asked.expected(), expected);
    asked.delta(written);
  }

  private static void set(Bytes bytes, long value) {
    if (value == Access.ABSENT) {
      bytes.length(-1);
    } else {
      bytes.room(Long.BYTES).putLong(0, value);
      bytes.length(Long.BYTES);
    }
  }

  /** Writes down what became of the operation. */
  void onCompleted() {
    if (worker.node().isRetired()) {
      open();
      return;
    }
    if (asked.outcome() == Outcome.STORE_FULL) {
      run.refused();
      goOn();
      return;
    }
    if (asked.outcome() == Outcome.UNKNOWN) {
      // Whoever sees it sees it; this session ends.
      open();
      left = 0;
      return;
    }
    boolean reads = asked.kind() != OperationKind.WRITE && asked.kind() != OperationKind.RELEASE;
    long read =
        reads && asked.result().length() == Long.BYTES
            ? asked.result().buffer().getLong(0)
            : Access.ABSENT;
    boolean done = asked.outcome() == Outcome.DONE;
    if (asked.outcome() != Outcome.DONE && asked.outcome() != Outcome.NOT_EQUAL) {
      throw new IllegalStateException("An operation has ended with " + asked.outcome());
    }
    Timestamp version = session.resultTimestamp();
    run.ended(
        worker.node(),
        new Access(
            global,
            kind(done),
            key,
            beginNanos,
            run.simulation().nowNanos(),
            written,
            read,
            run.clockInLife(worker.node(), key, version.clock()),
            version.rmw()));
    run.synchronizing(worker.node())
        .add(asked.kind(), key, operation(run.simulation().nowNanos(), read));
    lastRead = reads ? read : written;
    if (asked.kind().isReadModifyWrite() && done) {
      lastRead = written;
    }
    goOn();
  }

  private void goOn() {
    left--;
    step++;
    if (left > 0) {
      thinking = true;
      worker.after(random.nextLong(THINK_NANOS_MAX), this::begin);
    }
  }

  private Access.Kind kind(boolean done) {
    return switch (asked.kind()) {
      case READ -> Access.Kind.READ;
      case WRITE -> Access.Kind.WRITE;
      case ACQUIRE -> Access.Kind.ACQUIRE;
      case RELEASE -> Access.Kind.RELEASE;
      case GET_AND_ADD -> Access.Kind.ADD;
      case GET_AND_SET -> Access.Kind.SWAP;
      case COMPARE_AND_SET -> done ? Access.Kind.SWAP : Access.Kind.ACQUIRE;
      // One that has failed may have asked nobody.
      case WEAK_COMPARE_AND_SET -> done ? Access.Kind.SWAP : Access.Kind.READ;
    };
  }

  private KeyOperation operation(long endNanos, long result) {
    KeyOperation.Kind kind =
        switch (asked.kind()) {
          case READ, ACQUIRE -> KeyOperation.Kind.READ;
          case WRITE, RELEASE -> KeyOperation.Kind.WRITE;
          case GET_AND_ADD -> KeyOperation.Kind.GET_AND_ADD;
          case GET_AND_SET -> KeyOperation.Kind.GET_AND_SET;
          case COMPARE_AND_SET, WEAK_COMPARE_AND_SET -> KeyOperation.Kind.COMPARE_AND_EXCHANGE;
        };
    return new KeyOperation(global, kind, beginNanos, endNanos, written, expected, result);
  }

  /** Writes down what never ended. */
  void addOpen() {
    if (!session.isIdle() && !thinking) {
      open();
    }
  }

  private void open() {
    run.open(
        worker.node(),
        new Access(
            global, kind(true), key, beginNanos, Access.NEVER, written, Access.ABSENT, 0, 0));
    run.synchronizing(worker.node()).add(asked.kind(), key, operation(Access.NEVER, Access.ABSENT));
  }
}
