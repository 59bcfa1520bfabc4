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
package org.orcagrid.server.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.proto.SetDataRequest;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.RequestRecord;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.ErrorTxn;
import org.apache.zookeeper.txn.SetDataTxn;
import org.apache.zookeeper.txn.TxnHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.server.gate.ReplyNeeds;
import org.orcagrid.server.log.LogStorage;
import org.orcagrid.server.log.OrcaTxnSnapLog;
import org.orcagrid.server.settings.OrcaConfigException;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.server.tree.OrcaZKDatabase;

class OrcaRoleTest {
  private static final int CXID = 3;
  private static final int ERROR = -101;
  private static final long APPLIED = 20;
  private static final byte[] NO_STRING = {-1, -1, -1, -1};

  @TempDir Path dir;

  private final List<Long> demanded = new ArrayList<>();
  private final ReplyNeeds needs = new ReplyNeeds();
  private OrcaTxnSnapLog log;
  private OrcaZKDatabase database;

  private final OrcaRole.Ensemble ensemble =
      new OrcaRole.Ensemble() {
        @Override
        public void demand(long durable, long applied) {
          demanded.add(durable);
        }

        @Override
        public void onPersisted(long index) {}

        @Override
        public long lastCommitted() {
          return APPLIED + 5;
        }
      };

  @BeforeEach
  void open() throws IOException {
    log = new OrcaTxnSnapLog(dir.toFile(), dir.toFile(), LogStorage.files());
    database = new OrcaZKDatabase(log);
    database.loadDataBase();
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  /** A role whose server has applied up to {@link #APPLIED}, of which nothing is durable. */
  private OrcaRole role(OrcaRole.Part part, String... settings) throws OrcaConfigException {
    Properties keys = new Properties();
    for (int i = 0; i < settings.length; i += 2) {
      keys.setProperty("orca." + settings[i], settings[i + 1]);
    }
    OrcaRole role =
        new OrcaRole(OrcaSettings.from(keys), database, log, ensemble, part, 0, failure -> {});
    role.start();
    database
        .tree()
        .processTxn(
            new TxnHeader(1, CXID, APPLIED, 0, OpCode.create),
            new CreateTxn("/n", new byte[0], Ids.OPEN_ACL_UNSAFE, false, 1));
    return role;
  }

  private static Request request(int opCode, byte[] bytes) {
    return new Request(null, 1, CXID, opCode, RequestRecord.fromBytes(bytes), List.of());
  }

  private static Request read(String path) {
    return new Request(
        null,
        1,
        CXID,
        OpCode.getData,
        RequestRecord.fromRecord(new GetDataRequest(path, false)),
        List.of());
  }

  private static Request withHeader(Request request, long zxid, int type) {
    request.setHdr(new TxnHeader(1, CXID, zxid, 0, type));
    request.setTxn(new ErrorTxn(-5));
    request.zxid = zxid;
    return request;
  }

  /** A write of this server's client that needs nothing, and is in the log. */
  private Request logged(OrcaRole role, long zxid, int type) throws IOException {
    Request write =
        new Request(
            null,
            1,
            CXID,
            type,
            RequestRecord.fromRecord(new SetDataRequest("/n", new byte[100], -1)),
            List.of());
    write.setHdr(new TxnHeader(1, CXID, zxid, 0, type));
    write.setTxn(new SetDataTxn("/n", new byte[100], 1));
    write.zxid = zxid;
    log.append(write);
    role.onAppended(zxid);
    return write;
  }

  @ParameterizedTest
  @EnumSource(OrcaRole.Part.class)
  void aPlainWriteWaitsOnceTooMuchIsNotDurable(OrcaRole.Part part) throws Exception {
    try (OrcaRole role = role(part, "maxUndurableBytes", "400")) {
      if (part == OrcaRole.Part.LEARNER) {
        role.adopt(true, true, false);
      }
      role.prepare(logged(role, APPLIED + 1, OpCode.setData), needs, false);
      assertEquals(0, needs.durableFor(CXID, 0), "within the bound");
      role.prepare(logged(role, APPLIED + 2, OpCode.setData), needs, false);
      role.prepare(logged(role, APPLIED + 3, OpCode.setData), needs, false);
      assertEquals(APPLIED + 3, needs.durableFor(CXID, 0));
      assertEquals(0, needs.appliedFor(CXID, 0), "it shows nothing");
      assertEquals(1, role.metrics().writesBounded());

      role.prepare(read("/other"), needs, false);
      assertEquals(0, needs.durableFor(CXID, 0), "reads are as ever");
      role.prepare(logged(role, APPLIED + 4, OpCode.closeSession), needs, false);
      assertEquals(0, needs.durableFor(CXID, 0), "a session ends as ever");

      role.advance(APPLIED + 4, APPLIED + 4);
      role.prepare(logged(role, APPLIED + 5, OpCode.setData), needs, false);
      assertEquals(0, needs.durableFor(CXID, 0), "the window is open again");
      assertEquals(1, role.metrics().writesBounded());
    }
  }

  /** The last write of another session may be durable long before what was logged behind it. */
  @Test
  void aWriteThatWaitsForOthersWaitsForItselfOnceTooMuchIsNotDurable() throws Exception {
    try (OrcaRole role = role(OrcaRole.Part.STANDALONE, "maxUndurableBytes", "400")) {
      database.tree().changes().onNodeChanged("/n", APPLIED + 1, 2);
      role.prepare(logged(role, APPLIED + 2, OpCode.setData), needs, false);
      assertEquals(APPLIED + 1, needs.durableFor(CXID, 0), "what the other session has changed");
      role.prepare(logged(role, APPLIED + 3, OpCode.setData), needs, false);
      role.prepare(logged(role, APPLIED + 4, OpCode.setData), needs, false);
      assertEquals(APPLIED + 4, needs.durableFor(CXID, 0), "too much is not durable");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"async", "sync"})
  void theBoundIsOfConsistencyAwareDurabilityOnly(String durability) throws Exception {
    try (OrcaRole role =
        role(OrcaRole.Part.STANDALONE, "durability", durability, "maxUndurableBytes", "1")) {
      role.prepare(logged(role, APPLIED + 1, OpCode.setData), needs, false);
      assertEquals(0, needs.durableFor(CXID, 0));
      assertEquals(0, role.metrics().writesBounded());
    }
  }

  @Test
  void anObserverWithoutALogCountsFromWhatItHasApplied() throws Exception {
    try (OrcaRole role =
        role(
            OrcaRole.Part.LEARNER,
            "maxUndurableMs",
            "3",
            "flushIntervalMs",
            "0.1",
            "heartbeatMs",
            "1")) {
      role.onAppliedWithoutLog(APPLIED + 1);
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(3);
      while (System.nanoTime() - end <= 0) {
        Thread.onSpinWait();
      }
      role.prepare(logged(role, APPLIED + 2, OpCode.setData), needs, false);
      assertEquals(APPLIED + 2, needs.durableFor(CXID, 0));
    }
  }

  @Test
  void aLearnersReadWaitsForTheLeaderAlsoForWhatIsDurableAlready() throws Exception {
    try (OrcaRole role = role(OrcaRole.Part.LEARNER, "readers", "leader")) {
      role.advance(APPLIED, APPLIED - 1);
      database
          .tree()
          .processTxn(
              new TxnHeader(1, CXID + 1, APPLIED + 1, 0, OpCode.create),
              new CreateTxn("/later", new byte[0], Ids.OPEN_ACL_UNSAFE, false, 2));

      role.prepare(read("/n"), needs, false);
      assertEquals(APPLIED, needs.appliedFor(CXID, 0));
    }
  }

  @Test
  void aReadNeedsTheChangeThatItShows() throws Exception {
    try (OrcaRole role = role(OrcaRole.Part.STANDALONE)) {
      role.prepare(read("/n"), needs, false);
      assertEquals(APPLIED, needs.durableFor(CXID, 0));
      assertEquals(0, needs.appliedFor(CXID, 0), "a leader has applied what it shows");

      role.prepare(read("/other"), needs, false);
      assertEquals(0, needs.durableFor(CXID, 0));
      assertEquals(2, role.metrics().reads());
      assertEquals(1, role.metrics().readsTriggering());
    }
  }

  @Test
  void aFollowerThatReadsThroughItsLeaderNeedsTheLeaderToHaveAppliedItToo() throws Exception {
    try (OrcaRole role = role(OrcaRole.Part.LEARNER)) {
      role.prepare(read("/n"), needs, false);

      assertEquals(APPLIED, needs.durableFor(CXID, 0));
      assertEquals(APPLIED, needs.appliedFor(CXID, 0));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = OrcaRole.Part.class,
      names = {"LEADER", "LEARNER"})
  void aWriteWaitsForTheMembersWhereThatIsPromised(OrcaRole.Part part) throws Exception {
    try (OrcaRole role = role(part, "replication", "active-set")) {
      role.prepare(logged(role, APPLIED + 1, OpCode.setData), needs, false);
      assertEquals(0, needs.durableFor(CXID, 0));
      assertEquals(APPLIED + 1, needs.appliedFor(CXID, 0));
    }
  }

  @Test
  void aLearnerHoldsWritesUntilItKnowsThatItsLeaderPromisesNothing() throws Exception {
    try (OrcaRole role = role(OrcaRole.Part.LEARNER)) {
      role.prepare(logged(role, APPLIED + 1, OpCode.setData), needs, false);
      assertEquals(APPLIED + 1, needs.appliedFor(CXID, 0));
      role.adopt(true, true, false);
      role.prepare(logged(role, APPLIED + 2, OpCode.setData), needs, false);
      assertEquals(0, needs.appliedFor(CXID, 0));
      role.adopt(true, true, true);
      role.prepare(logged(role, APPLIED + 3, OpCode.setData), needs, false);
      assertEquals(APPLIED + 3, needs.appliedFor(CXID, 0));
    }
  }

  @Test
  void withAsynchronousDurabilityAReadNeedsNothingDurable() throws Exception {
    try (OrcaRole role = role(OrcaRole.Part.LEARNER, "durability", "async")) {
      role.adopt(false, false, false);
      role.prepare(read("/n"), needs, false);

      assertEquals(0, needs.durableFor(CXID, 0));
      assertEquals(APPLIED, needs.appliedFor(CXID, 0));
    }
  }

  @Test
  void aReadWithoutAPathIsPreparedForTheMostThatItCanShow() throws Exception {
    byte[] noPath = {-1, -1, -1, -1, 0};
    try (OrcaRole role = role(OrcaRole.Part.STANDALONE)) {
      role.prepare(request(OpCode.getData, noPath), needs, false);

      assertEquals(APPLIED, needs.durableFor(CXID, ERROR));
    }
  }

  @Test
  void aRequestThatEndsTooEarlyIsPreparedForTheMostThatItCanShow() throws Exception {
    try (OrcaRole role = role(OrcaRole.Part.STANDALONE)) {
      role.prepare(request(OpCode.getData, new byte[] {0, 0}), needs, false);

      assertEquals(APPLIED, needs.durableFor(CXID, ERROR));
    }
  }

  @Test
  void aMultiThatChecksNoPathIsPreparedForItsErrorTransaction() throws Exception {
    byte[] bytes =
        ByteBuffer.allocate(26)
            .putInt(OpCode.check)
            .put((byte) 0)
            .putInt(-1)
            .put(NO_STRING)
            .putInt(-1)
            .putInt(-1)
            .put((byte) 1)
            .putInt(-1)
            .array();
    try (OrcaRole role = role(OrcaRole.Part.STANDALONE)) {
      Request multi = withHeader(request(OpCode.multi, bytes), APPLIED + 1, OpCode.error);
      role.prepare(multi, needs, false);

      assertEquals(APPLIED + 1, needs.durableFor(CXID, ERROR));
    }
  }

  @Test
  void aWriteWithoutAPathIsPreparedForItsErrorTransaction() throws Exception {
    byte[] noPath = ByteBuffer.allocate(12).put(NO_STRING).put(NO_STRING).putInt(-1).array();
    try (OrcaRole role = role(OrcaRole.Part.STANDALONE, "immediatePaths", "/locks")) {
      Request write = withHeader(request(OpCode.setData, noPath), APPLIED + 1, OpCode.error);
      role.prepare(write, needs, false);

      assertEquals(APPLIED + 1, needs.durableFor(CXID, ERROR));
    }
  }

  @Test
  void aSyncIsABarrierForEverythingThatIsCommitted() throws Exception {
    for (String durability : List.of("cad", "async")) {
      try (OrcaRole role = role(OrcaRole.Part.STANDALONE, "durability", durability)) {
        role.prepare(request(OpCode.sync, NO_STRING), needs, false);
        assertEquals(APPLIED + 5, needs.durableFor(CXID, 0), durability);
      }
      database.clear();
      database.loadDataBase();
    }
  }

  @Test
  void immediateDurabilityHoldsInEveryModeThatHasAGate() throws Exception {
    MultiOperationRecord body =
        new MultiOperationRecord(List.of(Op.check("/zookeeper", -1), Op.delete("/n", -1)));
    try (OrcaRole role = role(OrcaRole.Part.STANDALONE, "durability", "async")) {
      Request write =
          new Request(null, 1, CXID, OpCode.multi, RequestRecord.fromRecord(body), List.of());
      role.prepare(withHeader(write, APPLIED + 1, OpCode.multi), needs, false);
      assertEquals(APPLIED + 1, needs.durableFor(CXID, 0));
    }
  }

  @Test
  void aWatchEventNeedsItsTransactionOrAllThatIsAppliedIfThatIsNotKnown() throws Exception {
    try (OrcaRole role = role(OrcaRole.Part.LEARNER)) {
      assertEquals(15, role.durableForEvent(15));
      assertEquals(15, role.appliedForEvent(15));
      assertEquals(APPLIED, role.durableForEvent(-1));
      assertEquals(APPLIED, role.appliedForEvent(-1));
    }
  }

  @Test
  void underAStockLeaderNothingWaits() throws Exception {
    try (OrcaRole role = role(OrcaRole.Part.LEARNER)) {
      role.openForGood();
      role.prepare(read("/n"), needs, false);

      assertEquals(0, needs.durableFor(CXID, 0));
      assertEquals(0, needs.appliedFor(CXID, 0));
      assertEquals(Long.MAX_VALUE, role.durableIndex());
    }
  }

  @Test
  void underALeaderWhoseCommitsAreDurableALearnersReadStillWaitsForTheLeaderToApply()
      throws Exception {
    try (OrcaRole role = role(OrcaRole.Part.LEARNER, "durability", "sync", "readers", "leader")) {
      role.commitsAreDurable();
      role.prepare(read("/n"), needs, false);

      assertEquals(0, needs.durableFor(CXID, 0));
      assertEquals(APPLIED, needs.appliedFor(CXID, 0));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sync", "async", "cad"})
  void untilALearnerIsToldItsLeadersModesTheStrongestHold(String durability) throws Exception {
    try (OrcaRole role = role(OrcaRole.Part.LEARNER, "durability", durability, "readers", "all")) {
      role.prepare(read("/n"), needs, false);

      assertTrue(role.gates());
      assertTrue(role.mustAskLeader(false));
      assertEquals(APPLIED, needs.durableFor(CXID, 0));
      assertEquals(APPLIED, needs.appliedFor(CXID, 0));
      assertEquals(APPLIED, role.durableForEvent(APPLIED));
    }
  }

  @Test
  void whenItIsToldTheStrongerOfBothHold() throws Exception {
    try (OrcaRole role = role(OrcaRole.Part.LEARNER, "durability", "sync", "readers", "all")) {
      role.adopt(false, false, false);
      assertFalse(role.mustAskLeader(false));
      assertEquals(0, role.durableForEvent(APPLIED));
      assertTrue(role.gates(), "replies of before may be held, and none may overtake them");
      role.commitsAreDurable();
      assertFalse(role.gates());
    }
    try (OrcaRole role = role(OrcaRole.Part.LEARNER, "durability", "cad", "readers", "all")) {
      role.adopt(false, true, false);
      assertTrue(role.mustAskLeader(false));
      assertEquals(APPLIED, role.durableForEvent(APPLIED));
    }
  }

  @Test
  void aLearnerThatGatesNoDurabilityTakesItOverFromItsLeader() throws Exception {
    try (OrcaRole role = role(OrcaRole.Part.LEARNER, "durability", "async")) {
      role.adopt(true, false, false);
      role.prepare(read("/n"), needs, false);

      assertEquals(APPLIED, needs.durableFor(CXID, 0));
    }
  }

  @Test
  void onlyWhatIsNotDurableIsDemanded() throws Exception {
    try (OrcaRole role = role(OrcaRole.Part.STANDALONE)) {
      role.advance(10, 0);
      role.demand(10);
      assertEquals(List.of(), demanded);

      role.demand(11);
      assertEquals(List.of(11L), demanded);
    }
  }

  @Test
  void onlySynchronousDurabilityForcesBeforeItAcknowledges() throws Exception {
    try (OrcaRole role = role(OrcaRole.Part.STANDALONE, "durability", "sync", "readers", "all")) {
      assertTrue(role.forcesBeforeAcknowledging());
      assertFalse(role.gates());
    }
    try (OrcaRole role = role(OrcaRole.Part.STANDALONE)) {
      assertFalse(role.forcesBeforeAcknowledging());
      assertTrue(role.gates());
    }
  }
}
