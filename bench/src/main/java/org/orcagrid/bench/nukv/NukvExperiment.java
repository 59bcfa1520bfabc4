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
package org.orcagrid.bench.nukv;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.FreePorts;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.geo.client.GeoSettings;
import org.orcagrid.geo.client.RemoteGeo;
import org.orcagrid.geo.log.RaftKind;
import org.orcagrid.geo.node.GeoConfig;
import org.orcagrid.geo.node.GeoNode;
import org.orcagrid.geo.node.GeoPlan;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.PortSecurity;

/**
 * Measures NuKV's figures (section 6): one partition, two datacenters of three nodes that are 15 ms
 * apart, and threads at each that do one operation after the other. Nodes and clients are in this
 * JVM, over loopback; journals are forced. The cases take turns in each round.
 */
public final class NukvExperiment {
  private static final List<String> DATACENTERS = List.of("west", "east");

  private final NukvPlan plan;
  private final Path folder;
  private final Consumer<String> progress;
  private final Map<NukvResult.Place, List<NukvResult.Rate>> rates = new LinkedHashMap<>();

  private NukvExperiment(NukvPlan plan, Path folder, Consumer<String> progress) {
    this.plan = plan;
    this.folder = folder;
    this.progress = progress;
  }

  /**
   * Measures everything in the plan; no node is left when it returns or throws.
   *
   * @param folder where the nodes' files are
   * @param progress is told what has been measured
   * @throws IOException if a node cannot be started, or has failed
   */
  public static NukvResult run(NukvPlan plan, Path folder, Consumer<String> progress)
      throws IOException, InterruptedException, CommandFailure {
    NukvExperiment experiment = new NukvExperiment(plan, folder, progress);
    for (int lag : plan.lagsMillis()) {
      experiment.measure(lag);
    }
    return new NukvResult(plan, experiment.rates);
  }

  private void measure(int lagMillis) throws IOException, InterruptedException, CommandFailure {
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    GeoPlan store = store();
    List<GeoNode> nodes = new ArrayList<>();
    try {
      for (int i = 0; i < store.nodes().size(); i++) {
        GeoConfig config =
            new GeoConfig(
                store.at(i),
                folder.resolve("lag-" + lagMillis).resolve("node-" + i),
                1,
                SegmentLimits.DEFAULT.bytesMax(),
                RaftKind.NAME,
                PortSecurity.NONE,
                null,
                new GeoConfig.Trial(NukvPlan.WAN_MILLIS, lagMillis, -1));
        nodes.add(GeoNode.start(config, LinkListener.NONE, failures::add));
      }
      measure(lagMillis, store);
    } finally {
      nodes.forEach(GeoNode::close);
    }
    if (!failures.isEmpty()) {
      throw new IOException("A node has failed: " + failures.peek(), failures.peek());
    }
  }

  private static GeoPlan store() throws CommandFailure {
    List<Integer> ports = FreePorts.find(DATACENTERS.size() * NukvPlan.REPLICAS, new Random());
    List<GeoPlan.Datacenter> datacenters = new ArrayList<>();
    for (int i = 0; i < DATACENTERS.size(); i++) {
      datacenters.add(
          new GeoPlan.Datacenter(
              DATACENTERS.get(i),
              ports.subList(i * NukvPlan.REPLICAS, (i + 1) * NukvPlan.REPLICAS).stream()
                  .map(port -> new HostPort("127.0.0.1", port))
                  .toList()));
    }
    return new GeoPlan("geo", datacenters, 1, NukvPlan.REPLICAS, -1);
  }

  private void measure(int lagMillis, GeoPlan store) throws InterruptedException {
    NukvCase[] all = NukvCase.values();
    // Leaders are elected and code is compiled before the first figure.
    for (NukvCase each : all) {
      measure(store, each, plan.points().get(0));
    }
    for (int round = 1; round <= plan.rounds(); round++) {
      for (NukvPlan.Point point : plan.points()) {
        for (int i = 0; i < all.length; i++) {
          // Each round begins with another one, so that a slow drift meets all alike.
          NukvCase line = all[(i + round - 1) % all.length];
          NukvResult.Rate rate = measure(store, line, point);
          rates
              .computeIfAbsent(
                  new NukvResult.Place(lagMillis, line, point), none -> new ArrayList<>())
              .add(rate);
          progress.accept(
              line.title() + ", " + point + ", lag " + lagMillis + " ms, round " + round);
        }
      }
    }
  }

  private NukvResult.Rate measure(GeoPlan store, NukvCase line, NukvPlan.Point point)
      throws InterruptedException {
    List<RemoteGeo> clients = new ArrayList<>();
    try {
      List<NukvClient> threads = new ArrayList<>();
      for (String home : DATACENTERS) {
        RemoteGeo geo = RemoteGeo.connect(settings(store, home, line));
        clients.add(geo);
        for (int i = 0; i < point.clients(); i++) {
          threads.add(new NukvClient(geo, home, line, point, threads.size()));
        }
      }
      return NukvClient.run(threads, plan, DATACENTERS.size());
    } finally {
      clients.forEach(RemoteGeo::close);
    }
  }

  private static GeoSettings settings(GeoPlan store, String home, NukvCase line) {
    return new GeoSettings(
        store.name(),
        store.datacenters(),
        home,
        null,
        Duration.ofSeconds(20),
        null,
        null,
        new GeoSettings.Trial(Duration.ofMillis(NukvPlan.WAN_MILLIS), !line.isHybrid()));
  }
}
