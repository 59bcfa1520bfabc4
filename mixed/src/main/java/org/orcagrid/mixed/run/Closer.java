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
package org.orcagrid.mixed.run;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes intents of transactions that are done, all that have come together while others were
 * closed. What it leaves out, workers close.
 */
final class Closer {
  private static final Logger LOG = LoggerFactory.getLogger(Closer.class);
  private static final int IDS_MAX = 10_000;

  private final Map<String, Store> byGroup;
  private final Executor executor;
  private final Map<String, Set<TransactionId>> done = new HashMap<>();
  private boolean isRunning;

  Closer(Map<String, Store> byGroup, Executor executor) {
    this.byGroup = byGroup;
    this.executor = executor;
  }

  /** Closes one, some time. */
  void add(String group, TransactionId id) {
    synchronized (this) {
      Set<TransactionId> ids = done.computeIfAbsent(group, none -> new HashSet<>());
      if (ids.size() == IDS_MAX) {
        return;
      }
      ids.add(id);
      if (isRunning) {
        return;
      }
      isRunning = true;
    }
    try {
      executor.execute(this::flush);
    } catch (RejectedExecutionException e) {
      LOG.debug("The client is closed; workers close the intent", e);
    }
  }

  /** Closes all that are there. */
  void flush() {
    Map<String, Set<TransactionId>> some = next();
    while (!some.isEmpty()) {
      some.forEach(this::close);
      some = next();
    }
  }

  private synchronized Map<String, Set<TransactionId>> next() {
    Map<String, Set<TransactionId>> some = Map.copyOf(done);
    done.clear();
    isRunning = !some.isEmpty();
    return some;
  }

  private void close(String group, Set<TransactionId> ids) {
    try {
      byGroup.get(group).close(ids);
    } catch (StoreException | RuntimeException e) {
      LOG.info("Workers close {} intents, as {} has not", ids.size(), group, e);
    }
  }
}
