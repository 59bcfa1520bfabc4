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
package org.orcagrid.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.geo.client.GeoSettings;
import org.orcagrid.geo.node.GeoConfig;
import org.orcagrid.geo.node.GeoNode;
import org.orcagrid.geo.node.GeoPlan;
import org.orcagrid.server.console.Console;
import org.orcagrid.server.web.PageServer;

/**
 * The page of a store at one of its nodes, and that node's meters for Prometheus. The page only
 * shows. It asks other nodes while a browser has it open.
 */
final class GeoConsole implements AutoCloseable {
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final long SHOWN_NANOS = Duration.ofMillis(500).toNanos();

  private final GeoConfig config;
  private final PageServer pages;

  // Under the lock: who looks while others are asked waits for what comes of it.
  private GeoProbe probe;
  private Shown last;
  private long lastNanos;
  private boolean closed;

  /** What the page shows. */
  record Shown(String name, List<String> datacenters, int partitions, List<Seen> nodes) {}

  /**
   * A node, as it is seen.
   *
   * @param lags by datacenter: entries and milliseconds of the partition that is furthest behind
   */
  record Seen(
      int number,
      String datacenter,
      String address,
      boolean isSelf,
      boolean answers,
      Map<String, Long> counts,
      Map<String, List<Long>> lags) {}

  private GeoConsole(GeoConfig config, PageServer pages) {
    this.config = config;
    this.pages = pages;
  }

  static GeoConsole start(GeoConfig config, GeoNode node) throws IOException {
    PageServer pages = PageServer.on(config.console().resolve());
    GeoConsole console = new GeoConsole(config, pages);
    try {
      pages
          .file("/console.css", Console.class, "console.css")
          .file("/page.js", Console.class, "page.js")
          .library("lit-html", "lit-html.js")
          .library("picocss__pico", "css/pico.min.css")
          .file("/", GeoConsole.class, "geo.html")
          .file("/geo.js", GeoConsole.class, "geo.js")
          .json("/state", query -> console.look())
          .text("/metrics", PROMETHEUS, query -> node.metrics());
      pages.start();
      return console;
    } catch (IOException | RuntimeException e) {
      pages.close();
      throw e;
    }
  }

  int port() {
    return pages.port();
  }

  private synchronized Shown look() throws IOException, InterruptedException {
    if (closed) {
      throw new IOException("The node ends.");
    }
    if (last != null && System.nanoTime() - lastNanos < SHOWN_NANOS) {
      return last;
    }
    if (probe == null) {
      try {
        probe =
            GeoProbe.connect(
                GeoSettings.of(config.plan().text())
                    .name(config.plan().name())
                    .security(config.security().tls(), config.security().secretFile())
                    .timeout(LIMIT));
      } catch (CommandFailure e) {
        throw new IOException(e.getMessage(), e);
      }
    }
    GeoPlan plan = config.plan();
    List<Seen> nodes = new ArrayList<>();
    for (int i = 0; i < plan.nodes().size(); i++) {
      nodes.add(seen(plan, i, probe.ask(plan.nodes().get(i))));
    }
    last =
        new Shown(
            plan.name(),
            plan.datacenters().stream().map(GeoPlan.Datacenter::name).toList(),
            plan.partitions(),
            nodes);
    lastNanos = System.nanoTime();
    return last;
  }

  private static Seen seen(GeoPlan plan, int number, GeoProbe.Said said) {
    Map<String, Long> counts = new HashMap<>();
    Map<String, List<Long>> lags = new HashMap<>();
    if (said != null) {
      for (String name : List.of("leads", "serves", "forwards")) {
        counts.put(name, said.count(name, "true"));
      }
      for (String name : List.of("keys", "deletions", "waiting", "missed", "gaps", "log")) {
        counts.put(name, said.sum(name));
      }
      counts.put("unacknowledged", said.unacknowledged());
      counts.put("partitions", (long) said.partitions().size());
      counts.put("clients", Long.parseLong(said.node().get("clients")));
      counts.put("journal", Long.parseLong(said.node().get("journal")));
      plan.datacenters().forEach(each -> lags.put(each.name(), said.lag(each.name())));
    }
    return new Seen(
        number + 1,
        plan.datacenters().get(plan.datacenter(number)).name(),
        plan.nodes().get(number).toString(),
        number == plan.self(),
        said != null,
        counts,
        lags);
  }

  @Override
  public void close() {
    pages.close();
    synchronized (this) {
      closed = true;
      if (probe != null) {
        probe.close();
      }
    }
  }
}
