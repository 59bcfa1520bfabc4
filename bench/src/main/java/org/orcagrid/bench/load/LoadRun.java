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

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.orcagrid.bench.stats.LatencyHistograms;
import org.orcagrid.bench.system.DurabilityCounters;
import org.orcagrid.bench.system.FourLetterWords;
import org.orcagrid.bench.system.ServerAddress;
import org.orcagrid.bench.system.SystemUnderTest;
import org.orcagrid.bench.workload.OperationStream;
import org.orcagrid.bench.workload.RecordKeys;

/** One measurement of one running system, from opening the sessions to closing them. */
public final class LoadRun {
  private static final long TICK_NANOS = 200_000_000;

  private final SystemUnderTest system;
  private final LoadPlan plan;
  private final RunListener listener;
  private final RecordKeys keys;
  private final LongAdder completed = new LongAdder();

  private LoadRun(SystemUnderTest system, LoadPlan plan, RunListener listener) {
    this.system = system;
    this.plan = plan;
    this.listener = listener;
    this.keys = new RecordKeys(plan.data().records());
  }

  /**
   * Preloads what is missing, warms up, measures and closes all sessions.
   *
   * @param system a serving system
   * @param plan what to send
   * @param table names the set of records; runs that insert need a new one each time
   * @param listener is told the progress
   * @throws IOException if a session cannot be had or operations keep failing
   */
  public static LoadResult execute(
      SystemUnderTest system, LoadPlan plan, String table, RunListener listener)
      throws IOException, InterruptedException {
    ServerAddress leader = FourLetterWords.leader(system.servers());
    return execute(
        system, plan, table, listener, client -> server(system, plan.reads(), leader, client));
  }

  private static ServerAddress server(
      SystemUnderTest system, ReadsFrom reads, ServerAddress leader, int client) {
    boolean onlyTheLeader =
        switch (reads) {
          case LEADER -> true;
          case ALL -> false;
          case ANSWERING -> system.spec().onlyTheLeaderAnswers();
        };
    return onlyTheLeader ? leader : system.servers().get(client % system.servers().size());
  }

  /**
   * As {@link #execute(SystemUnderTest, LoadPlan, String, RunListener)}.
   *
   * @param placement where each client connects, by its number from 0
   */
  public static LoadResult execute(
      SystemUnderTest system,
      LoadPlan plan,
      String table,
      RunListener listener,
      IntFunction<ServerAddress> placement)
      throws IOException, InterruptedException {
    RecordTable.preload(FourLetterWords.leader(system.servers()), table, plan.data());
    ExecutorService threads = Executors.newFixedThreadPool(plan.clients());
    try {
      LoadRun run = new LoadRun(system, plan, listener);
      List<RecordSession> sessions = run.open(threads, placement, RecordTable.parent(table));
      try {
        return run.measure(threads, sessions);
      } finally {
        close(threads, sessions);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private List<RecordSession> open(
      ExecutorService threads, IntFunction<ServerAddress> placement, String parent)
      throws IOException, InterruptedException {
    List<Future<RecordSession>> opening = new ArrayList<>();
    for (int i = 0; i < plan.clients(); i++) {
      ServerAddress server = placement.apply(i);
      opening.add(
          threads.submit(() -> RecordSession.open(server, parent, plan.data().valueBytes())));
    }
    List<RecordSession> sessions = new ArrayList<>();
    try {
      for (Future<RecordSession> session : opening) {
        sessions.add(result(session));
      }
      return sessions;
    } catch (IOException e) {
      close(threads, sessions);
      throw e;
    }
  }

  private LoadResult measure(ExecutorService threads, List<RecordSession> sessions)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    long from = start + Math.round(plan.time().warmUpSeconds() * 1e9);
    long until = from + Math.round(plan.time().measuredSeconds() * 1e9);
    MeasuredInterval interval = new MeasuredInterval(from, until);
    List<ClientTally> tallies = new ArrayList<>();
    List<Future<Void>> running = new ArrayList<>();
    for (int i = 0; i < sessions.size(); i++) {
      ClientTally tally = new ClientTally(interval, completed);
      tallies.add(tally);
      int client = i;
      running.add(
          threads.submit(
              () -> {
                // Made here because YCSB's generators draw from the thread that uses them.
                client(client, sessions.get(client), interval, tally, start).run();
                return null;
              }));
    }
    awaitWithProgress(start, from, until);
    Optional<DurabilityCounters> before = DurabilityCounters.of(system.servers());
    List<Duration> processorBefore = system.processorTimes();
    awaitWithProgress(start, until, until);
    List<Duration> processorAfter = system.processorTimes();
    Optional<DurabilityCounters> after = DurabilityCounters.of(system.servers());
    for (Future<Void> client : running) {
      result(client);
    }
    return combine(
        interval, tallies, triggering(before, after), spent(processorBefore, processorAfter));
  }

  private LoadClient client(
      int index,
      RecordSession session,
      MeasuredInterval interval,
      ClientTally tally,
      long startNanos) {
    OperationStream operations =
        new OperationStream(plan.workload(), keys, plan.seed() + 7_919L * index);
    LoadPlan.Pacing pacing = plan.pacing();
    if (pacing.mode() == LoadMode.CLOSED) {
      return new ClosedLoopClient(session, operations, keys, interval, tally);
    }
    double clientRate = pacing.ratePerSecond() / plan.clients();
    Optional<Pacer> pacer =
        pacing.mode() == LoadMode.RATE
            // Staggered, so that the clients together keep an even rate.
            ? Optional.of(
                new Pacer(
                    clientRate, startNanos + Math.round(index * 1e9 / pacing.ratePerSecond())))
            : Optional.empty();
    return new AsyncClient(session, operations, keys, interval, tally, pacing.window(), pacer);
  }

  private void awaitWithProgress(long start, long target, long end) throws InterruptedException {
    long lastNanos = System.nanoTime();
    long lastCompleted = completed.sum();
    while (lastNanos - target < 0) {
      Pacer.awaitTime(Math.min(target, lastNanos + TICK_NANOS));
      long now = System.nanoTime();
      long count = completed.sum();
      double share = Math.min(1.0, (double) (now - start) / (end - start));
      listener.progress(share, (count - lastCompleted) * 1e9 / (now - lastNanos));
      lastNanos = now;
      lastCompleted = count;
    }
  }

  private static OptionalDouble triggering(
      Optional<DurabilityCounters> before, Optional<DurabilityCounters> after) {
    if (before.isEmpty() || after.isEmpty()) {
      return OptionalDouble.empty();
    }
    return after.get().percentSince(before.get());
  }

  private static List<Double> spent(List<Duration> before, List<Duration> after) {
    List<Double> seconds = new ArrayList<>();
    for (int i = 0; i < Math.min(before.size(), after.size()); i++) {
      seconds.add(after.get(i).minus(before.get(i)).toNanos() / 1e9);
    }
    return seconds;
  }

  private LoadResult combine(
      MeasuredInterval interval,
      List<ClientTally> tallies,
      OptionalDouble triggeringPercent,
      List<Double> serverCpuSeconds)
      throws IOException {
    LatencyHistograms all = new LatencyHistograms();
    long errors = 0;
    long missing = 0;
    String firstError = "";
    for (ClientTally tally : tallies) {
      if (tally.isBroken()) {
        throw new IOException(
            "A client of "
                + system.spec().id()
                + " saw nothing but errors, the first was "
                + tally.firstError()
                + "; see the servers' logs.");
      }
      all.add(tally.latencies());
      errors += tally.errors();
      missing += tally.missing();
      firstError = firstError.isEmpty() ? tally.firstError() : firstError;
    }
    return new LoadResult(
        all,
        interval.seconds(),
        plan.clients(),
        errors,
        firstError,
        missing,
        triggeringPercent,
        serverCpuSeconds);
  }

  private static void close(ExecutorService threads, List<RecordSession> sessions)
      throws IOException, InterruptedException {
    List<Callable<Void>> closing = new ArrayList<>();
    for (RecordSession session : sessions) {
      closing.add(
          () -> {
            session.close();
            return null;
          });
    }
    for (Future<Void> closed : threads.invokeAll(closing)) {
      result(closed);
    }
  }

  private static <T> T result(Future<T> future) throws IOException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IOException("A client failed: " + e.getCause().getMessage(), e.getCause());
    }
  }
}
