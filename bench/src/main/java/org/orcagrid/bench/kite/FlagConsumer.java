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

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.node.NodeSession;

/** Acquires the flags of producers, and looks whether what they have released is there. */
final class FlagConsumer extends CheckingSession {
  private static final int READS = 4;

  private final int producers;
  private final SplittableRandom random;
  private final AtomicLong checks = new AtomicLong();
  private final AtomicLong violations = new AtomicLong();

  /** The highest flag seen of each producer. */
  private final long[] seen;

  private int producer;
  private boolean acquiring = true;
  private int reads;

  /** The slot that is being read, and the batch that it must have at least. */
  private long slot;

  private long least;

  FlagConsumer(NodeSession session, long firstKey, int producers, long seed) {
    super(session, firstKey);
    this.producers = producers;
    this.random = new SplittableRandom(seed);
    this.seen = new long[producers];
  }

  /** What was looked at so far. */
  long checks() {
    return checks.get();
  }

  /** What was older than it had to be; must be 0. */
  long violations() {
    return violations.get();
  }

  @Override
  void ended(long number) {
    if (acquiring) {
      check(number, seen[producer]);
      seen[producer] = number;
      acquiring = false;
      reads = 0;
    } else {
      check(number, least);
    }
  }

  private void check(long number, long leastNumber) {
    checks.lazySet(checks.getPlain() + 1);
    if (number < leastNumber) {
      violations.lazySet(violations.getPlain() + 1);
    }
  }

  @Override
  void next() {
    while (!acquiring && reads < READS) {
      reads++;
      choose();
      long number = readHere(slotOf(producer, slot));
      if (number < 0) {
        submit(OperationKind.READ, slotOf(producer, slot), 0);
        return;
      }
      check(number, least);
    }
    acquiring = true;
    producer = random.nextInt(producers);
    submit(OperationKind.ACQUIRE, flagOf(producer), 0);
  }

  private void choose() {
    long flag = seen[producer];
    long group = random.nextInt(BATCHES);
    slot = group * BATCH_SLOTS + random.nextInt(BATCH_SLOTS);
    least = Math.max(0, flag - Math.floorMod(flag - group, BATCHES));
  }
}
