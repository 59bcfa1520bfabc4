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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.apache.jute.BinaryInputArchive;
import org.apache.jute.BinaryOutputArchive;
import org.apache.zookeeper.server.util.ZxidUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.server.role.OrcaRole;
import org.orcagrid.server.settings.Durability;
import org.orcagrid.server.settings.Readers;
import org.orcagrid.server.settings.Replication;
import org.orcagrid.server.wire.PeerMessage;
import org.orcagrid.server.wire.PeerMessageCodec;

/** How a follower finds out whether its leader is one of ours: by order, never by time. */
class LearnerDurabilityTest {
  private static final long START = 1L << 32;

  @TempDir Path dir;

  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private OrcaQuorumPeer peer;
  private OrcaFollower follower;
  private OrcaRole role;

  @BeforeEach
  void follow() throws IOException {
    File data = Files.createDirectories(dir.resolve("data")).toFile();
    peer = new OrcaQuorumPeer(new HashMap<>(), data, data, 3, 2, 2000, 10, 5, 5, null);
    peer.database().loadDataBase();
    OrcaFollowerZooKeeperServer server =
        new OrcaFollowerZooKeeperServer(peer.log(), peer, peer.database());
    follower = new OrcaFollower(peer, server);
    follower.bufferedOutput = new BufferedOutputStream(sent);
    follower.leaderOs = BinaryOutputArchive.getArchive(follower.bufferedOutput);
    role = peer.newRole(server, follower.durability(), OrcaRole.Part.LEARNER, START);
    follower.durability().begin(role);
  }

  @AfterEach
  void stop() throws IOException {
    role.close();
    peer.log().close();
  }

  private List<QuorumPacket> sent() throws IOException {
    List<QuorumPacket> packets = new ArrayList<>();
    ByteArrayInputStream bytes = new ByteArrayInputStream(sent.toByteArray());
    BinaryInputArchive in = BinaryInputArchive.getArchive(bytes);
    while (bytes.available() > 0) {
      QuorumPacket packet = new QuorumPacket();
      in.readRecord(packet, "packet");
      packets.add(packet);
    }
    return packets;
  }

  private static QuorumPacket welcome() {
    PeerMessage message =
        new PeerMessage.Welcome(
            Durability.CAD, Replication.ASYNC, Readers.LEADER, START + 1, START + 1);
    return new QuorumPacket(PeerMessage.PACKET_TYPE, 0, PeerMessageCodec.encode(message), null);
  }

  private static QuorumPacket packet(PeerMessage message) {
    return new QuorumPacket(PeerMessage.PACKET_TYPE, 0, PeerMessageCodec.encode(message), null);
  }

  /** Lets the follower read a packet as it does while it synchronises. */
  private void whileSynchronising(QuorumPacket packet) throws IOException {
    readInto(new QuorumPacket(), packet);
  }

  private void readInto(QuorumPacket read, QuorumPacket packet) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryOutputArchive.getArchive(bytes).writeRecord(packet, "packet");
    follower.leaderIs =
        BinaryInputArchive.getArchive(new ByteArrayInputStream(bytes.toByteArray()));
    follower.readPacket(read);
  }

  /** Follows a leader of ours, which has answered. */
  private void joinOurLeader() throws Exception {
    whileSynchronising(packet(new PeerMessage.Announcement()));
    follower.durability().greet();
    follower.processPacket(welcome());
  }

  @Test
  void aLeaderThatAnnouncedItselfIsGreeted() throws Exception {
    whileSynchronising(packet(new PeerMessage.Announcement()));
    follower.durability().greet();
    assertEquals(List.of(Leader.REQUEST), sent().stream().map(QuorumPacket::getType).toList());
    assertEquals(START, role.durableIndex(), "the gate is closed");
  }

  @Test
  void pingsProveNothingAboutALeaderThatIsSlowToAnswer() throws Exception {
    whileSynchronising(packet(new PeerMessage.Announcement()));
    follower.durability().greet();
    for (int i = 0; i < 10; i++) {
      follower.processPacket(new QuorumPacket(Leader.PING, START, null, null));
    }
    assertEquals(START, role.durableIndex(), "the gate is closed");
    follower.processPacket(welcome());
    assertEquals(START + 1, role.durableIndex());
  }

  @Test
  void anAcknowledgementIsForcedUntilTheWelcome() throws Exception {
    whileSynchronising(packet(new PeerMessage.Announcement()));
    follower.durability().greet();
    assertTrue(follower.durability().mustForce());
    follower.processPacket(welcome());
    assertFalse(follower.durability().mustForce());
  }

  @Test
  void aHeartbeatIsAnsweredWithAPromise() throws Exception {
    whileSynchronising(packet(new PeerMessage.Announcement()));
    follower.durability().greet();
    assertEquals(0, peer.promisedMillis());
    follower.processPacket(packet(new PeerMessage.Heartbeat(7, 60_000_000_000L)));
    assertTrue(peer.promisedMillis() > 50_000, "as long as the leader says");
  }

  @Test
  @Timeout(30)
  void aPromiseIsToTheLeaderWhateverEpochIsAcceptedMeanwhile() throws Exception {
    follower.durability().acknowledge(ZxidUtils.makeZxid(5, 0));
    peer.setAcceptedEpoch(6);
    follower.processPacket(packet(new PeerMessage.Heartbeat(7, 60_000_000_000L)));

    peer.keepPromise(ZxidUtils.makeZxid(5, 0));
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> peer.keepPromise(ZxidUtils.makeZxid(6, 0)));
  }

  @Test
  void whatAPacketIsMarkedWithIsNotTakenForAMarkOfTheNext() throws Exception {
    QuorumPacket read = new QuorumPacket();
    readInto(read, new QuorumPacket(Leader.COMMIT, START + 1, null, List.of()));
    assertNotNull(read.getAuthinfo());
    readInto(read, new QuorumPacket(Leader.PROPOSAL, START + 2, new byte[0], null));
    assertNull(read.getAuthinfo());
  }

  @Test
  void aCommitThatIsMarkedIsDurable() throws Exception {
    joinOurLeader();
    follower.processPacket(new QuorumPacket(Leader.COMMIT, START + 5, null, null));
    assertEquals(START + 1, role.durableIndex());
    follower.processPacket(new QuorumPacket(Leader.COMMIT, START + 5, null, List.of()));
    assertEquals(START + 5, role.durableIndex());
  }

  @Test
  void aCommitThatAsksIsReportedOnceItIsApplied() throws Exception {
    joinOurLeader();
    int before = sent().size();
    follower.processPacket(
        new QuorumPacket(Leader.COMMIT, START + 5, null, PacketMarks.ASKS_APPLIED));
    assertEquals(START + 5, role.durableIndex());
    assertEquals(before, sent().size());

    follower.zk.getZKDatabase().setlastProcessedZxid(START + 5);
    follower.durability().onApplied(START + 5);
    assertEquals(before + 1, sent().size());
    assertFalse(follower.durability().mustForce(), "it was no late proposal");
  }

  @Test
  void whatIsAcknowledgedAfterItWasForcedIsNotReportedApart() throws Exception {
    joinOurLeader();
    int before = sent().size();
    follower.durability().onLateProposal(START + 5);
    follower.durability().onLateProposal(START + 6);
    assertTrue(follower.durability().mustForce());

    role.onForced(START + 5, 1);
    role.onForced(START + 6, 1);
    assertEquals(before, sent().size(), "the acknowledgements say it");
    role.onForced(START + 7, 1);
    assertEquals(before + 1, sent().size(), "the last is an early one");
    follower.durability().onLateProposal(START + 9);
    role.onForced(START + 8, 1);
    assertEquals(before + 2, sent().size(), "so is this, and a late one follows");
  }

  @Test
  void aLateWriteIsReportedIfTheLeaderHasAskedForIt() throws Exception {
    joinOurLeader();
    follower.durability().onLateProposal(START + 5);
    follower.processPacket(packet(new PeerMessage.Flush(START)));
    int before = sent().size();

    role.onForced(START + 5, 1);
    assertEquals(before, sent().size(), "what was asked is answered already");
    follower.durability().onLateProposal(START + 6);
    follower.processPacket(packet(new PeerMessage.AskApplied(START + 6)));
    follower.zk.getZKDatabase().setlastProcessedZxid(START + 6);
    role.onForced(START + 6, 1);
    assertEquals(before + 1, sent().size());
  }

  @Test
  void aLeaderThatDidNotAnnounceItselfIsAStockOne() throws Exception {
    whileSynchronising(new QuorumPacket(Leader.COMMIT, START, null, null));
    follower.durability().greet();
    assertEquals(List.of(), sent(), "a stock leader is sent nothing that it does not know");
    assertEquals(Long.MAX_VALUE, role.durableIndex(), "all that it commits is durable");
    assertTrue(follower.durability().mustForce(), "it counts acknowledgements as durable");
  }
}
