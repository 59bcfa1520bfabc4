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

import org.apache.zookeeper.KeeperException;
import org.orcagrid.bench.workload.Operation;
import org.orcagrid.bench.workload.OperationKind;
import org.orcagrid.bench.workload.OperationStream;
import org.orcagrid.bench.workload.RecordKeys;

/** Sends the next operation after the answer to the one before, with synchronous calls. */
final class ClosedLoopClient implements LoadClient {
  private final RecordSession session;
  private final OperationStream operations;
  private final RecordKeys keys;
  private final MeasuredInterval interval;
  private final ClientTally tally;

  ClosedLoopClient(
      RecordSession session,
      OperationStream operations,
      RecordKeys keys,
      MeasuredInterval interval,
      ClientTally tally) {
    this.session = session;
    this.operations = operations;
    this.keys = keys;
    this.interval = interval;
    this.tally = tally;
  }

  @Override
  public void run() throws InterruptedException {
    while (!interval.isOver(System.nanoTime()) && !tally.isBroken()) {
      Operation operation = operations.next();
      try {
        perform(operation);
      } catch (KeeperException e) {
        tally.failed(operation.kind(), e);
      }
    }
  }

  private void perform(Operation operation) throws KeeperException, InterruptedException {
    long start = System.nanoTime();
    switch (operation.kind()) {
      case READ -> {
        boolean found = session.read(operation.key());
        tally.answered(OperationKind.READ, start, System.nanoTime(), found);
      }
      case UPDATE -> {
        session.write(operation);
        tally.answered(OperationKind.UPDATE, start, System.nanoTime(), true);
      }
      case INSERT -> {
        session.write(operation);
        tally.answered(OperationKind.INSERT, start, System.nanoTime(), true);
        keys.acknowledge(operation.key());
      }
      case READ_MODIFY_WRITE -> {
        boolean found = session.read(operation.key());
        long middle = System.nanoTime();
        tally.answered(OperationKind.READ, start, middle, found);
        session.write(operation);
        long end = System.nanoTime();
        tally.answered(OperationKind.UPDATE, middle, end, true);
        tally.answered(OperationKind.READ_MODIFY_WRITE, start, end, true);
      }
    }
  }
}
