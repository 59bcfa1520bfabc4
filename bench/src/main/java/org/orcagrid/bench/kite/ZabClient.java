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
import java.util.concurrent.TimeUnit;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.store.Bytes;

/** Reads and writes of ZAB: reads are its node's copy's, writes are waited for. */
final class ZabClient extends WaitingClient {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final NodeSession session;
  private final KitePlan.Grid plan;
  private final SplittableRandom random;
  private final Bytes key = new Bytes(Long.BYTES);
  private final Bytes read = new Bytes(64);

  /** Set before the threads of a turn begin. */
  private Mix mix = new Mix(0, 0, 0);

  ZabClient(NodeSession session, KitePlan.Grid plan, long seed) {
    this.session = session;
    this.plan = plan;
    this.random = new SplittableRandom(seed);
    key.length(Long.BYTES);
  }

  void mix(Mix next) {
    mix = next;
  }

  @Override
  int once() {
    key.buffer().putLong(0, random.nextInt(plan.keys()));
    OperationKind kind = mix.choose(random);
    if (kind == OperationKind.READ && session.read(key, read)) {
      return 1;
    }
    Request request = session.next();
    request.kind(kind);
    request.key().set(key);
    if (kind.writes()) {
      request.value().room(plan.valueBytes()).putLong(0, random.nextLong());
      request.value().length(plan.valueBytes());
    }
    session.submit(request);
    if (!session.await(request, PATIENCE_NANOS) || request.outcome() != Outcome.DONE) {
      throw new IllegalStateException("An access of ZAB has not ended, or badly");
    }
    return 1;
  }
}
