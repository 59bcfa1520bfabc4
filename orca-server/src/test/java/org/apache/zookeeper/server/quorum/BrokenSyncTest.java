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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import org.apache.jute.BinaryInputArchive;
import org.apache.jute.BinaryOutputArchive;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.TxnHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a learner has after its leader is gone in the middle of their synchronisation. */
class BrokenSyncTest {
  private static final long OLD = 1L << 32;
  private static final long NEW = 2L << 32;

  @TempDir Path dir;

  private OrcaQuorumPeer peer;

  @BeforeEach
  void logThreeChanges() throws IOException {
    File data = Files.createDirectories(dir.resolve("data")).toFile();
    peer = new OrcaQuorumPeer(new HashMap<>(), data, data, 3, 2, 2000, 10, 5, 5, null);
    peer.database().loadDataBase();
    for (int i = 1; i <= 3; i++) {
      Request create = create(OLD + i);
      peer.database().append(create);
      peer.database().processTxn(create.getHdr(), create.getTxn(), null);
    }
    peer.log().commit();
  }

  @AfterEach
  void close() throws IOException {
    peer.log().close();
  }

  private static String path(long zxid) {
    return "/n" + Long.toHexString(zxid);
  }

  private static Request create(long zxid) {
    return new Request(
        1,
        1,
        OpCode.create,
        new TxnHeader(1, 1, zxid, 1, OpCode.create),
        new CreateTxn(path(zxid), new byte[0], Ids.OPEN_ACL_UNSAFE, false, 1),
        zxid);
  }

  private static QuorumPacket proposal(long zxid) {
    return new QuorumPacket(Leader.PROPOSAL, zxid, create(zxid).getSerializeData(), null);
  }

  private static QuorumPacket commit(long zxid) {
    return new QuorumPacket(Leader.COMMIT, zxid, null, null);
  }

  /** Has a learner read these packets of its leader, and then the end of the connection. */
  private void breakOffBehind(Learner learner, List<QuorumPacket> packets) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryOutputArchive out = BinaryOutputArchive.getArchive(bytes);
    for (QuorumPacket each : packets) {
      out.writeRecord(each, "packet");
    }
    learner.leaderIs = BinaryInputArchive.getArchive(new ByteArrayInputStream(bytes.toByteArray()));
    assertThrows(EOFException.class, () -> learner.syncWithLeader(NEW));
    learner.shutdown();
  }

  private static List<QuorumPacket> cutAndOneMore() {
    return List.of(
        new QuorumPacket(Leader.TRUNC, OLD + 2, null, null), proposal(NEW + 1), commit(NEW + 1));
  }

  private Follower follower() throws IOException {
    return peer.makeFollower(peer.log());
  }

  @Test
  void whatCameBehindACutIsForgotten() throws Exception {
    breakOffBehind(follower(), cutAndOneMore());
    assertEquals(OLD + 2, peer.getLastLoggedZxid(), "as much as the log has");
    assertEquals(OLD + 2, peer.log().lastOnDisk());
    assertNotNull(peer.database().getNode(path(OLD + 2)));
    assertNull(peer.database().getNode(path(OLD + 3)));
    assertNull(peer.database().getNode(path(NEW + 1)));
  }

  @Test
  void anObserverForgetsItToo() throws Exception {
    breakOffBehind(peer.makeObserver(peer.log()), cutAndOneMore());
    assertEquals(OLD + 2, peer.getLastLoggedZxid());
  }

  @Test
  void anotherPartBeginsWithoutAMode() throws Exception {
    breakOffBehind(follower(), List.of(new QuorumPacket(Leader.TRUNC, OLD + 2, null, null)));
    follower();
    assertEquals(QuorumPeer.SyncMode.NONE, peer.getSyncMode());
  }

  @Test
  void whatCameBeforeTheFirstSnapshotIsForgotten() {
    ZooKeeperServer withoutSnapshot =
        new ZooKeeperServer() {
          @Override
          public boolean shouldForceWriteInitialSnapshotAfterLeaderElection() {
            return true;
          }
        };
    peer.setSyncMode(QuorumPeer.SyncMode.DIFF);
    LearnerChain.forgetUnlogged(peer, withoutSnapshot);
    assertEquals(QuorumPeer.SyncMode.SNAP, peer.getSyncMode(), "as stock forgets a snapshot");
  }

  @Test
  void aTreeThatIsAsTheLogIsStays() throws Exception {
    Object tree = peer.database().getDataTree();
    breakOffBehind(
        follower(),
        List.of(
            new QuorumPacket(Leader.DIFF, OLD + 3, null, null),
            proposal(NEW + 1),
            commit(NEW + 1)));
    assertEquals(OLD + 3, peer.getLastLoggedZxid());
    assertEquals(tree, peer.database().getDataTree(), "nothing is read again");
  }
}
