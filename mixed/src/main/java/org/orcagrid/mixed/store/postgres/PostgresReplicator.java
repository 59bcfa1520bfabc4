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
package org.orcagrid.mixed.store.postgres;

import java.time.Duration;
import java.util.List;
import org.orcagrid.mixed.store.Repeated;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.track.VectorClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands what one instance of a causal store commits to another one, in causal order. One is needed
 * for each way between two instances; more do no harm.
 */
public final class PostgresReplicator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresReplicator.class);
  private static final int BATCHES_MAX = 200;

  private final PostgresCausalStore from;
  private final PostgresCausalStore to;
  private final Repeated repeated = new Repeated("mixed-replicator", this::look);

  /** From one to another. */
  public PostgresReplicator(PostgresCausalStore from, PostgresCausalStore to) {
    this.from = from;
    this.to = to;
  }

  /** Looks every so often, on a thread of its own. */
  public void start(Duration every) {
    repeated.start(every);
  }

  private void look() {
    try {
      boolean isMore = true;
      while (isMore) {
        isMore = round() == BATCHES_MAX;
      }
    } catch (StoreException e) {
      LOG.warn("Nothing comes from {} to {} for now", from.traits(), to.traits(), e);
    }
  }

  /** Hands over what is there; how many batches were taken. */
  public int round() throws StoreException {
    String group = from.traits().group();
    VectorClock has = to.clock();
    VectorClock its = from.clock();
    int taken = 0;
    List<PostgresCausalStore.Batch> batches = from.after(has.of(group), BATCHES_MAX);
    for (PostgresCausalStore.Batch each : batches) {
      if (!to.take(group, each)) {
        // Another instance's batch comes first.
        break;
      }
      taken++;
    }
    to.onClock(group, its);
    return taken;
  }

  @Override
  public void close() {
    repeated.close();
  }
}
