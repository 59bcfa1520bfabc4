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
package org.apache.zookeeper.server.quorum;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.OrcaSyncRequestProcessor;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.RequestProcessor;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.quorum.QuorumPeer.QuorumServer;
import org.apache.zookeeper.server.quorum.flexible.QuorumMaj;
import org.apache.zookeeper.txn.SetDataTxn;
import org.apache.zookeeper.txn.TxnHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.server.log.LogStorage;
import org.orcagrid.server.role.OrcaRole;
import org.orcagrid.server.settings.OrcaSettings;

/** A reconfiguration is on disk before it is acknowledged, whatever the durability of writes. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReconfigDurabilityTest {
  private static final long EPOCH_START = 1L << 32;

  @TempDir Path dir;

  private final List<Path> forcedDirectories = new ArrayList<>();
  private boolean directoriesFail;
  private boolean reconfigEnabledBefore;
  private OrcaQuorumPeer peer;

  private final LogStorage storage =
      new LogStorage() {
        private final LogStorage files = LogStorage.files();

        @Override
        public LogFile create(Path file) throws IOException {
          return files.create(file);
        }

        @Override
        public void forceFile(Path file) throws IOException {
          files.forceFile(file);
        }

        @Override
        public void forceDirectory(Path directory) throws IOException {
          if (directoriesFail) {
            throw new IOException("the directory is gone");
          }
          files.forceDirectory(directory);
          forcedDirectories.add(directory);
        }
      };

  @BeforeEach
  void configure() throws IOException {
    reconfigEnabledBefore = QuorumPeerConfig.isReconfigEnabled();
    QuorumPeerConfig.setReconfigEnabled(true);
    File data = Files.createDirectories(dir.resolve("data")).toFile();
    peer = new OrcaQuorumPeer(OrcaSettings.defaults(), storage);
    peer.setTxnFactory(new FileTxnSnapLog(data, data));
    peer.setZKDatabase(null);
    peer.database().loadDataBase();
    Path configuration =
        Files.writeString(
            Files.createDirectories(dir.resolve("conf")).resolve("zoo.cfg"),
            "dataDir=" + data + "\n",
            UTF_8);
    peer.setConfigFileName(configuration.toString());
    forcedDirectories.clear();
  }

  @AfterEach
  void close() throws IOException {
    QuorumPeerConfig.setReconfigEnabled(reconfigEnabledBefore);
    peer.log().close();
  }

  private static QuorumMaj configuration(long version) throws IOException {
    Map<Long, QuorumServer> members = new HashMap<>();
    for (long id = 1; id <= 3; id++) {
      members.put(id, new QuorumServer(id, address(), address(), address()));
    }
    QuorumMaj configuration = new QuorumMaj(members);
    configuration.setVersion(version);
    return configuration;
  }

  private static InetSocketAddress address() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
    }
  }

  @Test
  void theFileOfTheNextConfigurationIsForcedWithItsDirectory() throws IOException {
    peer.setLastSeenQuorumVerifier(configuration(5), true);

    assertTrue(Files.exists(dir.resolve("conf/zoo.cfg.dynamic.next")));
    assertEquals(List.of(dir.resolve("conf").toAbsolutePath()), forcedDirectories);
  }

  @Test
  void soIsThatOfTheConfigurationInForce() throws IOException {
    peer.setQuorumVerifier(configuration(5), true);

    assertTrue(Files.exists(dir.resolve("conf/zoo.cfg.dynamic.5")));
    assertEquals(List.of(dir.resolve("conf").toAbsolutePath()), forcedDirectories);
  }

  @Test
  void aDirectoryThatCannotBeForcedIsNoReasonToAcknowledge() throws IOException {
    QuorumMaj next = configuration(5);
    directoriesFail = true;

    assertThrows(UncheckedIOException.class, () -> peer.setLastSeenQuorumVerifier(next, true));
  }

  @Test
  void aReconfigurationIsForcedBeforeItIsAcknowledged() throws Exception {
    OrcaLeaderZooKeeperServer server =
        new OrcaLeaderZooKeeperServer(peer.log(), peer, peer.database());
    LinkedBlockingQueue<Acknowledged> acknowledged = new LinkedBlockingQueue<>();
    OrcaRole role = peer.newRole(server, new Alone(), OrcaRole.Part.LEADER, EPOCH_START);
    OrcaSyncRequestProcessor processor =
        new OrcaSyncRequestProcessor(
            server,
            new RequestProcessor() {
              @Override
              public void processRequest(Request request) {
                acknowledged.add(new Acknowledged(request.zxid, peer.log().log().persisted()));
              }

              @Override
              public void shutdown() {}
            },
            peer.log(),
            role,
            role::forcesBeforeAcknowledging);
    processor.start();

    processor.processRequest(transaction(EPOCH_START + 1, OpCode.setData, "/n"));
    assertTrue(next(acknowledged).persisted() <= EPOCH_START, "a write is acknowledged at once");

    processor.processRequest(transaction(EPOCH_START + 2, OpCode.reconfig, ZooDefs.CONFIG_NODE));
    assertEquals(
        new Acknowledged(EPOCH_START + 2, EPOCH_START + 2), next(acknowledged), "in its log");
    assertEquals(EPOCH_START + 2, role.persisted(), "and the leader counts it");

    processor.processRequest(transaction(EPOCH_START + 3, OpCode.setData, "/n"));
    assertEquals(
        new Acknowledged(EPOCH_START + 3, EPOCH_START + 2),
        next(acknowledged),
        "a write behind it is acknowledged at once again");
    processor.shutdown();
    role.close();
  }

  private record Acknowledged(long zxid, long persisted) {}

  private static Acknowledged next(LinkedBlockingQueue<Acknowledged> acknowledged)
      throws InterruptedException {
    Acknowledged next = acknowledged.poll(30, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("Nothing is acknowledged");
    }
    return next;
  }

  private static Request transaction(long zxid, int type, String path) {
    Record txn = new SetDataTxn(path, new byte[1], 1);
    Request request = new Request(1, 1, type, new TxnHeader(1, 1, zxid, 0, type), txn, zxid);
    request.setTxn(txn);
    return request;
  }

  /** A role that nobody else hears of. */
  private static final class Alone implements OrcaRole.Ensemble {
    @Override
    public void demand(long durable, long applied) {}

    @Override
    public void onPersisted(long index) {}

    @Override
    public long lastCommitted() {
      return EPOCH_START;
    }
  }
}
