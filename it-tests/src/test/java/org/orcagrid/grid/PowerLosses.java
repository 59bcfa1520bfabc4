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
package org.orcagrid.grid;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.orcagrid.cli.EnsembleMember;
import org.orcagrid.cli.EnsembleProcesses;
import org.orcagrid.cli.EnsembleSpec;
import org.orcagrid.cli.ServerProgram;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridException;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.transport.tcp.HostPort;

/**
 * Processes of {@link ForgetfulNode} that lose their power all at once: they are killed, and with
 * them goes all that neither their maps nor their servers have forced. They start again on what
 * was.
 */
final class PowerLosses implements FaultyGrid, AutoCloseable {
  private static final int NODES = FaultyProcesses.NODES;
  private static final long LOOK_NANOS = 20_000_000;

  private final EnsembleProcesses processes;
  private final List<HostPort> nodes = new ArrayList<>();

  PowerLosses(Path dir) throws Exception {
    int base = Ports.base();
    for (int node = 0; node < NODES; node++) {
      nodes.add(new HostPort("127.0.0.1", base + node));
    }
    processes =
        EnsembleProcesses.prepare(
            EnsembleSpec.of(NODES, dir).withSettings(Map.of("orca.test.loseUnforced", "true")));
    try {
      start();
    } catch (Exception e) {
      processes.close();
      throw e;
    }
  }

  private void start() throws IOException {
    for (int node = 0; node < NODES; node++) {
      processes.start(
          node + 1,
          new ServerProgram(
              ForgetfulNode.class.getName(),
              List.of(Integer.toString(NODES), nodes.get(node).toString()),
              System.getProperty("java.class.path"),
              MapProcess.FLAGS));
    }
    nodes.forEach(PowerLosses::awaitServing);
  }

  /** A linearizable map is read there. */
  private static void awaitServing(HostPort node) {
    long end = System.nanoTime() + Ports.PATIENCE.toNanos();
    while (true) {
      try (RemoteGrid grid = Grid.connect(RemoteGrid.Settings.of(node.toString()))) {
        grid.map("looked-at", Codec.STRING, Codec.LONG, RemoteLoad.DURABLE)
            .timeout(Duration.ofNanos(Math.max(1, end - System.nanoTime())))
            .get("any");
        return;
      } catch (GridException | IllegalStateException e) {
        if (System.nanoTime() - end > 0) {
          throw new AssertionError(node + " does not serve in time", e);
        }
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
  }

  @Override
  public String clients() {
    return nodes.stream().map(HostPort::toString).collect(Collectors.joining(","));
  }

  @Override
  public void strike(SplittableRandom random) throws IOException {
    for (int node = 1; node <= NODES; node++) {
      processes.process(node).destroyForcibly();
    }
    for (int node = 1; node <= NODES; node++) {
      processes.process(node).onExit().join();
    }
    start();
  }

  /** No node has failed: to lose power is no failure of a node. */
  void requireSound() throws IOException {
    for (EnsembleMember each : processes.members()) {
      for (String line : Files.readAllLines(ForgetfulNode.ledger(each.zooCfg()))) {
        if (line.startsWith("FAILED")) {
          throw new AssertionError("Node " + each.id() + ": " + line);
        }
      }
    }
  }

  @Override
  public void close() {
    processes.close();
  }
}
