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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.RequestRecord;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.admin.AdminServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.quorum.QuorumPeer.QuorumServer;
import org.apache.zookeeper.server.quorum.flexible.QuorumMaj;
import org.apache.zookeeper.server.util.ZxidUtils;
import org.apache.zookeeper.txn.SetDataTxn;
import org.apache.zookeeper.txn.TxnHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.server.log.LogStorage;
import org.orcagrid.server.role.OrcaRole;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.server.wire.PeerMessage;
import org.orcagrid.server.wire.PeerMessageCodec;

/** A leader without its threads and learners: server 1 of three. */
class OrcaLeaderTest {
  private static final long EPOCH_START = 1L << 32;
  private static final long FOLLOWER = 2;
  private static final long JOINER = 4;
  private static final byte[] NONE = {};

  @TempDir Path dir;

  private OrcaQuorumPeer peer;
  private OrcaLeader leader;
  private OrcaRole role;

  @BeforeEach
  void lead() throws IOException {
    create("data");
    leader.begin(role, EPOCH_START);
  }

  private void create(String folder) throws IOException {
    create(folder, OrcaSettings.defaults());
  }

  private void create(String folder, OrcaSettings settings) throws IOException {
    File data = Files.createDirectories(dir.resolve(folder)).toFile();
    peer = new OrcaQuorumPeer(settings, LogStorage.files());
    peer.setTxnFactory(new FileTxnSnapLog(data, data));
    peer.setZKDatabase(null);
    peer.setMyid(1);
    peer.setTickTime(2000);
    peer.setInitLimit(10);
    peer.setSyncLimit(5);
    peer.setQuorumVerifier(new QuorumMaj(members(3)), false);
    peer.database().loadDataBase();
    OrcaLeaderZooKeeperServer server =
        new OrcaLeaderZooKeeperServer(peer.log(), peer, peer.database());
    leader = new OrcaLeader(peer, server);
    role = peer.newRole(server, leader.coordinator(), OrcaRole.Part.LEADER, EPOCH_START);
  }

  private static Map<Long, QuorumServer> members(int count) throws IOException {
    Map<Long, QuorumServer> members = new HashMap<>();
    for (long id = 1; id <= count; id++) {
      members.put(
          id,
          new QuorumServer(
              id, new InetSocketAddress(InetAddress.getLoopbackAddress(), freePort())));
    }
    return members;
  }

  /** The ensemble has this many members from now on. */
  private void reconfigure(int count, long version) throws IOException {
    QuorumMaj configuration = new QuorumMaj(members(count));
    configuration.setVersion(version);
    peer.setQuorumVerifier(configuration, false);
  }

  @AfterEach
  void stop() throws IOException {
    leader.end();
    leader.closeSockets();
    role.close();
    peer.log().close();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private LearnerHandler connect(long sid) throws IOException {
    LearnerHandler learner =
        new LearnerHandler(
            new Socket(), new BufferedInputStream(InputStream.nullInputStream()), leader);
    learner.sid = sid;
    leader.startForwarding(learner, EPOCH_START);
    return learner;
  }

  private void receive(LearnerHandler from, PeerMessage message) {
    Request request =
        new Request(
            null,
            0,
            0,
            PeerMessage.OPCODE,
            RequestRecord.fromBytes(PeerMessageCodec.encode(message)),
            null);
    request.setOwner(from);
    leader.submitLearnerRequest(request);
  }

  @Test
  void theDurableIndexAdvancesWhenAMajorityHasPersisted() throws IOException {
    LearnerHandler follower = connect(FOLLOWER);
    receive(follower, new PeerMessage.Hello(EPOCH_START, EPOCH_START));
    leader.coordinator().onPersisted(EPOCH_START + 5);
    assertEquals(EPOCH_START, role.durableIndex());

    receive(follower, new PeerMessage.Progress(EPOCH_START + 4, EPOCH_START + 4));
    assertEquals(EPOCH_START + 4, role.durableIndex());
  }

  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aServerThatIsReconfiguredInEntersTheActiveSetAndOneThatIsReconfiguredOutLeavesIt()
      throws Exception {
    LearnerHandler joiner = connect(JOINER);
    receive(joiner, new PeerMessage.Hello(EPOCH_START, EPOCH_START));
    assertEquals(1, leader.coordinator().activeSetSize(), "it has no vote");

    reconfigure(4, 1);
    awaitActive(2);
    assertTrue(leader.coordinator().voters().get(JOINER).active());

    reconfigure(3, 2);
    awaitActive(1);
  }

  /** The next heartbeats see to it. */
  private void awaitActive(int size) {
    while (leader.coordinator().activeSetSize() != size) {
      Thread.onSpinWait();
    }
  }

  @Test
  void anAcknowledgementOfALearnerThatReportsWhatItPersistedIsNotTakenForThat() throws IOException {
    LearnerHandler follower = connect(FOLLOWER);
    receive(follower, new PeerMessage.Hello(EPOCH_START, EPOCH_START));
    leader.processAck(FOLLOWER, EPOCH_START + 7, null);

    assertEquals(EPOCH_START, leader.coordinator().voters().get(FOLLOWER).persisted());
  }

  @Test
  void thatOfALateWriteIsSinceItWasForcedBefore() throws IOException {
    LearnerHandler follower = connect(FOLLOWER);
    receive(follower, new PeerMessage.Hello(EPOCH_START, EPOCH_START));
    Outstanding outstanding = new Outstanding();
    outstanding.propose(EPOCH_START + 1, OpCode.setData, new QuorumMaj(members(3)));
    leader
        .outstandingProposals
        .get(EPOCH_START + 1)
        .getQuorumPacket()
        .setAuthinfo(PacketMarks.LATE);
    outstanding.propose(EPOCH_START + 2, OpCode.setData, new QuorumMaj(members(3)));
    leader.coordinator().onPersisted(EPOCH_START + 2);

    leader.processAck(FOLLOWER, EPOCH_START + 1, null);
    leader.processAck(FOLLOWER, EPOCH_START + 2, null);
    assertEquals(EPOCH_START + 1, leader.coordinator().voters().get(FOLLOWER).persisted());
    assertEquals(EPOCH_START + 1, role.durableIndex(), "the second may be in memory only");
  }

  @Test
  void neitherIsOneThatIsReadAfterItsConnectionWasGivenUp() throws IOException {
    LearnerHandler follower = connect(FOLLOWER);
    receive(follower, new PeerMessage.Hello(EPOCH_START, EPOCH_START));
    leader.removeLearnerHandler(follower);
    leader.processAck(FOLLOWER, EPOCH_START + 7, null);

    assertEquals(EPOCH_START, leader.coordinator().voters().get(FOLLOWER).persisted());
  }

  @Test
  void anAcknowledgementOfAStockLearnerIsOneThatItHasPersisted() throws IOException {
    LearnerHandler ours = connect(FOLLOWER);
    receive(ours, new PeerMessage.Hello(EPOCH_START, EPOCH_START));
    leader.removeLearnerHandler(ours);
    connect(FOLLOWER);
    leader.processAck(FOLLOWER, EPOCH_START + 7, null);

    assertEquals(EPOCH_START + 7, leader.coordinator().voters().get(FOLLOWER).persisted());
  }

  @Test
  void whatAnOldConnectionStillSaysDoesNotCount() throws IOException {
    LearnerHandler old = connect(FOLLOWER);
    receive(old, new PeerMessage.Hello(EPOCH_START, EPOCH_START + 9));
    leader.coordinator().onPersisted(EPOCH_START + 9);
    LearnerHandler anew = connect(FOLLOWER);
    receive(anew, new PeerMessage.Hello(EPOCH_START, EPOCH_START));

    receive(old, new PeerMessage.Progress(EPOCH_START + 9, EPOCH_START + 9));
    receive(old, new PeerMessage.Beat(1, 1, EPOCH_START + 9, EPOCH_START + 9, 0, 0, 0));
    receive(old, new PeerMessage.Hello(EPOCH_START + 9, EPOCH_START + 9));
    assertEquals(EPOCH_START, leader.coordinator().voters().get(FOLLOWER).persisted());
    assertEquals(EPOCH_START, leader.coordinator().voters().get(FOLLOWER).applied());
    assertEquals(EPOCH_START, role.durableIndex());

    receive(anew, new PeerMessage.Progress(EPOCH_START + 9, EPOCH_START + 9));
    assertEquals(EPOCH_START + 9, role.durableIndex());
  }

  @Test
  void theCommitOfTheLastLateWriteThatIsDurableAsksTheMembers() throws Exception {
    stop();
    Properties late = new Properties();
    late.setProperty("orca.visibility", "late");
    // A busy machine must not end the wait or the membership.
    late.setProperty("orca.maxUndurableMs", "3600000");
    late.setProperty("orca.removalMs", "600000");
    create("late", OrcaSettings.from(late));
    leader.begin(role, EPOCH_START);
    Map<Long, List<Id>> commits = new TreeMap<>();
    LearnerHandler follower =
        connect(
            FOLLOWER,
            packet -> {
              if (packet.getType() == Leader.COMMIT) {
                commits.put(packet.getZxid(), packet.getAuthinfo());
              }
            });
    receive(follower, new PeerMessage.Hello(EPOCH_START, EPOCH_START));
    assertEquals(2, leader.coordinator().activeSetSize());
    takeCommitted();
    for (int i = 1; i <= 3; i++) {
      leader.propose(write(EPOCH_START + i, OpCode.setData));
    }

    leader.coordinator().onPersisted(EPOCH_START + 3);
    receive(follower, new PeerMessage.Progress(EPOCH_START + 2, EPOCH_START));
    for (long sid : List.of(1L, FOLLOWER)) {
      for (int i = 1; i <= 2; i++) {
        leader.processAck(sid, EPOCH_START + i, null);
      }
    }
    assertEquals(
        Map.of(EPOCH_START + 1, PacketMarks.PLAIN, EPOCH_START + 2, PacketMarks.ASKS_APPLIED),
        commits);
  }

  /** A connection of which all that leaves on it is noted. */
  private LearnerHandler connect(long sid, Consumer<QuorumPacket> sent) throws IOException {
    LearnerHandler learner =
        new LearnerHandler(
            new Socket(), new BufferedInputStream(InputStream.nullInputStream()), leader) {
          @Override
          void queuePacket(QuorumPacket packet) {
            sent.accept(packet);
          }
        };
    learner.sid = sid;
    leader.startForwarding(learner, EPOCH_START);
    return learner;
  }

  /** A connection of which the heartbeats that leave on it are noted. */
  private LearnerHandler connectWithHeartbeats(long sid, LongConsumer sent) throws IOException {
    LearnerHandler learner =
        connect(
            sid,
            packet -> {
              try {
                if (packet.getType() == PeerMessage.PACKET_TYPE
                    && PeerMessageCodec.decode(packet.getData())
                        instanceof PeerMessage.Heartbeat heartbeat) {
                  sent.accept(heartbeat.sentNanos());
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    receive(learner, new PeerMessage.Hello(EPOCH_START, EPOCH_START));
    return learner;
  }

  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aReconfigurationAndWhatIsBehindItCommitOnceAQuorumOfTheNewOneHasPromised() throws Exception {
    BlockingQueue<Long> heartbeats = new LinkedBlockingQueue<>();
    LearnerHandler follower = connectWithHeartbeats(FOLLOWER, heartbeats::add);
    LearnerHandler joiner = connect(JOINER);
    receive(joiner, new PeerMessage.Hello(EPOCH_START, EPOCH_START));
    Outstanding outstanding = new Outstanding();
    Map<Long, QuorumServer> joint = new HashMap<>(peer.getQuorumVerifier().getAllMembers());
    joint.remove(FOLLOWER);
    joint.remove(3L);
    joint.put(JOINER, members(4).get(JOINER));
    long answered = heartbeats.take();
    receive(follower, new PeerMessage.Beat(answered, 1, EPOCH_START, EPOCH_START, 0, 0, 0));

    outstanding.propose(EPOCH_START + 1, OpCode.reconfig, new QuorumMaj(joint));
    outstanding.propose(EPOCH_START + 2, OpCode.setData, new QuorumMaj(joint));
    for (long sid : List.of(1L, FOLLOWER, JOINER)) {
      leader.processAck(sid, EPOCH_START + 1, null);
      leader.processAck(sid, EPOCH_START + 2, null);
    }
    assertEquals(EPOCH_START, leader.lastCommittedIndex(), "4 has promised nothing");
    receive(joiner, new PeerMessage.Beat(answered - 1, 1, EPOCH_START, EPOCH_START, 0, 0, 0));
    assertEquals(EPOCH_START, leader.lastCommittedIndex(), "it has answered an older heartbeat");

    receive(joiner, new PeerMessage.Beat(answered, 1, EPOCH_START, EPOCH_START, 0, 0, 0));
    assertEquals(EPOCH_START + 2, leader.lastCommittedIndex());
  }

  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whoSynchronisesPutsAPendingConfigurationInForceNoSoonerThanTheLeasesAllow()
      throws Exception {
    stop();
    boolean enabledBefore = QuorumPeerConfig.isReconfigEnabled();
    QuorumPeerConfig.setReconfigEnabled(true);
    create("reconfigured");
    QuorumPeerConfig.setReconfigEnabled(enabledBefore);
    leader.begin(role, EPOCH_START);
    BlockingQueue<Long> heartbeats = new LinkedBlockingQueue<>();
    LearnerHandler follower = connectWithHeartbeats(FOLLOWER, heartbeats::add);
    LearnerHandler joiner = connect(JOINER);
    receive(joiner, new PeerMessage.Hello(EPOCH_START, EPOCH_START));
    assertTrue(leader.leasesAllowPending(), "none is pending");
    long answered = heartbeats.take();
    receive(follower, new PeerMessage.Beat(answered, 1, EPOCH_START, EPOCH_START, 0, 0, 0));
    Map<Long, QuorumServer> joint = new HashMap<>(peer.getQuorumVerifier().getAllMembers());
    joint.remove(FOLLOWER);
    joint.remove(3L);
    joint.put(JOINER, members(4).get(JOINER));
    QuorumMaj next = new QuorumMaj(joint);
    next.setVersion(1);
    peer.setLastSeenQuorumVerifier(next, false);

    assertFalse(leader.leasesAllowPending(), "4 has promised nothing");
    receive(joiner, new PeerMessage.Beat(answered, 1, EPOCH_START, EPOCH_START, 0, 0, 0));
    assertTrue(leader.leasesAllowPending());
  }

  @Test
  @Timeout(30)
  void whatAnOldConnectionAcknowledgesLateDoesNotCountAsForced() throws Exception {
    LearnerHandler old =
        new LearnerHandler(
            new Socket(), new BufferedInputStream(InputStream.nullInputStream()), leader) {
          @Override
          public void run() {
            leader.processAck(FOLLOWER, EPOCH_START + 9, null);
          }
        };
    old.sid = FOLLOWER;
    leader.startForwarding(old, EPOCH_START);
    connect(FOLLOWER);
    old.start();
    old.join();
    assertTrue(leader.coordinator().voters().get(FOLLOWER).persisted() <= EPOCH_START);

    leader.processAck(FOLLOWER, EPOCH_START + 9, null);
    assertEquals(EPOCH_START + 9, leader.coordinator().voters().get(FOLLOWER).persisted());
  }

  /** The processor behind the leader ignores committed requests. */
  private void takeCommitted() {
    OrcaLeaderZooKeeperServer server = (OrcaLeaderZooKeeperServer) leader.zk;
    server.commitProcessor = new CommitProcessor(null, "1", false, null);
    leader.lastCommitted = EPOCH_START;
  }

  private static Request write(long zxid, int type) {
    TxnHeader header = new TxnHeader(1, 1, zxid, 0, type);
    return new Request(1, 1, type, header, new SetDataTxn("/n", NONE, 1), zxid);
  }

  /** Proposals as if the ensemble were being reconfigured. */
  private final class Outstanding {
    private Outstanding() {
      takeCommitted();
    }

    private void propose(long zxid, int type, QuorumMaj next) {
      Leader.Proposal proposal =
          new Leader.Proposal(
              write(zxid, type), new QuorumPacket(Leader.PROPOSAL, zxid, NONE, null));
      proposal.addQuorumVerifier(peer.getQuorumVerifier());
      proposal.addQuorumVerifier(next);
      leader.outstandingProposals.put(zxid, proposal);
    }
  }

  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void theLeaderPromisesAfterTheTimeThatItsLeaseCountsFrom() throws Exception {
    stop();
    create("another");
    OrcaLeader waiting = leader;
    synchronized (waiting) {
      waiting.begin(role, EPOCH_START);
      awaitHeartbeatThatWantsTheMonitor();
      assertEquals(0, peer.promisedMillis(), "the heartbeat's time is still to come");
    }
    while (peer.promisedMillis() == 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  @Timeout(30)
  void noPartAcknowledgesALeaderBeforeThePromiseIsKept() throws Exception {
    OrcaFollower follower =
        new OrcaFollower(peer, new OrcaFollowerZooKeeperServer(peer.log(), peer, peer.database()));
    OrcaObserver observer =
        new OrcaObserver(peer, new OrcaObserverZooKeeperServer(peer.log(), peer, peer.database()));
    peer.promiseToLeader(1, TimeUnit.MINUTES.toNanos(1));
    long next = ZxidUtils.makeZxid(2, 0);

    for (Executable begins :
        List.<Executable>of(
            () -> follower.syncWithLeader(next),
            () -> leader.waitForNewLeaderAck(peer.getMyId(), next),
            () -> observer.syncWithLeader(next))) {
      // Who waits is woken up by this, in whichever order they come.
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, begins);
    }
  }

  /** The time is taken with the last proposal, for which the leader's monitor is needed. */
  private static void awaitHeartbeatThatWantsTheMonitor() {
    while (Thread.getAllStackTraces().keySet().stream()
        .noneMatch(
            thread ->
                thread.getName().equals("OrcaHeartbeat:1")
                    && thread.getState() == Thread.State.BLOCKED)) {
      Thread.onSpinWait();
    }
  }

  @Test
  @Timeout(60)
  void anErrorInAHeartbeatStopsTheServerInsteadOfHoldingReadsForEver() throws Exception {
    OutOfMemoryError error = new OutOfMemoryError("no room for a heartbeat");
    LearnerHandler follower =
        new LearnerHandler(
            new Socket(), new BufferedInputStream(InputStream.nullInputStream()), leader) {
          @Override
          void queuePacket(QuorumPacket packet) {
            if (Thread.currentThread().getName().startsWith("OrcaHeartbeat")) {
              throw error;
            }
          }
        };
    follower.sid = FOLLOWER;
    leader.startForwarding(follower, EPOCH_START);
    receive(follower, new PeerMessage.Hello(EPOCH_START, EPOCH_START));

    while (peer.vitalFailure() == null) {
      Thread.sleep(1);
    }
    assertSame(error, peer.vitalFailure());
    assertThrows(IllegalStateException.class, peer::getLastLoggedZxid, "no other election");
  }

  @Test
  void whenTheEpochHasNoNumberLeftTheLeaderShutsDownWithoutItsMonitor() {
    AtomicInteger shutdowns = new AtomicInteger();
    peer.adminServer =
        new AdminServer() {
          @Override
          public void start() {}

          @Override
          public void shutdown() {}

          @Override
          public void setZooKeeperServer(ZooKeeperServer server) {
            shutdowns.incrementAndGet();
            assertFalse(Thread.holdsLock(leader), "its threads may wait for the monitor");
          }
        };
    Request last =
        new Request(
            1,
            1,
            OpCode.setData,
            new TxnHeader(1, 1, EPOCH_START | 0xffffffffL, 0, OpCode.setData),
            new SetDataTxn("/n", new byte[0], 1),
            EPOCH_START | 0xffffffffL);

    assertThrows(Leader.XidRolloverException.class, () -> leader.propose(last));
    assertTrue(shutdowns.get() > 0);
  }
}
