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
package org.orcagrid.jmh.client;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.MemberGrid;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.map.LocalViews;
import org.orcagrid.ddp.membership.Shares;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.jmh.Folders;
import org.orcagrid.jmh.SameData;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.transport.tcp.HostPort;

/**
 * A map of two copies through a node that has it, beside the same map through the third node, which
 * forwards: three nodes in this JVM, over TCP on loopback, in memory only.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
public class ForwardingBenchmark {
  private static final int NODES = 3;
  private static final int COPIES = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The grid, and a map at one of its nodes or through it. */
  @State(Scope.Benchmark)
  public static class Running {
    /** Whether the node that is used has the map. */
    @Param({"home", "forwards"})
    String node;

    /** Whether the program is that node, or its client. */
    @Param({"member", "client"})
    String program;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final byte[] value = SameData.value(0);
    private Path folder;
    private GridMap<Long, byte[]> map;

    /** Starts it. */
    @Setup
    public void start() throws Exception {
      folder = Folders.create("forwarding");
      List<HostPort> addresses = addresses();
      LocalViews views =
          LocalViews.open(
              NODES,
              KiteSettings.NODES_MAX,
              folder.resolve("views"),
              System::nanoTime,
              Thread::new);
      List<MemberGrid> members = new ArrayList<>();
      for (int each = 0; each < NODES; each++) {
        HostPort address = addresses.get(each);
        NodeSettings settings =
            NodeSettings.of("jmh", NODES, address, folder.resolve("node" + each));
        members.add(Grid.join(settings, views.membership(each, address.toString())));
      }
      for (MemberGrid each : members) {
        if (!each.awaitServing(PATIENCE)) {
          throw new IllegalStateException("It does not serve: " + each.failure());
        }
      }
      opened.addAll(members);
      opened.add(views);
      int homes = Shares.NONE.homes(1, COPIES, Quorum.all(NODES));
      int used =
          Integer.numberOfTrailingZeros(node.equals("home") ? homes : Quorum.all(NODES) & ~homes);
      map = through(members.get(used), addresses.get(used));
      map.set(1L, value);
    }

    private GridMap<Long, byte[]> through(MemberGrid member, HostPort address) {
      GridMaps grid = member;
      if (program.equals("client")) {
        RemoteGrid client =
            Grid.connect(new RemoteGrid.Settings(List.of(address), "jmh", null, PATIENCE));
        opened.add(client);
        grid = client;
      }
      return grid.copies(COPIES)
          .map("map", Codec.LONG, Codec.BYTES, Ddp.parse("linearizable/none"));
    }

    private static List<HostPort> addresses() throws IOException {
      List<HostPort> free = new ArrayList<>();
      List<ServerSocket> sockets = new ArrayList<>();
      for (int each = 0; each < NODES; each++) {
        ServerSocket socket = new ServerSocket(0);
        sockets.add(socket);
        free.add(new HostPort("localhost", socket.getLocalPort()));
      }
      for (ServerSocket socket : sockets) {
        socket.close();
      }
      return free;
    }

    /** Ends it. */
    @TearDown
    public void close() throws Exception {
      for (int i = opened.size() - 1; i >= 0; i--) {
        opened.get(i).close();
      }
      Folders.delete(folder);
    }
  }

  /** Reads. */
  @Benchmark
  public byte[] get(Running grid) {
    return grid.map.get(1L);
  }

  /** Writes, which asks the other home. */
  @Benchmark
  public void set(Running grid) {
    grid.map.set(1L, grid.value);
  }
}
