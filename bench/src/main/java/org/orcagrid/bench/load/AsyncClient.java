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
package org.orcagrid.bench.load;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.orcagrid.bench.workload.Operation;
import org.orcagrid.bench.workload.OperationKind;
import org.orcagrid.bench.workload.OperationStream;
import org.orcagrid.bench.workload.RecordKeys;

/**
 * Keeps up to a window of operations in flight, either as fast as answers come or at a rate. With a
 * rate, latency counts from when the operation was due, even if a full window delayed it.
 */
final class AsyncClient implements LoadClient {
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(30);

  private final RecordSession session;
  private final OperationStream operations;
  private final RecordKeys keys;
  private final MeasuredInterval interval;
  private final ClientTally tally;
  private final int windowSize;
  private final Optional<Pacer> pacer;
  private final Semaphore window;

  /**
   * Makes a client.
   *
   * @param pacer when operations are due; empty to send whenever the window has room
   */
  AsyncClient(
      RecordSession session,
      OperationStream operations,
      RecordKeys keys,
      MeasuredInterval interval,
      ClientTally tally,
      int windowSize,
      Optional<Pacer> pacer) {
    this.session = session;
    this.operations = operations;
    this.keys = keys;
    this.interval = interval;
    this.tally = tally;
    this.windowSize = windowSize;
    this.pacer = pacer;
    this.window = new Semaphore(windowSize);
  }

  @Override
  public void run() throws InterruptedException {
    while (!interval.isOver(System.nanoTime()) && !tally.isBroken()) {
      if (pacer.isPresent()) {
        long due = pacer.get().nextDueNanos();
        Pacer.awaitTime(due);
        window.acquire();
        send(operations.next(), due);
      } else {
        window.acquire();
        send(operations.next(), System.nanoTime());
      }
    }
    if (!window.tryAcquire(windowSize, DRAIN_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          "A session got no answer to some operations within %d s; see the servers' logs."
              .formatted(DRAIN_LIMIT.toSeconds()));
    }
  }

  private void send(Operation operation, long startNanos) {
    switch (operation.kind()) {
      case READ -> session.readAsync(operation.key(), code -> readEnded(code, startNanos));
      case UPDATE, INSERT ->
          session.writeAsync(operation, code -> writeEnded(operation, code, startNanos));
      case READ_MODIFY_WRITE ->
          session.readAsync(operation.key(), code -> modify(operation, code, startNanos));
    }
  }

  private void readEnded(Code code, long startNanos) {
    if (code == Code.OK || code == Code.NONODE) {
      tally.answered(OperationKind.READ, startNanos, System.nanoTime(), code == Code.OK);
    } else {
      tally.failed(OperationKind.READ, KeeperException.create(code));
    }
    window.release();
  }

  private void writeEnded(Operation operation, Code code, long startNanos) {
    if (code == Code.OK) {
      tally.answered(operation.kind(), startNanos, System.nanoTime(), true);
      if (operation.kind() == OperationKind.INSERT) {
        keys.acknowledge(operation.key());
      }
    } else {
      tally.failed(operation.kind(), KeeperException.create(code));
    }
    window.release();
  }

  private void modify(Operation operation, Code readCode, long startNanos) {
    if (readCode != Code.OK) {
      readEnded(readCode, startNanos);
      return;
    }
    long middle = System.nanoTime();
    tally.answered(OperationKind.READ, startNanos, middle, true);
    session.writeAsync(
        operation,
        code -> {
          long end = System.nanoTime();
          if (code == Code.OK) {
            tally.answered(OperationKind.UPDATE, middle, end, true);
            tally.answered(OperationKind.READ_MODIFY_WRITE, startNanos, end, true);
          } else {
            tally.failed(OperationKind.READ_MODIFY_WRITE, KeeperException.create(code));
          }
          window.release();
        });
  }
}
