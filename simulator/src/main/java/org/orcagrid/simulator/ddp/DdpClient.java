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
package org.orcagrid.simulator.ddp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.simulator.Simulation;
import org.orcagrid.simulator.checker.Access;

/** A client: reads and writes, in transactions and scopes where there are some, and moves about. */
final class DdpClient {
  private static final long THINK_NANOS_MAX = 60 * DdpSchedule.MICRO;
  private static final long RETRY_NANOS_MAX = 300 * DdpSchedule.MICRO;
  private static final int REMOVE_PERCENT = 15;
  private static final int GET_AND_SET_PERCENT = 30;
  private static final int SYNCHRONIZES_PERCENT = 40;
  private static final int SCAN_PERCENT = 15;
  private static final int BATCH_PERCENT = 50;

  private final DdpRun run;
  private final Simulation simulation;
  private final int number;
  private int left;
  private DdpNode node;
  private int life;
  private ReplicaSession session;
  private int sessionNumber;
  private Operation operation;
  private long beganNanos;
  private long[] seen;

  /** Whether what it has seen elsewhere is visible where it is. */
  private boolean hasArrived;

  /** The transaction and the scope that are open, and how many operations they will have yet. */
  private int transaction = -1;

  private int transactionLeft;
  private int scope = -1;
  private int scopeLeft;

  DdpClient(DdpRun run, int number) {
    this.run = run;
    this.simulation = run.simulation();
    this.number = number;
    this.left = run.schedule().operations();
    this.batches = new BatchAsk(run);
    this.node = run.node(number % run.schedule().nodes());
  }

  boolean isFinished() {
    return left == 0 && operation == null;
  }

  void start() {
    simulation.after(simulation.between(0, THINK_NANOS_MAX), this::next);
  }

  /** Does what is left in good order: ends its transaction, begins nothing new. */
  private void next() {
    if (operation != null) {
      return;
    }
    if (session == null || !node.isUp() || node.life() != life) {
      connect();
      return;
    }
    if (left == 0) {
      if (transaction >= 0) {
        submit(Operation.of(Operation.Kind.END), -1);
      }
      return;
    }
    if (transaction < 0 && simulation.chance(run.schedule().movePercent())) {
      move();
      return;
    }
    left--;
    if (model().consistency() == Consistency.TRANSACTIONAL && transact()) {
      return;
    }
    if (model().persistency() == Persistency.SCOPE && transaction < 0 && persist()) {
      return;
    }
    access();
  }

  private Ddp model() {
    return run.model();
  }

  private void move() {
    seen = node.replica().seen(session);
    session = null;
    node = run.node(simulation.random().nextInt(run.schedule().nodes()));
    connect();
  }

  /** Begins or ends a transaction; whether it did. */
  private boolean transact() {
    if (transaction >= 0 && transactionLeft-- == 0) {
      Operation.Kind kind = simulation.chance(10) ? Operation.Kind.ABORT : Operation.Kind.END;
      submit(Operation.of(kind), -1);
      return true;
    }
    if (transaction < 0 && simulation.chance(40)) {
      transactionLeft = unitLength();
      transaction = run.newUnit();
      submit(Operation.of(Operation.Kind.BEGIN), -1);
      return true;
    }
    return false;
  }

  /** Ends a scope, or begins one with what comes next; whether it ended one. */
  private boolean persist() {
    if (scope < 0) {
      scope = run.newUnit();
      scopeLeft = unitLength();
      return false;
    }
    if (scopeLeft-- > 0) {
      return false;
    }
    submit(Operation.of(Operation.Kind.PERSIST), -1);
    return true;
  }

  private int unitLength() {
    return 1 + simulation.random().nextInt(run.schedule().unitLength());
  }

  private void access() {
    if (run.scans() && transaction < 0 && simulation.chance(SCAN_PERCENT)) {
      scan();
      return;
    }
    if (run.batches() && simulation.chance(BATCH_PERCENT)) {
      argument = run.newValue();
      submit(batches.next((int) argument), -1);
      return;
    }
    int key = simulation.random().nextInt(run.schedule().keys());
    if (model().consistency().isAtomic() && simulation.chance(run.modifyPercent())) {
      modify(key);
      return;
    }
    boolean writes = simulation.chance(run.schedule().writePercent());
    if (writes) {
      write(key);
    } else {
      read(key);
    }
  }

  /** Reads all keys, in another session than it writes in. */
  private void scan() {
    scanned.clear();
    submit(
        node.replica().openSessionBeside(session),
        Operation.scan(version -> scanned.put(version.key(), version)),
        -1);
  }

  private void write(int key) {
    argument = run.newValue();
    if (!model().consistency().isAtomic() && simulation.chance(run.removePercent())) {
      submit(Operation.write(DdpRun.key(key), null), key);
      return;
    }
    submit(
        synchronizes()
            ? Operation.release(DdpRun.key(key), bytes(argument))
            : Operation.write(DdpRun.key(key), bytes(argument)),
        key);
  }

  private void read(int key) {
    boolean acquires = synchronizes();
    Operation asked =
        acquires ? Operation.acquire(DdpRun.key(key)) : Operation.read(DdpRun.key(key));
    if (mayLook() && run.looks()) {
      askedKey = key;
      beganNanos = simulation.nowNanos();
      operation = asked;
      new LocalReader(run, node, asked, done -> onLooked(asked, key, done)).begin();
    } else {
      submit(asked, key);
    }
  }

  /** All that it has done is visible here, and all that it has seen elsewhere. */
  private boolean mayLook() {
    return transaction < 0 && hasArrived && !session.hasOwnInvisible();
  }

  /** It was answered beside the node's worker, or is to be asked of that. */
  private void onLooked(Operation asked, int key, boolean done) {
    if (operation != asked) {
      // Its node is gone, and nobody waits for it.
      return;
    }
    if (done) {
      onEnded(asked);
    } else {
      long began = beganNanos;
      submit(asked, key);
      beganNanos = began;
    }
  }

  private boolean synchronizes() {
    return model().consistency() == Consistency.RELEASE && simulation.chance(SYNCHRONIZES_PERCENT);
  }

  /** Replaces what a key has: whatever that is, or what this client has seen last. */
  private void modify(int key) {
    argument = simulation.chance(REMOVE_PERCENT) ? Access.ABSENT : run.newValue();
    if (simulation.chance(GET_AND_SET_PERCENT)) {
      submit(Operation.getAndSet(DdpRun.key(key), bytes(argument)), key);
    } else {
      expected = lastSeen.getOrDefault(key, Access.ABSENT);
      submit(Operation.compareAndSet(DdpRun.key(key), bytes(expected), bytes(argument)), key);
    }
  }

  private static byte[] bytes(long value) {
    return value == Access.ABSENT ? null : ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private static long value(Write write) {
    return write == null || write.value() == null
        ? Access.ABSENT
        : ByteBuffer.wrap(write.value()).getLong();
  }

  private void connect() {
    abandonUnit();
    if (!node.isUp() || !node.replica().isServing()) {
      node = run.node(simulation.random().nextInt(run.schedule().nodes()));
      simulation.after(simulation.between(1, RETRY_NANOS_MAX), this::next);
      return;
    }
    life = node.life();
    session = node.replica().openSession(seen);
    hasArrived = seen == null;
    sessionNumber = run.newSession();
    simulation.after(simulation.between(0, THINK_NANOS_MAX), this::next);
  }

  private void abandonUnit() {
    transaction = -1;
    scope = -1;
  }

  private void submit(Operation asked, int key) {
    submit(session, asked, key);
  }

  private void submit(ReplicaSession by, Operation asked, int key) {
    operation = asked;
    asked.listener(this::onEnded);
    askedKey = key;
    beganNanos = simulation.nowNanos();
    run.trace("client " + number + " at " + node.number() + ": " + asked);
    node.submit(by, asked);
  }

  private int askedKey = -1;

  /** What the operation writes and compares. */
  private long argument = Access.ABSENT;

  private long expected = Access.ABSENT;

  /** What this client has found or left in each key. */
  private final Map<Integer, Long> lastSeen = new HashMap<>();

  private DdpEvent.Values values(Operation of) {
    return new DdpEvent.Values(clock(of), value(of.read()), argument, expected);
  }

  /** The version that was found; where nothing was, the removal that this stands for. */
  private long clock(Operation of) {
    if (of.read() != null) {
      return of.read().clock();
    }
    return of.key() == null ? 0 : run.forgotten(askedKey);
  }

  private void look(Operation done) {
    if (done.key() != null && done.status() == Operation.Status.DONE) {
      lastSeen.put(askedKey, done.hasWritten() ? argument : value(done.read()));
      if (done.hasWritten()) {
        batches.wrote(askedKey, done.clock(), done.value() == null);
      } else {
        batches.saw(askedKey, done.read());
      }
    }
  }

  private final BatchAsk batches;

  /** What the present read of all keys has found, in this order. */
  private final Map<Key, Write> scanned = new LinkedHashMap<>();

  /** A read of each key, one after the other, in a unit of their own. */
  private void recordScan() {
    int unit = run.newUnit();
    Map<Key, Integer> keys = new LinkedHashMap<>();
    for (int key = 0; key < run.schedule().keys(); key++) {
      keys.put(DdpRun.key(key), key);
    }
    List<Key> inOrder = new ArrayList<>(keys.keySet());
    // That there is none is seen at the beginning.
    inOrder.removeAll(scanned.keySet());
    inOrder.addAll(scanned.keySet());
    for (Key name : inOrder) {
      int key = keys.get(name);
      Write found = scanned.get(name);
      long clock = found == null ? run.forgotten(key) : found.clock();
      lastSeen.put(key, value(found));
      batches.saw(key, found);
      long base = found == null ? 0 : clock;
      recordPart(
          Operation.Kind.READ, key, unit, clock, new DdpEvent.Values(base, value(found), 0, 0));
    }
    recordPart(Operation.Kind.END, -1, unit, 0, new DdpEvent.Values(0, 0, 0, 0));
  }

  private void recordPart(
      Operation.Kind kind, int key, int unit, long clock, DdpEvent.Values values) {
    record(kind, key, unit, clock, values, simulation.nowNanos(), Operation.Status.DONE);
  }

  private void record(
      Operation.Kind kind,
      int key,
      int unit,
      long clock,
      DdpEvent.Values values,
      long endedNanos,
      Operation.Status status) {
    run.record(
        new DdpEvent(
            number,
            kind,
            key,
            clock,
            unit,
            scope,
            beganNanos,
            endedNanos,
            status,
            values,
            sessionNumber));
  }

  /** Its operation has ended. */
  private void onEnded(Operation done) {
    if (done != operation) {
      return;
    }
    long clock = done.kind().mayWrite() ? done.clock() : clock(done);
    run.trace("client " + number + ": " + done + " " + done.read() + " " + done.clock());
    if (done.kind() == Operation.Kind.SCAN) {
      recordScan();
    } else if (done.kind() == Operation.Kind.BATCH) {
      batches.ended(done, (int) argument, this::recordPart);
    } else {
      run.record(
          new DdpEvent(
              number,
              done.kind(),
              askedKey,
              clock,
              transaction,
              scope,
              beganNanos,
              simulation.nowNanos(),
              done.status(),
              values(done),
              sessionNumber));
    }
    look(done);
    hasArrived = true;
    operation = null;
    seen = node.replica().seen(session);
    if (done.kind() == Operation.Kind.END
        || done.kind() == Operation.Kind.ABORT
        || done.status() == Operation.Status.ABORTED) {
      transaction = -1;
    }
    if (done.kind() == Operation.Kind.PERSIST) {
      scope = -1;
    }
    simulation.after(simulation.between(0, THINK_NANOS_MAX), this::next);
  }

  private void recordLost(
      Operation.Kind kind, int key, int unit, long clock, DdpEvent.Values values) {
    record(kind, key, unit, clock, values, DdpEvent.NEVER, Operation.Status.OPEN);
  }

  /** Its node has crashed: nobody knows what has become of what it had asked for. */
  void onCrash(DdpNode crashed) {
    if (crashed != node || session == null) {
      return;
    }
    if (operation != null && operation.kind() == Operation.Kind.SCAN) {
      operation = null;
    } else if (operation != null && operation.kind() == Operation.Kind.BATCH) {
      batches.lost(operation, (int) argument, this::recordLost);
      operation = null;
    } else if (operation != null) {
      recordLost(operation.kind(), askedKey, transaction, operation.clock(), values(operation));
      operation = null;
    }
    session = null;
    abandonUnit();
    simulation.after(simulation.between(1, RETRY_NANOS_MAX), this::next);
  }

  @Override
  public String toString() {
    return "client " + number + ", " + left + " left, at " + node.number() + ": " + operation;
  }
}
