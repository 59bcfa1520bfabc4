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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.TxnHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.server.log.LogStorage;
import org.orcagrid.server.log.OrcaTxnSnapLog;

class OrcaZKDatabaseTest {

  @TempDir Path dir;

  @Test
  void aWriteThatWasAppliedAndNotLoggedIsForgottenWhenTheRoleEnds() throws Exception {
    OrcaTxnSnapLog log = new OrcaTxnSnapLog(dir.toFile(), dir.toFile(), LogStorage.files());
    OrcaZKDatabase database = new OrcaZKDatabase(log);
    database.loadDataBase();
    Request logged = create("/logged", 0x100000001L);
    database.append(logged);
    database.commit();
    apply(database, logged);
    apply(database, create("/applied-only", 0x100000002L));

    assertEquals(0x100000001L, database.fastForwardDataBase());

    assertEquals(0x100000001L, database.getDataTreeLastProcessedZxid());
    assertNotNull(database.getNode("/logged"));
    assertNull(database.getNode("/applied-only"));
    log.close();
  }

  @Test
  void theNumberOfAnEpochThatHasNoWriteYetIsKept() throws Exception {
    OrcaTxnSnapLog log = new OrcaTxnSnapLog(dir.toFile(), dir.toFile(), LogStorage.files());
    OrcaZKDatabase database = new OrcaZKDatabase(log);
    database.loadDataBase();
    database.setlastProcessedZxid(0x200000000L);

    assertEquals(0x200000000L, database.fastForwardDataBase());
    log.close();
  }

  private static void apply(OrcaZKDatabase database, Request request) {
    database.processTxn(request.getHdr(), request.getTxn(), null);
  }

  private static Request create(String path, long zxid) {
    return new Request(
        1,
        1,
        OpCode.create,
        new TxnHeader(1, 1, zxid, 1, OpCode.create),
        new CreateTxn(path, new byte[0], Ids.OPEN_ACL_UNSAFE, false, 1),
        zxid);
  }
}
