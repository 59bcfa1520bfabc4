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
package org.orcagrid.server.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.jute.Record;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.CreateTTLRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.proto.ReconfigRequest;
import org.apache.zookeeper.proto.SetACLRequest;
import org.apache.zookeeper.proto.SetDataRequest;
import org.apache.zookeeper.server.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.orcagrid.cad.UndurableChanges;
import org.orcagrid.server.settings.OrcaSettings;

/** Which answers to writes wait, and which writes are durable before they are answered. */
class WriteRulesTest {
  private static final long ZXID = 50;

  /** Whose requests {@link Requests} makes. */
  private static final long SESSION = 1;

  private static final byte[] DATA = {1};

  private static ReplyRules rules(String... settings) {
    return rules(new UndurableChanges(), settings);
  }

  private static ReplyRules rules(UndurableChanges changes, String... settings) {
    OrcaSettings parsed = Requests.settings(settings);
    return new ReplyRules(parsed, changes, () -> ZXID - 1);
  }

  private static CreateRequest create(String path) {
    return new CreateRequest(path, DATA, Ids.OPEN_ACL_UNSAFE, 0);
  }

  private static CreateRequest create(String path, CreateMode mode) {
    return new CreateRequest(path, DATA, Ids.OPEN_ACL_UNSAFE, mode.toFlag());
  }

  private static SetDataRequest setData(String path, int version) {
    return new SetDataRequest(path, DATA, version);
  }

  private static MultiOperationRecord multi(Op... operations) {
    return new MultiOperationRecord(List.of(operations));
  }

  static Stream<Arguments> writes() {
    return Stream.of(
        Arguments.of(OpCode.create, create("/a"), false),
        Arguments.of(OpCode.create2, create("/a"), false),
        Arguments.of(OpCode.createContainer, create("/a"), false),
        Arguments.of(
            OpCode.createTTL, new CreateTTLRequest("/a", DATA, Ids.OPEN_ACL_UNSAFE, 5, 9), false),
        Arguments.of(OpCode.create, create("/a", CreateMode.EPHEMERAL), false),
        Arguments.of(OpCode.create, create("/a", CreateMode.PERSISTENT_SEQUENTIAL), true),
        Arguments.of(OpCode.create, create("/a", CreateMode.EPHEMERAL_SEQUENTIAL), true),
        Arguments.of(OpCode.create2, create("/a", CreateMode.PERSISTENT_SEQUENTIAL), true),
        Arguments.of(OpCode.create2, create("/a", CreateMode.EPHEMERAL_SEQUENTIAL), true),
        Arguments.of(
            OpCode.createTTL, new CreateTTLRequest("/a", DATA, Ids.OPEN_ACL_UNSAFE, 6, 9), true),
        Arguments.of(
            OpCode.multi,
            multi(
                Op.delete("/b", -1),
                Op.create("/a", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL)),
            true),
        Arguments.of(
            OpCode.multi,
            multi(
                Op.create(
                    "/a", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT_SEQUENTIAL_WITH_TTL, 9)),
            true),
        Arguments.of(OpCode.setData, setData("/a", -1), false),
        Arguments.of(OpCode.setData, setData("/a", 0), true),
        Arguments.of(OpCode.setData, setData("/a", 7), true),
        Arguments.of(OpCode.delete, new DeleteRequest("/a", -1), false),
        Arguments.of(OpCode.delete, new DeleteRequest("/a", 3), true),
        Arguments.of(OpCode.setACL, new SetACLRequest("/a", Ids.OPEN_ACL_UNSAFE, -1), false),
        Arguments.of(OpCode.setACL, new SetACLRequest("/a", Ids.OPEN_ACL_UNSAFE, 2), true),
        Arguments.of(OpCode.reconfig, new ReconfigRequest("", "", "", -1), true),
        Arguments.of(OpCode.multi, multi(Op.setData("/a", DATA, -1)), false),
        Arguments.of(OpCode.multi, multi(Op.check("/a", -1), Op.delete("/b", -1)), false),
        Arguments.of(OpCode.multi, multi(Op.delete("/b", -1), Op.check("/a", 4)), true),
        Arguments.of(OpCode.multi, multi(Op.setData("/a", DATA, 4)), true),
        Arguments.of(OpCode.multi, multi(Op.delete("/a", 4)), true),
        Arguments.of(
            OpCode.multi,
            multi(Op.create("/a", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT)),
            false));
  }

  @ParameterizedTest
  @MethodSource("writes")
  void aSuccessfulWriteWaitsAsGatedWritesSays(int opCode, Record body, boolean conditional)
      throws IOException {
    Request write = Requests.write(ZXID, opCode, body);

    assertEquals(0, rules("gatedWrites", "none").shownByWrite(write));
    assertEquals(conditional ? ZXID : 0, rules().shownByWrite(write));
    assertEquals(conditional ? ZXID : 0, rules("gatedWrites", "conditional").shownByWrite(write));
    assertEquals(ZXID, rules("gatedWrites", "all").shownByWrite(write));
  }

  @ParameterizedTest
  @MethodSource("writes")
  void aSuccessfulWriteWaitsForWhatOthersChangedInItsNode(
      int opCode, Record body, boolean conditional) throws IOException {
    Request write = Requests.write(ZXID, opCode, body);
    UndurableChanges changes = new UndurableChanges();
    changes.onNodeChanged("/b", 30, SESSION);
    changes.onNodeChanged("/a", 31, SESSION + 1);
    changes.onNodeChanged("/a", 32, SESSION);
    changes.onNodeChanged("/c", 33, SESSION + 1);

    assertEquals(0, rules(changes, "gatedWrites", "none").shownByWrite(write));
    assertEquals(conditional ? ZXID : 31, rules(changes).shownByWrite(write));
    assertEquals(ZXID, rules(changes, "gatedWrites", "all").shownByWrite(write));
    changes.onDurable(31);
    assertEquals(conditional ? ZXID : 0, rules(changes).shownByWrite(write));
  }

  @Test
  void theAnswerToAMultiShowsAllItsNodes() throws IOException {
    UndurableChanges changes = new UndurableChanges();
    changes.onNodeChanged("/a", 31, SESSION + 1);
    changes.onChildrenChanged("/b", 32, SESSION + 1);
    Request write =
        Requests.write(
            ZXID, OpCode.multi, multi(Op.setData("/b", DATA, -1), Op.setData("/a", DATA, -1)));

    assertEquals(32, rules(changes).shownByWrite(write));
  }

  @Test
  void theAnswerToAWriteOfAQuotaShowsAllThatIsApplied() throws IOException {
    Request write = Requests.write(ZXID, OpCode.setData, setData("/zookeeper/quota/a", -1));

    assertEquals(ZXID - 1, rules().shownByWrite(write));
  }

  @ParameterizedTest
  @MethodSource("writes")
  void aFailedWriteAlwaysWaitsForItsErrorTransaction(int opCode, Record body, boolean conditional)
      throws IOException {
    Request write = Requests.failedWrite(ZXID, opCode, body);

    assertEquals(ZXID, rules("gatedWrites", "none").shownByWrite(write));
    assertEquals(ZXID, rules("gatedWrites", "all").shownByWrite(write));
  }

  @Test
  void aMultiOfWhichOnePartFailedWaits() throws IOException {
    Request failed = Requests.failedMulti(ZXID, multi(Op.setData("/a", DATA, -1)));

    assertEquals(ZXID, rules("gatedWrites", "none").shownByWrite(failed));
  }

  @Test
  void aWriteThatThisServerRefusedWaits() throws IOException {
    Request refused = Requests.write(ZXID, OpCode.setData, setData("/a", -1));
    refused.setException(new KeeperException.BadVersionException("/a"));

    assertEquals(ZXID, rules("gatedWrites", "none").shownByWrite(refused));
  }

  @Test
  void sessionsShowNothingOfTheTree() throws IOException {
    Request begin = Requests.write(ZXID, OpCode.createSession, create("/unused"));
    Request end = Requests.write(ZXID, OpCode.closeSession, create("/unused"));

    assertEquals(0, rules("gatedWrites", "all").shownByWrite(begin));
    assertEquals(0, rules("gatedWrites", "all").shownByWrite(end));
    assertEquals(false, rules().wantsImmediateDurability(begin, true));
    assertEquals(false, rules().wantsImmediateDurability(end, true));
  }

  @ParameterizedTest
  @CsvSource({
    "/locks,true",
    "/locks/a,true",
    "/locks/a/b,true",
    "/locksmith,false",
    "/lock,false",
    "/,false",
    "/other/locks,false",
    "/deep/er,true",
    "/deep/er/x,true",
    "/deep,false",
    "/deep/error,false"
  })
  void aWriteToAConfiguredPathOrBelowItIsDurableFirst(String path, boolean immediate)
      throws IOException {
    ReplyRules rules = rules("immediatePaths", "/locks, /deep/er");
    List<Request> writes =
        List.of(
            Requests.write(ZXID, OpCode.create, create(path)),
            Requests.write(ZXID, OpCode.create2, create(path)),
            Requests.write(ZXID, OpCode.createContainer, create(path)),
            Requests.write(
                ZXID,
                OpCode.createTTL,
                new CreateTTLRequest(path, DATA, Ids.OPEN_ACL_UNSAFE, 5, 9)),
            Requests.write(ZXID, OpCode.delete, new DeleteRequest(path, -1)),
            Requests.write(ZXID, OpCode.setData, setData(path, -1)),
            Requests.write(ZXID, OpCode.setACL, new SetACLRequest(path, Ids.OPEN_ACL_UNSAFE, -1)),
            Requests.write(
                ZXID,
                OpCode.multi,
                multi(Op.setData("/free", DATA, -1), Op.setData(path, DATA, -1))));
    for (Request write : writes) {
      assertEquals(immediate, rules.wantsImmediateDurability(write, false), write.toString());
    }
  }

  @Test
  void theRootAsConfiguredPathCoversEverything() throws IOException {
    ReplyRules rules = rules("immediatePaths", "/");

    assertEquals(
        true,
        rules.wantsImmediateDurability(
            Requests.write(ZXID, OpCode.create, create("/any/where")), false));
  }

  @Test
  void withoutConfiguredPathsNoPathIsImmediate() throws IOException {
    assertEquals(
        false,
        rules().wantsImmediateDurability(Requests.write(ZXID, OpCode.create, create("/a")), false));
  }

  @Test
  void aSessionThatAskedForItGetsEveryWriteDurableFirst() throws IOException {
    assertEquals(
        true,
        rules().wantsImmediateDurability(Requests.write(ZXID, OpCode.create, create("/a")), true));
  }

  @Test
  void aMultiThatChecksTheMarkerIsDurableFirst() throws IOException {
    Op marker = Op.check(ReplyRules.IMMEDIATE_MARKER, -1);
    Op other = Op.check("/zookeeper/quota", -1);
    Op write = Op.setData("/a", DATA, -1);

    assertEquals(
        true,
        rules()
            .wantsImmediateDurability(
                Requests.write(ZXID, OpCode.multi, multi(write, marker)), false));
    assertEquals(
        false,
        rules()
            .wantsImmediateDurability(
                Requests.write(ZXID, OpCode.multi, multi(write, other)), false));
  }

  @Test
  void aCheckOfAConfiguredPathWritesNothingThere() throws IOException {
    assertEquals(
        false,
        rules("immediatePaths", "/locks")
            .wantsImmediateDurability(
                Requests.write(
                    ZXID, OpCode.multi, multi(Op.check("/locks", -1), Op.setData("/a", DATA, -1))),
                false));
  }
}
