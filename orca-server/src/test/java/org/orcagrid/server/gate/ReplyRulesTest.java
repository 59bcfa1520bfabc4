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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.jute.Record;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.ExistsRequest;
import org.apache.zookeeper.proto.GetACLRequest;
import org.apache.zookeeper.proto.GetAllChildrenNumberRequest;
import org.apache.zookeeper.proto.GetChildren2Request;
import org.apache.zookeeper.proto.GetChildrenRequest;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.proto.GetEphemeralsRequest;
import org.apache.zookeeper.proto.SetWatches;
import org.apache.zookeeper.proto.SetWatches2;
import org.apache.zookeeper.server.Request;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.cad.UndurableChanges;

/** The table "What counts as a read", a row for each kind of reply. */
class ReplyRulesTest {
  private static final long APPLIED = 99;
  private static final long DATA = 10;
  private static final long CHILDREN = 20;
  private static final long DELETED = 30;
  private static final long ACL = 40;

  private final UndurableChanges changes = new UndurableChanges();
  private final ReplyRules rules = new ReplyRules(Requests.settings(), changes, () -> APPLIED);

  /** {@code /n} was changed and then got a child; {@code /gone} was deleted. */
  @BeforeEach
  void changeTheTree() {
    changes.onNodeChanged("/n", DATA);
    changes.onChildrenChanged("/n", CHILDREN);
    changes.onNodeChanged("/n/child", CHILDREN);
    changes.onNodeChanged("/gone", DELETED);
    changes.onChildrenChanged("/gone", DELETED);
    changes.onChildrenChanged("/", DELETED);
    changes.onNodeChanged("/acl", ACL);
  }

  static Stream<Arguments> reads() {
    return Stream.of(
        row("getData", OpCode.getData, new GetDataRequest("/n", false), CHILDREN, CHILDREN),
        row("getData, watched", OpCode.getData, new GetDataRequest("/n", true), CHILDREN, CHILDREN),
        row("getData of a node without changes", OpCode.getData, data("/old"), 0, 0),
        row("getData of a missing node", OpCode.getData, data("/gone"), DELETED, DELETED),
        row("getData below a deleted node", OpCode.getData, data("/gone/x"), 0, 0),
        row("getData of the root", OpCode.getData, data("/"), DELETED, DELETED),
        row("exists", OpCode.exists, new ExistsRequest("/n", true), CHILDREN, CHILDREN),
        row("exists, missing", OpCode.exists, new ExistsRequest("/gone", true), DELETED, DELETED),
        row("getChildren2", OpCode.getChildren2, children2("/n"), CHILDREN, CHILDREN),
        row("getChildren2 after setData", OpCode.getChildren2, children2("/acl"), ACL, ACL),
        row("getChildren", OpCode.getChildren, children("/n"), CHILDREN, CHILDREN),
        row(
            "getChildren after setACL: refused or not",
            OpCode.getChildren,
            children("/acl"),
            0,
            ACL),
        row("getChildren, missing", OpCode.getChildren, children("/gone"), DELETED, DELETED),
        row("getACL", OpCode.getACL, new GetACLRequest("/acl"), ACL, ACL),
        row("getACL, missing", OpCode.getACL, new GetACLRequest("/gone"), DELETED, DELETED),
        row(
            "getAllChildrenNumber",
            OpCode.getAllChildrenNumber,
            new GetAllChildrenNumberRequest("/old"),
            APPLIED,
            APPLIED),
        row(
            "getEphemerals",
            OpCode.getEphemerals,
            new GetEphemeralsRequest("/old"),
            APPLIED,
            APPLIED),
        row("a quota node", OpCode.getData, data("/zookeeper/quota/n"), APPLIED, APPLIED),
        row("quota children", OpCode.getChildren, children("/zookeeper/quota"), APPLIED, APPLIED),
        row(
            "setWatches",
            OpCode.setWatches,
            new SetWatches(1, List.of("/old"), List.of(), List.of()),
            APPLIED,
            APPLIED),
        row(
            "setWatches2",
            OpCode.setWatches2,
            new SetWatches2(1, List.of(), List.of(), List.of(), List.of(), List.of("/old")),
            APPLIED,
            APPLIED),
        row(
            "multiRead: the maximum of its parts",
            OpCode.multiRead,
            new MultiOperationRecord(List.of(Op.getData("/acl"), Op.getChildren("/n"))),
            ACL,
            ACL),
        row(
            "multiRead of which a part may be refused",
            OpCode.multiRead,
            new MultiOperationRecord(List.of(Op.getChildren("/acl"))),
            ACL,
            ACL));
  }

  private static Arguments row(String kind, int opCode, Record body, long success, long failure) {
    return Arguments.of(kind, opCode, body, success, failure);
  }

  private static GetDataRequest data(String path) {
    return new GetDataRequest(path, false);
  }

  private static GetChildrenRequest children(String path) {
    return new GetChildrenRequest(path, false);
  }

  private static GetChildren2Request children2(String path) {
    return new GetChildren2Request(path, false);
  }

  @ParameterizedTest(name = "{0} needs {3}, and {4} when it fails")
  @MethodSource("reads")
  void aReadNeedsWhatItShows(String kind, int opCode, Record body, long success, long failure)
      throws IOException {
    Request request = Requests.read(opCode, body);

    assertTrue(ReplyRules.isRead(opCode), kind);
    assertEquals(success, rules.shownByRead(request), kind);
    assertEquals(
        failure, Math.max(success, rules.shownByFailedRead(Requests.read(opCode, body))), kind);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        OpCode.whoAmI,
        OpCode.ping,
        OpCode.auth,
        OpCode.sasl,
        OpCode.addWatch,
        OpCode.checkWatches,
        OpCode.removeWatches,
        OpCode.sync,
        OpCode.create,
        OpCode.setData,
        OpCode.delete,
        OpCode.multi,
        OpCode.createSession,
        OpCode.closeSession
      })
  void whatShowsNothingOfTheTreeIsNoRead(int opCode) {
    assertFalse(ReplyRules.isRead(opCode));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        OpCode.getData,
        OpCode.exists,
        OpCode.getChildren,
        OpCode.getChildren2,
        OpCode.getACL,
        OpCode.multiRead
      })
  void aRequestThatCannotBeParsedIsAnIoException(int opCode) {
    assertThrows(IOException.class, () -> rules.shownByRead(Requests.garbage(opCode)));
    assertThrows(IOException.class, () -> rules.shownByFailedRead(Requests.garbage(opCode)));
  }

  @Test
  void whatWasLoadedFromDiskIsNeededByEveryRead() throws IOException {
    changes.startFrom(77);

    assertEquals(77, rules.shownByRead(Requests.read(OpCode.getData, data("/old"))));
    assertEquals(77, rules.shownByRead(Requests.read(OpCode.getChildren, children("/old"))));
  }
}
