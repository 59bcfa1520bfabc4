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
package org.orcagrid.server.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.jute.BinaryOutputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.txn.CloseSessionTxn;
import org.apache.zookeeper.txn.CreateContainerTxn;
import org.apache.zookeeper.txn.CreateTTLTxn;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.DeleteTxn;
import org.apache.zookeeper.txn.ErrorTxn;
import org.apache.zookeeper.txn.MultiTxn;
import org.apache.zookeeper.txn.SetACLTxn;
import org.apache.zookeeper.txn.SetDataTxn;
import org.apache.zookeeper.txn.Txn;
import org.apache.zookeeper.txn.TxnHeader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which changes each kind of transaction notes. */
class OrcaDataTreeTest {
  private static final long SESSION = 9;
  private static final byte[] DATA = {};

  private final AtomicLong durable = new AtomicLong();
  private final OrcaDataTree tree = new OrcaDataTree();

  @BeforeEach
  void beginWithANode() {
    apply(1, OpCode.create, create("/a"));
    tree.noteChanges(durable::get);
    assertEquals(1, node("/a"), "what was there before needs all of it");
    assertEquals(1, node("/other"));
  }

  private static CreateTxn create(String path) {
    return new CreateTxn(path, DATA, Ids.OPEN_ACL_UNSAFE, false, 1);
  }

  private void apply(long zxid, int type, Record txn) {
    tree.processTxn(new TxnHeader(SESSION, 1, zxid, 0, type), txn);
  }

  private long node(String path) {
    return tree.changes().indexOfNode(path);
  }

  private long children(String path) {
    return tree.changes().indexOfChildren(path);
  }

  @Test
  void aCreationChangesTheNodeAndTheChildrenOfItsParent() {
    apply(2, OpCode.create, create("/a/b"));

    assertEquals(2, node("/a/b"));
    assertEquals(2, children("/a/b"));
    assertEquals(2, children("/a"));
    assertEquals(2, node("/a"), "the Stat of the parent has the number of its children");
    assertEquals(1, node("/"));
  }

  @Test
  void aCreationBelowTheRootChangesTheRoot() {
    apply(2, OpCode.create2, create("/b"));

    assertEquals(2, children("/"));
    assertEquals(2, node("/b"));
  }

  @Test
  void containersAndNodesThatExpireAreNodes() {
    apply(2, OpCode.createContainer, new CreateContainerTxn("/c", DATA, Ids.OPEN_ACL_UNSAFE, 1));
    apply(3, OpCode.createTTL, new CreateTTLTxn("/t", DATA, Ids.OPEN_ACL_UNSAFE, 2, 1000));
    assertEquals(2, node("/c"));
    assertEquals(3, node("/t"));
    apply(4, OpCode.deleteContainer, new DeleteTxn("/c"));
    assertEquals(4, node("/c"));
    assertEquals(4, children("/"));
  }

  @Test
  void aDeletionChangesWhatIsSaidOfTheNodeThatIsGone() {
    apply(2, OpCode.delete, new DeleteTxn("/a"));

    assertEquals(2, node("/a"));
    assertEquals(2, children("/a"), "a list of its children says that it is gone");
    assertEquals(2, children("/"));
  }

  @Test
  void newDataAndANewAccessListChangeTheNodeAlone() {
    apply(2, OpCode.setData, new SetDataTxn("/a", DATA, 1));
    assertEquals(2, node("/a"));
    assertEquals(1, children("/a"));

    apply(3, OpCode.setACL, new SetACLTxn("/a", Ids.READ_ACL_UNSAFE, 1));
    assertEquals(3, node("/a"));
    assertEquals(1, children("/a"));
    assertEquals(1, node("/"));
  }

  @Test
  void theEndOfASessionDeletesItsNodes() {
    apply(2, OpCode.create, new CreateTxn("/e", DATA, Ids.OPEN_ACL_UNSAFE, true, 1));
    apply(3, OpCode.closeSession, new CloseSessionTxn(List.of("/e")));

    assertEquals(3, node("/e"));
    assertEquals(3, children("/"));
  }

  @Test
  void eachChangeIsNotedAsThatOfItsSession() {
    apply(2, OpCode.create, new CreateTxn("/e", DATA, Ids.OPEN_ACL_UNSAFE, true, 1));
    apply(3, OpCode.setData, new SetDataTxn("/a", DATA, 1));
    apply(4, OpCode.setACL, new SetACLTxn("/a", Ids.READ_ACL_UNSAFE, 1));
    durable.set(1);
    apply(5, OpCode.closeSession, new CloseSessionTxn(List.of("/e")));

    for (String path : List.of("/", "/e", "/a")) {
      assertEquals(0, tree.changes().indexOfOthers(path, SESSION), path);
    }
    assertEquals(5, tree.changes().indexOfOthers("/", SESSION + 1));
    assertEquals(5, tree.changes().indexOfOthers("/e", SESSION + 1));
    assertEquals(4, tree.changes().indexOfOthers("/a", SESSION + 1));
  }

  @Test
  void everyPartOfAMultiIsNoted() throws IOException {
    apply(
        2,
        OpCode.multi,
        new MultiTxn(
            List.of(
                part(OpCode.create, create("/m")),
                part(OpCode.setData, new SetDataTxn("/a", DATA, 1)),
                part(OpCode.delete, new DeleteTxn("/m")))));

    assertEquals(2, node("/m"));
    assertEquals(2, node("/a"));
    assertEquals(2, children("/"));
  }

  private static Txn part(int type, Record txn) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    txn.serialize(BinaryOutputArchive.getArchive(bytes), "txn");
    return new Txn(type, bytes.toByteArray());
  }

  @Test
  void aWriteThatFailedChangesNothing() {
    apply(2, OpCode.error, new ErrorTxn(-110));

    assertEquals(0, tree.changes().size());
  }

  @Test
  void whatIsDurableIsForgottenWithTheNextTransaction() {
    apply(2, OpCode.setData, new SetDataTxn("/a", DATA, 1));
    durable.set(2);
    apply(3, OpCode.create, create("/b"));

    assertEquals(1, node("/a"));
    assertEquals(3, node("/b"));
  }

  @Test
  void afterTheRoleNothingIsNoted() {
    apply(2, OpCode.setData, new SetDataTxn("/a", DATA, 1));
    tree.forgetChanges();
    apply(3, OpCode.setData, new SetDataTxn("/a", DATA, 2));

    assertEquals(0, node("/a"));
    assertEquals(0, tree.changes().size());
  }
}
