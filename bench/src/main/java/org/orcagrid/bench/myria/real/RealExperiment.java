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
package org.orcagrid.bench.myria.real;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.run.MixedClient;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.postgres.PostgresCausalStore;
import org.orcagrid.mixed.store.postgres.PostgresStore;
import org.orcagrid.mixed.track.Context;

/** Measures loads on databases, mixed transactions and JDBC by turns. */
public final class RealExperiment {
  static final int KEYS = 1_000;

  private static final int PERCENT = 100;
  private static final int CALLERS = 8;
  private static final long HIGHEST_MICROS = TimeUnit.MINUTES.toMicros(1);

  private final Instances instances;
  private final double seconds;
  private final int rounds;
  private final Consumer<String> progress;
  private final AtomicLong ids = new AtomicLong();

  /**
   * One.
   *
   * @param seconds of each round
   * @throws IllegalArgumentException if there would be no rounds
   */
  public RealExperiment(
      Instances instances, double seconds, int rounds, Consumer<String> progress) {
    if (rounds < 1 || seconds <= 0) {
      throw new IllegalArgumentException(
          rounds + " rounds of " + seconds + " s measure nothing; give at least 1, and a time.");
    }
    this.instances = instances;
    this.seconds = seconds;
    this.rounds = rounds;
    this.progress = progress;
  }

  /**
   * Measures.
   *
   * @param withCalls whether to measure the calls of stores, too
   * @throws IOException if a database fails
   */
  public RealResult run(List<RealLoad> loads, boolean withCalls)
      throws IOException, InterruptedException {
    try {
      Map<String, Double> calls = withCalls ? calls() : Map.of();
      Map<RealLoad, RealResult.Row> rows = new LinkedHashMap<>();
      for (RealLoad each : loads) {
        progress.accept(each.title());
        rows.put(each, measure(each));
      }
      return new RealResult(instances.settings(), rounds, calls, rows);
    } catch (StoreException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private Store strong(double awayMs) throws StoreException, IOException {
    return new PostgresStore(
        Transactions.STRONG.name(),
        instances.pool(Instances.Place.STRONG, awayMs),
        new Operations(List.of(Transactions.ADD)));
  }

  private Store causal(double awayMs) throws StoreException, IOException {
    return new PostgresCausalStore(
        Transactions.CAUSAL.name(),
        "east",
        Set.of("east"),
        instances.pool(Instances.Place.CAUSAL, awayMs),
        new Operations(List.of(Transactions.ADD)),
        Merge.standard());
  }

  // --- whole transactions ------------------------------------------------------------------------

  /** Does an operation on a key. */
  private interface Work {
    void run(Operation operation, long key) throws Exception;
  }

  private record Round(double rate, Map<Operation, Histogram> latencies) {}

  private RealResult.Row measure(RealLoad load)
      throws IOException, StoreException, InterruptedException {
    RealLoad.Away away = load.away();
    Transactions transactions =
        new Transactions(
            instances.pool(Instances.Place.PLAIN, away.strongMs()),
            instances.pool(Instances.Place.OTHER_PLAIN, away.causalMs()));
    RealResult.Row row =
        new RealResult.Row(
            new ArrayList<>(),
            new ArrayList<>(),
            new EnumMap<>(Operation.class),
            new EnumMap<>(Operation.class));
    try (MixedClient client =
        new MixedClient(
            List.of(strong(away.strongMs()), causal(away.causalMs())), Duration.ofSeconds(10))) {
      Work mixed = (operation, key) -> Transactions.mixed(client, operation, key);
      // The first round of each warms up.
      for (int i = 0; i <= rounds; i++) {
        Round ours = round(load, mixed);
        Round theirs = round(load, transactions::jdbc);
        if (i > 0) {
          row.mixed().add(ours.rate());
          row.jdbc().add(theirs.rate());
          add(row.mixedLatencies(), ours.latencies());
          add(row.jdbcLatencies(), theirs.latencies());
        }
      }
    } finally {
      instances.closePools();
    }
    return row;
  }

  private static void add(Map<Operation, Histogram> to, Map<Operation, Histogram> from) {
    from.forEach((operation, each) -> to.computeIfAbsent(operation, none -> empty()).add(each));
  }

  private static Histogram empty() {
    return new Histogram(HIGHEST_MICROS, 2);
  }

  private Round round(RealLoad load, Work work) throws IOException, InterruptedException {
    Map<Operation, Histogram> all = new EnumMap<>(Operation.class);
    double rate =
        rate(
            load.threads(),
            random -> {
              Operation operation =
                  load.operation(random.nextInt(PERCENT), random.nextInt(PERCENT));
              long begin = System.nanoTime();
              work.run(operation, random.nextInt(KEYS));
              long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begin);
              synchronized (all) {
                all.computeIfAbsent(operation, none -> empty())
                    .recordValue(Math.min(micros, HIGHEST_MICROS));
              }
            });
    return new Round(rate, all);
  }

  // --- calls of stores ---------------------------------------------------------------------------

  private Map<String, Double> calls() throws IOException, StoreException, InterruptedException {
    progress.accept("calls of stores");
    Map<String, Double> all = new LinkedHashMap<>();
    try (Store strong = strong(0);
        Store causal = causal(0)) {
      all.put("strong read", rate(CALLERS, random -> read(strong, random.nextInt(KEYS))));
      all.put("strong commit", rate(CALLERS, random -> decide(strong, random.nextInt(KEYS))));
      all.put("causal read", rate(CALLERS, random -> read(causal, random.nextInt(KEYS))));
      all.put("causal commit", rate(CALLERS, random -> apply(causal, random.nextInt(KEYS))));
    } finally {
      instances.closePools();
    }
    return all;
  }

  private static StoredObject object(Store store, long key) {
    return new StoredObject(store.traits().name(), store.traits().level(), key);
  }

  private static void read(Store store, long key) throws StoreException {
    if (store.read(Set.of(object(store, key)), Set.of()).found().isEmpty()) {
      throw new IllegalStateException("Nothing was read");
    }
  }

  private TransactionId id(Store store) {
    return new TransactionId(
        store.traits().group(), System.currentTimeMillis(), ids.incrementAndGet());
  }

  private void decide(Store store, long key) throws StoreException {
    TransactionId id = id(store);
    Part.Write write = new Part.Write(object(store, key), null, 1L, Context.NONE);
    Part part = new Part(store.traits().group(), List.of(write), Map.of(), null);
    store.decide(id, part, new Intent(id, List.of(), List.of()));
  }

  private void apply(Store store, long key) throws StoreException {
    Part.Write write =
        new Part.Write(object(store, key), Transactions.ADD.operation(), 1L, Context.NONE);
    Part part = new Part(store.traits().group(), List.of(write), Map.of(), null);
    store.apply(id(store), part);
  }

  // --- threads -----------------------------------------------------------------------------------

  private interface Step {
    void run(SplittableRandom random) throws Exception;
  }

  /** How many a second so many threads do. */
  private double rate(int threads, Step step) throws IOException, InterruptedException {
    AtomicLong done = new AtomicLong();
    ConcurrentLinkedQueue<Exception> failures = new ConcurrentLinkedQueue<>();
    List<Thread> all = new ArrayList<>();
    long begin = System.nanoTime();
    long until = begin + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    for (int i = 0; i < threads; i++) {
      SplittableRandom random = new SplittableRandom(i);
      Thread thread =
          new Thread(
              () -> {
                try {
                  while (System.nanoTime() < until && failures.isEmpty()) {
                    step.run(random);
                    done.incrementAndGet();
                  }
                } catch (Exception e) {
                  failures.add(e);
                }
              },
              "load-" + i);
      all.add(thread);
      thread.start();
    }
    for (Thread each : all) {
      each.join();
    }
    if (!failures.isEmpty()) {
      throw new IOException("A transaction has failed: " + failures.peek(), failures.peek());
    }
    return done.get() / ((System.nanoTime() - begin) / 1e9);
  }
}
