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
package org.orcagrid.bench.kite;

import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.node.NodeSession;

/** Writes batch after batch, and releases its flag after each. */
final class FlagProducer extends CheckingSession {
  private final int number;
  private long batch = 1;
  private int written;

  FlagProducer(NodeSession session, long firstKey, int number) {
    super(session, firstKey);
    this.number = number;
  }

  @Override
  void next() {
    if (written < BATCH_SLOTS) {
      long slot = batch % BATCHES * BATCH_SLOTS + written;
      submit(OperationKind.WRITE, slotOf(number, slot), batch);
    } else {
      submit(OperationKind.RELEASE, flagOf(number), batch);
    }
  }

  @Override
  void ended(long nothing) {
    written++;
    if (written > BATCH_SLOTS) {
      written = 0;
      batch++;
    }
  }
}
