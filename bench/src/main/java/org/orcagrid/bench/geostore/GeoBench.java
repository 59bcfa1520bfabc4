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
package org.orcagrid.bench.geostore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.orcagrid.bench.compare.ProcessReaper;
import org.orcagrid.bench.stats.Spread;
import org.orcagrid.bench.system.ProcessFacts;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.client.GeoSession;
import org.orcagrid.geo.client.GeoView;
import org.orcagrid.geo.client.RemoteGeo;
import org.orcagrid.geo.session.WriteGuarantee;

/** Measures a store's start, rest, stall and return, each beside its goal. */
public final class GeoBench {
  /** Writes under way while keys are filled in. */
  private static final int FILLING = 512;

  private static final int KEY_BYTES = 10;

  private final GeoBenchPlan plan;
  private final GeoStore store;
  private final Consumer<String> progress;
  private final List<GeoFigure> figures = new ArrayList<>();
  private final Map<String, Integer> threadNames = new TreeMap<>();

  private GeoBench(GeoBenchPlan plan, GeoStore store, Consumer<String> progress) {
    this.plan = plan;
    this.store = store;
    this.progress = progress;
  }

  /**
   * Measures everything in the plan; no node is left when it returns or throws.
   *
   * @param home where the nodes' files are; the caller's to delete
   * @param progress is told what has been measured
   * @throws IOException if a node does not serve
   */
  public static List<GeoFigure> run(GeoBenchPlan plan, Path home, Consumer<String> progress)
      throws IOException, InterruptedException, CommandFailure {
    if (!Files.isDirectory(Path.of("/proc/self"))) {
      throw new CommandFailure("Threads and memory of processes are told by Linux only.");
    }
    try (ProcessReaper reaper = new ProcessReaper()) {
      GeoBench bench = new GeoBench(plan, new GeoStore(home, plan.partitions(), reaper), progress);
      long listening = bench.start();
      try (RemoteGeo geo = RemoteGeo.connect(bench.store.settings())) {
        bench.run(geo, listening);
      }
      return List.copyOf(bench.figures);
    }
  }

  private void add(GeoFigure figure) {
    figures.add(figure);
    progress.accept(figure.line());
  }

  /** Starts all nodes; when the last listened. */
  private long start() throws IOException, InterruptedException {
    for (int node = 0; node < GeoStore.NODES; node++) {
      store.start(node);
    }
    long last = 0;
    for (int node = 0; node < GeoStore.NODES; node++) {
      last = Math.max(last, store.awaitListening(node));
    }
    return last;
  }

  private void run(RemoteGeo geo, long listening) throws IOException, InterruptedException {
    double seconds = (store.awaitServing(geo) - listening) / 1e9;
    add(GeoFigure.atMost("all leaders, after the last node listens (s)", 5, seconds));
    idle();
    ProcessFacts tracked = new ProcessFacts(store.node(GeoStore.TRACKED));
    long heapBefore = tracked.heapBytes();
    long directBefore = tracked.directBytes();
    if (plan.rounds() > 0) {
      stall(geo);
    }
    if (plan.keys() > 0) {
      fill(geo);
      comesBack(geo, heapBefore, directBefore);
    }
  }

  private void idle() throws IOException, InterruptedException {
    TimeUnit.SECONDS.sleep(plan.settleSeconds());
    Duration before = store.processorTime();
    long begin = System.nanoTime();
    TimeUnit.MILLISECONDS.sleep((long) (plan.idleSeconds() * 1_000));
    double cores =
        store.processorTime().minus(before).toNanos() / (double) (System.nanoTime() - begin);
    add(
        GeoFigure.atMost(
            "all six nodes idle, " + plan.settleSeconds() + " s after their start (% of a core)",
            15,
            100 * cores));
    int threads = 0;
    double megabytes = 0;
    for (int node = 0; node < GeoStore.NODES; node++) {
      ProcessFacts facts = new ProcessFacts(store.node(node));
      threads = Math.max(threads, facts.ownThreads());
      megabytes = Math.max(megabytes, facts.residentMegabytes());
    }
    add(GeoFigure.atMost("threads of a node, beside the JVM's own", 12, threads));
    for (String each : new ProcessFacts(store.node(0)).threadNames()) {
      threadNames.merge(each.replaceAll("[#\\d]+$", ""), 1, Integer::sum);
    }
    progress.accept("threads of node 0, the JVM's own included: " + threadNames);
    add(GeoFigure.atMost("memory of an idle node (MB resident)", 150, megabytes));
  }

  private void stall(RemoteGeo geo) throws IOException, InterruptedException {
    OthersLoad load = new OthersLoad(geo, store.partitions(), plan.threads());
    List<OthersLoad.Seen> calm = new ArrayList<>();
    List<OthersLoad.Seen> stalled = new ArrayList<>();
    try {
      // Code is compiled before the first figure.
      load.measure(plan.seconds());
      for (int round = 0; round < plan.rounds(); round++) {
        // By turns the one or the other is first, so that a drift meets both.
        for (boolean stalls : new boolean[] {round % 2 == 1, round % 2 == 0}) {
          store.stall(stalls);
          TimeUnit.SECONDS.sleep(1);
          OthersLoad.Seen seen = load.measure(plan.seconds());
          (stalls ? stalled : calm).add(seen);
          progress.accept((stalls ? "one stalls: " : "calm: ") + seen);
        }
      }
    } finally {
      store.stall(false);
      load.end();
    }
    String others = " of the others while one of " + store.partitions() + " stalls (% change)";
    add(
        GeoFigure.atLeast(
            "throughput" + others, -5, change(calm, stalled, OthersLoad.Seen::perSecond)));
    add(GeoFigure.atMost("p99" + others, 5, change(calm, stalled, OthersLoad.Seen::p99Millis)));
  }

  private static double change(
      List<OthersLoad.Seen> calm,
      List<OthersLoad.Seen> stalled,
      ToDoubleFunction<OthersLoad.Seen> what) {
    double ratio = Spread.ofRatios(stalled, calm, what).orElseThrow().median();
    return 100 * (ratio - 1);
  }

  private void fill(RemoteGeo geo) throws InterruptedException {
    long begin = System.nanoTime();
    Semaphore room = new Semaphore(FILLING);
    List<Throwable> failures = new ArrayList<>();
    try (GeoSession session = geo.openSession()) {
      GeoView<byte[], byte[]> view = OthersLoad.view(session);
      for (long key = 0; key < plan.keys(); key++) {
        room.acquire();
        CompletableFuture<Version> written =
            view.putAsync(
                OthersLoad.key(key), new byte[OthersLoad.VALUE_BYTES], WriteGuarantee.EVENTUAL);
        Object unused =
            written.whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    synchronized (failures) {
                      failures.add(failure);
                    }
                  }
                  room.release();
                });
      }
      room.acquire(FILLING);
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    progress.accept(
        plan.keys()
            + " keys written in "
            + Math.round(seconds)
            + " s, "
            + failures.size()
            + " not");
  }

  /** The other datacenter's last node has got them by forwarding; it is killed and comes back. */
  private void comesBack(RemoteGeo geo, long heapBefore, long directBefore)
      throws IOException, InterruptedException {
    awaitKeys(geo);
    ProcessFacts tracked = new ProcessFacts(store.node(GeoStore.TRACKED));
    long heap = tracked.heapBytes() - heapBefore;
    long direct = tracked.directBytes() - directBefore;
    double aKey = (heap + direct) / (double) plan.keys() - KEY_BYTES - OthersLoad.VALUE_BYTES;
    progress.accept(
        "heap " + heap / plan.keys() + " and outside " + direct / plan.keys() + " bytes a key");
    add(GeoFigure.atMost("memory beside key and value (bytes a key)", 200, aKey));
    Process node = store.node(GeoStore.TRACKED);
    node.destroyForcibly();
    node.waitFor();
    long begin = System.nanoTime();
    store.start(GeoStore.TRACKED);
    double seconds = (store.awaitServing(geo, GeoStore.TRACKED) - begin) / 1e9;
    add(GeoFigure.atMost("a node with " + plan.keys() + " keys is back (s)", 5, seconds));
    ProcessFacts back = new ProcessFacts(store.node(GeoStore.TRACKED));
    long again = back.heapBytes() - heapBefore + back.directBytes() - directBefore;
    progress.accept(
        "after its return "
            + (again / plan.keys() - KEY_BYTES - OthersLoad.VALUE_BYTES)
            + " bytes a key beside key and value");
  }

  private void awaitKeys(RemoteGeo geo) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (keys(geo) < plan.keys()) {
      if (System.nanoTime() - end > 0) {
        throw new IOException("The other datacenter does not get the keys");
      }
      TimeUnit.SECONDS.sleep(1);
    }
  }

  private long keys(RemoteGeo geo) throws InterruptedException {
    long sum = 0;
    for (String word : store.status(geo, GeoStore.TRACKED).split("\\s+")) {
      if (word.startsWith("keys=")) {
        sum += Long.parseLong(word.substring("keys=".length()));
      }
    }
    return sum;
  }
}
