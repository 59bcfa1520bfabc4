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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.map.SessionEndedException;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/**
 * A client thread: reads and writes, in transactions and scopes where there are some, and goes on
 * at another node when its own has died. Each of its sessions is a client to the judge: what a
 * client has seen elsewhere is not carried along.
 */
final class MapClient {
  private static final int UNIT_LENGTH_MAX = 4;
  private static final int VALUE_BYTES_MAX = 500;
  private static final long RETRY_NANOS = 1_000_000;
  private static final int SCAN_PERCENT = 10;

  private final PoweredGrid grid;
  private final MapHistory history;
  private final SplittableRandom random;
  private final BooleanSupplier over;
  private int node;
  private int left;
  private MapSession session;
  private int number;
  private int transaction = -1;
  private int transactionLeft;
  private int scope = -1;
  private int scopeLeft;

  MapClient(
      PoweredGrid grid,
      MapHistory history,
      SplittableRandom random,
      int operations,
      BooleanSupplier over) {
    this.grid = grid;
    this.history = history;
    this.random = random;
    this.over = over;
    this.node = random.nextInt(grid.size());
    this.left = operations;
  }

  /** All of its operations, or until it is told that it is over. */
  void run() {
    while (!over.getAsBoolean() && (left > 0 || transaction >= 0)) {
      if (session == null) {
        connect();
      } else {
        next();
      }
    }
    if (session != null) {
      session.close();
    }
  }

  private void connect() {
    transaction = -1;
    scope = -1;
    try {
      session = grid.node(node).openSession(history.map());
      number = history.newNumber();
    } catch (IllegalStateException e) {
      node = random.nextInt(grid.size());
      LockSupport.parkNanos(RETRY_NANOS);
    }
  }

  private void next() {
    if (left <= 0) {
      submit(Operation.Kind.END);
      return;
    }
    left--;
    if (history.map().model().consistency() == Consistency.TRANSACTIONAL && transact()) {
      return;
    }
    if (history.map().model().persistency() == Persistency.SCOPE && transaction < 0 && persist()) {
      return;
    }
    access();
  }

  private boolean transact() {
    if (transaction >= 0 && transactionLeft-- == 0) {
      submit(random.nextInt(10) == 0 ? Operation.Kind.ABORT : Operation.Kind.END);
      return true;
    }
    if (transaction < 0 && random.nextInt(5) < 2) {
      transactionLeft = unitLength();
      transaction = history.newNumber();
      submit(Operation.Kind.BEGIN);
      return true;
    }
    return false;
  }

  private boolean persist() {
    if (scope < 0) {
      scope = history.newNumber();
      scopeLeft = unitLength();
      return false;
    }
    if (scopeLeft-- > 0) {
      return false;
    }
    submit(Operation.Kind.PERSIST);
    return true;
  }

  private int unitLength() {
    return 1 + random.nextInt(UNIT_LENGTH_MAX);
  }

  private void access() {
    if (transaction < 0 && random.nextInt(100) < SCAN_PERCENT) {
      scan();
      return;
    }
    int key = random.nextInt(history.keys());
    if (random.nextInt(5) < 3) {
      byte[] value = MapHistory.value(history.newNumber(), random.nextInt(VALUE_BYTES_MAX));
      submit(Operation.write(MapHistory.key(key), value), key, value);
    } else {
      submit(Operation.read(MapHistory.key(key)), key, null);
    }
  }

  /** Reads all keys, which is a read of each, in a unit of its own. */
  private void scan() {
    Map<Key, Write> found = new LinkedHashMap<>();
    long began = System.nanoTime();
    try (MapSession beside = session.openBeside()) {
      Operation done =
          await(
              beside.submit(Operation.scan(version -> found.put(version.key(), version))),
              Operation.Kind.SCAN);
      if (done == null) {
        session = null;
        return;
      }
      long now = System.nanoTime();
      int unit = history.newNumber();
      List<Integer> inOrder = new ArrayList<>(IntStream.range(0, history.keys()).boxed().toList());
      // That there is none is seen at the beginning.
      List<Key> order = List.copyOf(found.keySet());
      inOrder.sort(Comparator.comparingInt(key -> order.indexOf(MapHistory.key(key))));
      for (int key : inOrder) {
        Write read = found.get(MapHistory.key(key));
        long clock = read == null ? 0 : read.clock();
        history.addRead(
            new DdpEvent(
                number, Operation.Kind.READ, key, clock, unit, scope, began, now, done.status()),
            read);
      }
      history.add(
          new DdpEvent(number, Operation.Kind.END, -1, 0, unit, scope, began, now, done.status()),
          null);
    }
  }

  /** What came of an operation, null if its session has ended and nobody knows. */
  private Operation await(CompletableFuture<Operation> answer, Operation.Kind kind) {
    try {
      return answer.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof SessionEndedException)) {
        throw new AssertionError(kind + " was refused", e);
      }
      return null;
    } catch (TimeoutException e) {
      throw new AssertionError(kind + " of " + history.map() + " at " + node + " hangs", e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void submit(Operation.Kind kind) {
    submit(Operation.of(kind), -1, null);
  }

  private void submit(Operation asked, int key, byte[] value) {
    long began = System.nanoTime();
    Operation done = await(session.submit(asked), asked.kind());
    if (done == null) {
      record(asked.kind(), key, asked.clock(), began, DdpEvent.NEVER, Operation.Status.OPEN, value);
      session = null;
    } else {
      ended(done, key, value, began);
    }
  }

  private void ended(Operation done, int key, byte[] value, long began) {
    long now = System.nanoTime();
    if (done.kind() == Operation.Kind.READ) {
      long clock = done.read() == null ? 0 : done.read().clock();
      history.addRead(
          new DdpEvent(
              number, done.kind(), key, clock, transaction, scope, began, now, done.status()),
          done.read());
    } else {
      record(done.kind(), key, done.clock(), began, now, done.status(), value);
    }
    if (done.kind() == Operation.Kind.END
        || done.kind() == Operation.Kind.ABORT
        || done.status() == Operation.Status.ABORTED) {
      transaction = -1;
    }
    if (done.kind() == Operation.Kind.PERSIST) {
      scope = -1;
    }
  }

  private void record(
      Operation.Kind kind,
      int key,
      long clock,
      long began,
      long ended,
      Operation.Status status,
      byte[] value) {
    history.add(
        new DdpEvent(number, kind, key, clock, transaction, scope, began, ended, status), value);
  }
}
