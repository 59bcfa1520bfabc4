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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.LongAdder;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.Test;
import org.orcagrid.bench.workload.OperationKind;

final class ClientTallyTest {
  private final LongAdder completed = new LongAdder();
  private final ClientTally tally = new ClientTally(new MeasuredInterval(100, 200), completed);

  @Test
  void recordsOnlyWhatEndsInsideTheInterval() {
    tally.answered(OperationKind.READ, 50, 99, true);
    tally.answered(OperationKind.READ, 50, 100, true);
    tally.answered(OperationKind.READ, 150, 199, false);
    tally.answered(OperationKind.READ, 150, 200, true);
    assertEquals(2, tally.latencies().requests());
    assertEquals(1, tally.missing());
    assertEquals(4, completed.sum());
  }

  @Test
  void givesUpWhenNothingButErrorsCome() {
    for (int i = 0; i < 999; i++) {
      tally.failed(OperationKind.READ, new KeeperException.ConnectionLossException());
    }
    assertFalse(tally.isBroken());
    tally.answered(OperationKind.READ, 1, 2, true);
    for (int i = 0; i < 1_000; i++) {
      tally.failed(OperationKind.READ, new KeeperException.ConnectionLossException());
    }
    assertTrue(tally.isBroken());
    assertEquals(1_999, tally.errors());
    assertTrue(tally.firstError().contains("ConnectionLoss"), tally.firstError());
  }
}
