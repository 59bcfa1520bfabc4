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
package org.orcagrid.server.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.metrics.impl.DefaultMetricsProvider;
import org.apache.zookeeper.server.ServerMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.transfer.Progress;
import org.orcagrid.node.KeySettings;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;
import org.orcagrid.server.settings.OrcaConfigException;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.remote.RemoteNode;
import org.slf4j.LoggerFactory;

/** A server that hosts the only node of a grid, by {@code orca.grid} among its settings. */
@Timeout(120)
class HostedGridNodeTest {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
  private static final String GRID = "/orca-grid/hosted";
  private static final String VIEWS = GRID + "/views";
  private static final String NODE = GRID + "/nodes/0";

  @TempDir private Path dir;

  private final EventLoopGroup loops = RemoteNode.newLoops("client");
  private final Queue<String> warnings = new ConcurrentLinkedQueue<>();
  private final Appender<ILoggingEvent> appender = new Warnings();
  private OrcaServer server;

  /** Keeps what is logged. */
  private final class Warnings extends AppenderBase<ILoggingEvent> {
    @Override
    protected void append(ILoggingEvent event) {
      warnings.add(event.getFormattedMessage());
    }
  }

  @BeforeEach
  void listen() {
    appender.start();
    log().addAppender(appender);
  }

  private static Logger log() {
    return (Logger) LoggerFactory.getLogger(HostedGridNode.class);
  }

  @AfterEach
  void stop() {
    server.close();
    log().detachAppender(appender);
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private OrcaServerConfig config(int port) throws OrcaConfigException {
    Properties lines = new Properties();
    lines.setProperty("orca.grid", "127.0.0.1:" + port);
    lines.setProperty("orca.grid.name", "hosted");
    lines.setProperty("orca.grid.value.bytes", "1000");
    lines.setProperty("orca.grid.bytes", Integer.toString(16 << 20));
    lines.setProperty("orca.grid.value.bytes", "4096");
    return OrcaServerConfig.standalone(dir.resolve("server"))
        .withSettings(OrcaSettings.from(lines));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + PATIENCE;
    while (!condition.call()) {
      assertTrue(System.nanoTime() - end < 0, what);
      LockSupport.parkNanos(5_000_000);
    }
  }

  /** Whether a client gets a session at the node. */
  private boolean serves(int port) throws InterruptedException {
    try (RemoteNode node =
        RemoteNode.connect(
                new HostPort("127.0.0.1", port), "hosted", RemoteNode.Credentials.NONE, loops)
            .toCompletableFuture()
            .get(10, TimeUnit.SECONDS)) {
      Progress progress = node.progress().toCompletableFuture().get(10, TimeUnit.SECONDS);
      assertFalse(progress.isUnderWay(), "nobody has more than a node alone");
      return node.openSession().toCompletableFuture().get(10, TimeUnit.SECONDS) != null;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  /** What the metrics provider shows of a node of a grid. */
  private static List<String> gauges() {
    Set<String> names = new TreeSet<>();
    ServerMetrics.getMetrics().getMetricsProvider().dump((name, value) -> names.add(name));
    return names.stream().filter(name -> name.startsWith("orca_grid")).toList();
  }

  private static int lastView(ZooKeeper client) throws Exception {
    return client.getChildren(VIEWS, false).stream().mapToInt(Integer::parseInt).max().orElse(0);
  }

  @Test
  void aNodeThatHasFailedJoinsAgainWhenItCan() throws Exception {
    int port = freePort();
    server = OrcaServer.start(config(port));
    await("the node serves", () -> serves(port));
    try (ZooKeeper client = new ZooKeeper(server.connectString(), 10_000, event -> {})) {
      Stat first = client.exists(NODE, false);
      int view = lastView(client);
      Map<String, byte[]> views = new TreeMap<>();
      for (String each : client.getChildren(VIEWS, false)) {
        views.put(each, client.getData(VIEWS + "/" + each, false, null));
        client.delete(VIEWS + "/" + each, -1);
      }
      // A node whose view the ensemble does not know any more ends, and is no node without it.
      await("the node has failed", () -> client.exists(NODE, false) == null && !serves(port));
      assertEquals(0, lastView(client), "it has made no view of its own");
      for (Map.Entry<String, byte[]> each : views.entrySet()) {
        client.create(
            VIEWS + "/" + each.getKey(),
            each.getValue(),
            Ids.OPEN_ACL_UNSAFE,
            CreateMode.PERSISTENT);
      }
      await("the node serves again", () -> serves(port));
      assertNotEquals(first.getCzxid(), client.exists(NODE, false).getCzxid());
      assertTrue(lastView(client) > view, "it has joined in a later view");
    }
  }

  @Test
  void theMetricsShowHowFarTheNodeIs() throws Exception {
    server = OrcaServer.start(OrcaServerConfig.standalone(dir.resolve("server")));
    ServerMetrics.metricsProviderInitialized(new DefaultMetricsProvider());
    NodeSettings settings =
        NodeSettings.of("hosted", 1, new HostPort("127.0.0.1", freePort()), dir.resolve("node"))
            .withEnsemble(server.connectString())
            .withKeys(new KeySettings(4, 4096, 16 << 20));
    List<String> all =
        List.of(
            "orca_grid_catch_up_bytes",
            "orca_grid_catch_up_entries",
            "orca_grid_catch_up_entries_max",
            "orca_grid_catch_up_pages",
            "orca_grid_catch_up_parts_left");
    try (HostedGridNode node = HostedGridNode.start(settings)) {
      await("it shows them", () -> gauges().equals(all));
    }
    assertEquals(List.of(), gauges(), "of a node that is gone");
  }

  @Test
  void aServerWhoseNodeCannotListenServesAndTheNodeJoinsWhenItCan() throws Exception {
    int port;
    try (ServerSocket taken = new ServerSocket(0)) {
      port = taken.getLocalPort();
      server = OrcaServer.start(config(port));
      try (ZooKeeper client = new ZooKeeper(server.connectString(), 10_000, event -> {})) {
        client.create("/works", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        await("it has tried", () -> warnings.stream().anyMatch(each -> each.contains("again")));
      }
      assertTrue(warnings.toString().contains("127.0.0.1:" + port), warnings::toString);
    }
    await("the node serves", () -> serves(port));
  }
}
