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
package org.orcagrid.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.apache.zookeeper.common.X509Exception;
import org.orcagrid.server.role.OrcaRole;
import org.orcagrid.server.settings.OrcaConfigException;

/** Servers of one ensemble in this JVM, on ports of the loopback address. */
public final class EmbeddedEnsemble implements AutoCloseable {

  private static final long ELECTION_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final int ANSWER_MILLIS = 1_000;

  private final List<Path> configurations = new ArrayList<>();
  private final List<OrcaServer> servers = new ArrayList<>();
  private final List<Integer> clientPorts = new ArrayList<>();
  private UnaryOperator<OrcaServerConfig> adjustment = UnaryOperator.identity();

  /** Writes the configurations of {@code count} servers below {@code dir}. */
  public EmbeddedEnsemble(Path dir, int count, Map<String, String> settings) throws IOException {
    List<Integer> ports = freePorts(3 * count);
    StringBuilder members = new StringBuilder();
    for (int i = 0; i < count; i++) {
      members.append(
          "server.%d=127.0.0.1:%d:%d;127.0.0.1:%d%n"
              .formatted(i + 1, ports.get(3 * i), ports.get(3 * i + 1), ports.get(3 * i + 2)));
      clientPorts.add(ports.get(3 * i + 2));
    }
    for (int i = 0; i < count; i++) {
      Path data = Files.createDirectories(dir.resolve("server" + (i + 1)));
      Files.writeString(data.resolve("myid"), Integer.toString(i + 1));
      StringBuilder text =
          new StringBuilder(
              "tickTime=500\ninitLimit=20\nsyncLimit=10\nadmin.enableServer=false\n"
                  // On a busy machine a server may be without a lease for a while.
                  + "4lw.commands.whitelist=*\norca.readHoldMs=60000\ndataDir="
                  + data
                  + "\n"
                  + members);
      settings.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
      configurations.add(Files.writeString(data.resolve("zoo.cfg"), text));
      servers.add(null);
    }
  }

  /** Changes each server's configuration before it is started. */
  public EmbeddedEnsemble adjusted(UnaryOperator<OrcaServerConfig> change) {
    adjustment = change;
    return this;
  }

  /** Starts all servers. */
  public EmbeddedEnsemble start() throws IOException, OrcaConfigException {
    for (int i = 0; i < servers.size(); i++) {
      start(i);
    }
    return this;
  }

  /** Starts one server. */
  public void start(int i) throws IOException, OrcaConfigException {
    servers.set(
        i, OrcaServer.start(adjustment.apply(OrcaServerConfig.fromZooCfg(configurations.get(i)))));
  }

  /** Stops one server. */
  public void stop(int i) {
    OrcaServer server = servers.get(i);
    if (server != null) {
      server.close();
      servers.set(i, null);
    }
  }

  /** Returns when one server has stopped by itself. */
  public void awaitStopped(int i) throws InterruptedException {
    servers.get(i).join();
  }

  /** What one server does about durability in its present part; null while it has none. */
  public OrcaRole role(int i) {
    return servers.get(i).role();
  }

  /** How many servers there are. */
  public int size() {
    return servers.size();
  }

  /** Where clients of one server connect. */
  public String connectString(int i) {
    return "127.0.0.1:" + clientPorts.get(i);
  }

  /** Where clients of any server connect. */
  public String connectString() {
    List<String> all = new ArrayList<>();
    clientPorts.forEach(port -> all.add("127.0.0.1:" + port));
    return String.join(",", all);
  }

  /** A client that is connected. */
  public static ZooKeeper connect(String connectString) throws IOException, InterruptedException {
    awaitElected(connectString);
    CountDownLatch connected = new CountDownLatch(1);
    Watcher watcher =
        (WatchedEvent event) -> {
          if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
            connected.countDown();
          }
        };
    ZooKeeper client = new ZooKeeper(connectString, 10_000, watcher);
    if (!connected.await(30, TimeUnit.SECONDS)) {
      client.close();
      throw new IOException("No connection to " + connectString + " within 30 s");
    }
    return client;
  }

  /** A client that is refused waits for a second or two before it asks again. */
  private static void awaitElected(String connectString) {
    long end = System.nanoTime() + ELECTION_NANOS;
    for (String server : connectString.split(",")) {
      while (isElecting(server) && System.nanoTime() - end < 0) {
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
  }

  /** Whether the server answers that it does not serve. Its client finds any other failure. */
  private static boolean isElecting(String server) {
    int colon = server.indexOf(':');
    int port = Integer.parseInt(server.substring(colon + 1));
    try {
      return FourLetterWordMain.send4LetterWord(
              server.substring(0, colon), port, "srvr", false, ANSWER_MILLIS)
          .contains("not currently serving");
    } catch (IOException | X509Exception.SSLContextException e) {
      return false;
    }
  }

  @Override
  public void close() {
    for (int i = 0; i < servers.size(); i++) {
      stop(i);
    }
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }
}
