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

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Ask;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Recovery;
import org.orcagrid.mixed.commit.Sweep;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Repeated;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.Traits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Finishes what clients have left, and has stores forget old transactions. Several may run beside
 * each other.
 */
public final class MixedWorker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MixedWorker.class);

  private final Map<String, Store> byGroup = new LinkedHashMap<>();
  private final Map<String, Traits> byName = new LinkedHashMap<>();
  private final Duration age;
  private final Duration retention;
  private final Repeated repeated = new Repeated("mixed-worker", this::look);
  private Sweep sweep;
  private boolean isStuck;

  /**
   * What a worker has found.
   *
   * @param open transactions that it has not finished, with the groups that do not answer
   */
  public record Round(int finished, Map<TransactionId, List<String>> open) {}

  /**
   * One that finishes, and has nothing forgotten.
   *
   * @param stores which it closes with itself
   * @param age of what it takes for left, longer than a client's deadline
   */
  public MixedWorker(List<Store> stores, Duration age) {
    this(stores, age, null);
  }

  /**
   * One that has old transactions forgotten, too.
   *
   * @param stores which it closes with itself: all that clients use, and of a causal store one for
   *     each group. A store that is left out loses what it has not taken yet
   * @param retention how long stores remember, longer than deadlines, outages of the stores that
   *     decide, cuts between datacenters, and what clocks differ by
   */
  public MixedWorker(List<Store> stores, Duration age, Duration retention) {
    for (Store each : stores) {
      byGroup.put(each.traits().group(), each);
      byName.put(each.traits().name(), each.traits());
    }
    this.age = age;
    this.retention = retention;
  }

  /** Looks every so often, on a thread of its own. */
  public void start(Duration every) {
    repeated.start(every);
  }

  private void look() {
    try {
      Round round = round();
      round.open().forEach((id, groups) -> LOG.info("{} waits for {}", id, groups));
      forget();
    } catch (RuntimeException e) {
      LOG.warn("A round has failed; the next one begins as usual", e);
    }
  }

  /** Finishes all that is old enough; what cannot be finished is left for the next time. */
  public Round round() {
    long before = System.currentTimeMillis() - age.toMillis();
    int finished = 0;
    Map<TransactionId, List<String>> open = new LinkedHashMap<>();
    for (Store each : byGroup.values()) {
      for (Recovery recovery : found(each, before)) {
        List<String> missing = finish(recovery);
        if (missing.isEmpty()) {
          finished++;
        } else {
          open.put(recovery.id(), missing);
        }
      }
    }
    return new Round(finished, open);
  }

  private static List<Recovery> found(Store store, long before) {
    List<Recovery> found = new ArrayList<>();
    try {
      for (Intent each : store.intents(before)) {
        found.add(Recovery.ofIntent(each));
      }
      for (TransactionId each : store.prepared(before)) {
        found.add(Recovery.ofPrepared(each, store.traits().name()));
      }
    } catch (StoreException | RuntimeException e) {
      LOG.warn("{} cannot be asked what is left to do", store.traits(), e);
    }
    return found;
  }

  /** Asks each once; who has not answered, or has to be asked again, is returned. */
  private List<String> finish(Recovery recovery) {
    Deque<Ask> asks = new ArrayDeque<>(recovery.begin());
    List<String> missing = new ArrayList<>();
    while (!asks.isEmpty()) {
      Ask ask = asks.remove();
      String group = Attempt.groupOf(ask, byName);
      Store store = byGroup.get(group);
      Answer answer = store == null ? Answer.UNKNOWN : answer(store, ask);
      List<Ask> next = recovery.onAnswer(ask, answer);
      if (answer == Answer.UNKNOWN || answer == Answer.CONFLICT) {
        missing.add(group);
      } else {
        asks.addAll(next);
      }
    }
    return missing;
  }

  private static Answer answer(Store store, Ask ask) {
    try {
      return Votes.ask(store, ask, null).answer();
    } catch (StoreException e) {
      LOG.debug("{} has not answered {}", store.traits(), ask, e);
      return Answer.UNKNOWN;
    } catch (RuntimeException e) {
      LOG.warn("{} cannot do {}", store.traits(), ask, e);
      return Answer.UNKNOWN;
    }
  }

  /** Takes a step of forgetting; true if old transactions are forgotten up to now. */
  boolean forget() {
    if (retention == null) {
      return true;
    }
    if (sweep == null) {
      List<String> groups = List.copyOf(byGroup.keySet());
      sweep = new Sweep(System.currentTimeMillis() - retention.toMillis(), groups, groups);
    }
    try {
      while (!sweep.isOver()) {
        Sweep.Step step = sweep.next();
        if (!Votes.sweep(byGroup, step)) {
          return false;
        }
        sweep.onDone(step);
        isStuck = false;
      }
    } catch (StoreException | RuntimeException e) {
      // What one datacenter has done, others know a moment later.
      LOG.atLevel(isStuck ? Level.WARN : Level.DEBUG)
          .setCause(e)
          .log("Old transactions are not forgotten yet");
      isStuck = true;
      return false;
    }
    sweep = null;
    return true;
  }

  /** Closes its stores, too. */
  @Override
  public void close() {
    repeated.close();
    byGroup.values().forEach(Store::close);
  }
}
