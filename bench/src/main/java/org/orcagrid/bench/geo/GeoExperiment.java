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
package org.orcagrid.bench.geo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.load.LoadPlan;
import org.orcagrid.bench.load.LoadResult;
import org.orcagrid.bench.load.LoadRun;
import org.orcagrid.bench.load.ReadsFrom;
import org.orcagrid.bench.stats.LatencyHistograms;
import org.orcagrid.bench.system.DelayedLinks;
import org.orcagrid.bench.system.ServerAddress;
import org.orcagrid.bench.system.SystemLauncher;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.bench.system.SystemUnderTest;
import org.orcagrid.bench.workload.Workload;

/**
 * Section 5.2.3 of the paper: three regions with a server and some clients each. The clients near
 * the leader and those near the followers are under load at the same time and counted apart.
 */
public final class GeoExperiment {
  private static final int REGIONS = 3;
  private static final double WARM_UP_SECONDS = 2;
  private static final LoadPlan.Data DATA = new LoadPlan.Data(1_000, 100);
  private static final long SEED = 8;

  private final GeoPlan plan;
  private final SystemLauncher launcher;
  private final Consumer<String> progress;
  private final Map<Place, LatencyHistograms> results = new LinkedHashMap<>();

  /** Where a client is. */
  public enum Origin {
    /** In the region of the leader. */
    LEADER("leader", 1),
    /** In the region of a follower. */
    FOLLOWERS("followers", REGIONS - 1);

    private final String title;
    private final int regions;

    Origin(String title, int regions) {
      this.title = title;
      this.regions = regions;
    }

    /** Returns what people read. */
    public String title() {
      return title;
    }
  }

  /** Some clients of a system under a workload. */
  public record Place(String system, Workload workload, Origin origin) {}

  private GeoExperiment(GeoPlan plan, SystemLauncher launcher, Consumer<String> progress) {
    this.plan = plan;
    this.launcher = launcher;
    this.progress = progress;
  }

  /**
   * Measures everything in the plan; no process is left when it returns or throws.
   *
   * @param progress is told what has been measured
   * @throws IOException if a system cannot be started or a client fails
   */
  public static Map<Place, LatencyHistograms> run(
      GeoPlan plan, SystemLauncher launcher, Consumer<String> progress)
      throws IOException, InterruptedException {
    GeoExperiment experiment = new GeoExperiment(plan, launcher, progress);
    for (SystemSpec system : plan.systems()) {
      experiment.measure(system);
    }
    return experiment.results;
  }

  private void measure(SystemSpec spec) throws IOException, InterruptedException {
    ExperimentPlan.Servers servers = new ExperimentPlan.Servers(REGIONS, plan.farMs());
    try (SystemUnderTest system = launcher.launch(spec, servers, 0);
        DelayedLinks near = new DelayedLinks(plan.nearMs());
        DelayedLinks far = new DelayedLinks(plan.farMs())) {
      system.awaitServing();
      Regions regions = Regions.of(system, near, far);
      for (int round = 1; round <= plan.rounds(); round++) {
        for (Workload workload : plan.workloads()) {
          measure(system, regions, workload, round);
          progress.accept(spec.title() + ", " + workload + ", round " + round);
        }
      }
    }
  }

  private void measure(SystemUnderTest system, Regions regions, Workload workload, int round)
      throws IOException, InterruptedException {
    ExecutorService both = Executors.newFixedThreadPool(Origin.values().length);
    try {
      Map<Origin, Future<LoadResult>> running = new LinkedHashMap<>();
      for (Origin origin : Origin.values()) {
        LoadPlan load =
            new LoadPlan(
                workload,
                plan.clientsPerRegion() * origin.regions,
                LoadPlan.Pacing.closedLoop(),
                ReadsFrom.ANSWERING,
                new LoadPlan.Time(WARM_UP_SECONDS, plan.seconds()),
                DATA,
                SEED + round);
        IntFunction<ServerAddress> placement = client -> regions.server(origin, client);
        // Tables of their own, since both would fill the same one at the same time.
        String table = "geo-" + origin.title();
        running.put(
            origin,
            both.submit(
                () -> LoadRun.execute(system, load, table, (share, rate) -> {}, placement)));
      }
      for (Map.Entry<Origin, Future<LoadResult>> each : running.entrySet()) {
        Place place = new Place(system.spec().id(), workload, each.getKey());
        results
            .computeIfAbsent(place, any -> new LatencyHistograms())
            .add(each.getValue().get().latencies());
      }
    } catch (ExecutionException e) {
      throw new IOException("A load failed: " + e.getCause().getMessage(), e.getCause());
    } finally {
      both.shutdownNow();
    }
  }

  /** Where clients connect, by where they are. */
  private record Regions(
      ServerAddress leaderNear,
      ServerAddress leaderFar,
      List<ServerAddress> followersNear,
      boolean onlyTheLeaderAnswers) {

    static Regions of(SystemUnderTest system, DelayedLinks near, DelayedLinks far)
        throws IOException, InterruptedException {
      ServerAddress leader = system.leader();
      List<ServerAddress> followers = new ArrayList<>();
      for (ServerAddress server : system.servers()) {
        if (!server.equals(leader)) {
          followers.add(near.to(server));
        }
      }
      return new Regions(
          near.to(leader), far.to(leader), followers, system.spec().onlyTheLeaderAnswers());
    }

    ServerAddress server(Origin origin, int client) {
      if (origin == Origin.LEADER) {
        return leaderNear;
      }
      return onlyTheLeaderAnswers ? leaderFar : followersNear.get(client % followersNear.size());
    }
  }
}
