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
package org.orcagrid.examples.jobs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.client.Grid;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.examples.demo.DemoServer;
import org.orcagrid.examples.demo.Loop;
import org.orcagrid.examples.demo.Opened;
import org.orcagrid.examples.demo.Shown;
import org.orcagrid.server.web.PageServer;

/** Two queues side by side on one grid, and the page that kills its nodes. */
public final class JobsServer implements Shown {
  private static final long FAULT_EVERY_MILLIS = 8_000;
  private static final List<String> FAULTS = List.of("1", "all", "2", "all", "3", "all");

  private final Opened opened = new Opened();
  private final List<Lane> lanes = new ArrayList<>();
  private Nodes nodes;
  private PageServer pages;
  private volatile boolean faultsByThemselves;
  private int faultsCaused;

  private JobsServer(boolean faults) {
    this.faultsByThemselves = faults;
  }

  /**
   * Starts the grid, the jobs and the page.
   *
   * @param folder gets the nodes' files
   * @param port of the page; 0 for any that is free
   * @param nodesPort of the first node; those of the others follow
   * @param faults whether nodes are killed by themselves from the beginning
   * @throws IOException if one of them cannot be started
   * @throws CommandFailure if the grid does not serve, saying why
   */
  public static JobsServer start(Path folder, int port, int nodesPort, boolean faults)
      throws IOException, CommandFailure, InterruptedException {
    JobsServer server = new JobsServer(faults);
    try {
      server.begin(folder, port, nodesPort);
      return server;
    } catch (IOException | CommandFailure | InterruptedException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private void begin(Path folder, int port, int nodesPort)
      throws IOException, CommandFailure, InterruptedException {
    nodes = Nodes.start(folder, nodesPort);
    opened.add(nodes);
    RemoteGrid grid = Grid.connect(nodes.clients());
    opened.add(grid);
    for (Lane.Kind kind : Lane.Kind.values()) {
      Lane lane = new Lane(kind, grid);
      lanes.add(lane);
      opened.add(lane);
    }
    serve(port);
    opened.add(Loop.start("jobs-script", this::faultAfterAWhile));
  }

  private void serve(int port) throws IOException {
    pages =
        PageServer.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .file("/", JobsServer.class, "jobs.html")
            .file("/page.js", JobsServer.class, "jobs.js")
            .file("/demo.js", DemoServer.class, "demo.js")
            .file("/demo.css", DemoServer.class, "demo.css")
            .library("lit-html", "lit-html.js")
            .library("picocss__pico", "css/pico.min.css")
            .json("/state", query -> state())
            .action("/fault", this::fault)
            .start();
    opened.add(pages);
  }

  private Map<String, Object> state() {
    return Map.of(
        "faults",
        faultsByThemselves,
        "fault",
        nodes.fault(),
        "nodes",
        nodes.state(),
        "lanes",
        lanes.stream().map(Lane::state).toList());
  }

  private Map<String, Object> fault(Map<String, String> wish) {
    String kind = wish.getOrDefault("kind", "");
    if (kind.equals("auto")) {
      faultsByThemselves = !faultsByThemselves;
      return Map.of("done", true);
    }
    return Map.of("done", nodes.offer(kind));
  }

  private void faultAfterAWhile() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(FAULT_EVERY_MILLIS);
    if (faultsByThemselves && nodes.offer(FAULTS.get(faultsCaused % FAULTS.size()))) {
      faultsCaused++;
    }
  }

  @Override
  public String address() {
    return "http://127.0.0.1:" + pages.port() + "/";
  }

  @Override
  public void close() {
    opened.close();
  }
}
