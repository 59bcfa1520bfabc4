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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.TxnHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.server.log.LogStorage;
import org.orcagrid.server.log.OrcaTxnSnapLog;
import org.orcagrid.server.tree.OrcaZKDatabase;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadOnlyModeTest {

  @TempDir Path dir;

  private final ReadOnlyMode mode = new ReadOnlyMode();
  private OrcaTxnSnapLog log;
  private OrcaZKDatabase database;
  private volatile boolean refused;

  @BeforeEach
  void load() throws Exception {
    log = new OrcaTxnSnapLog(dir.toFile(), dir.toFile(), LogStorage.files());
    database = new OrcaZKDatabase(log);
    database.loadDataBase();
  }

  @AfterEach
  void close() throws Exception {
    log.close();
  }

  @Test
  void anElectionForcesWhatTheLogHas() throws Exception {
    append("/logged", 0x100000001L, true);
    assertTrue(log.log().undurableBytes() > 0);

    mode.onElection(database, log);

    mode.awaitForced();
    assertEquals(0, log.log().undurableBytes());
    assertEquals(0x100000001L, log.log().persisted());
    assertNotNull(database.getNode("/logged"));
  }

  @Test
  void whatOnlyTheTreeHasIsNotShown() throws Exception {
    append("/logged", 0x100000001L, true);
    append("/applied-only", 0x100000002L, false);

    mode.onElection(database, log);

    assertNotNull(database.getNode("/logged"));
    assertNull(database.getNode("/applied-only"));
  }

  @Test
  void whatTheLogHasAndTheTreeLacksIsShown() throws Exception {
    append("/logged", 0x100000001L, true);
    log.append(create("/later", 0x100000002L));

    mode.onElection(database, log);

    assertNotNull(database.getNode("/later"));
  }

  @Test
  void aTreeThatARoleHasLeftHalfMadeIsLoadedAnew() throws Exception {
    append("/logged", 0x100000001L, true);
    database.clear();

    mode.onElection(database, log);

    mode.awaitForced();
    assertNotNull(database.getNode("/logged"));
  }

  @Test
  void clientsAreNotServedOnceTheElectionHasEnded() {
    mode.onElection(database, log);
    Thread.currentThread().interrupt();

    assertThrows(IllegalStateException.class, mode::awaitForced);
    assertTrue(Thread.interrupted());
  }

  @Test
  void clientsWaitUntilTheLogIsForced() throws Exception {
    mode.onElection(database, log);
    mode.onRole();
    Thread waiting = waitForForce();

    append("/logged", 0x100000001L, true);
    assertTrue(waiting.isAlive());
    mode.onElection(database, log);

    waiting.join(TimeUnit.SECONDS.toMillis(20));
    assertEquals(Thread.State.TERMINATED, waiting.getState());
  }

  @Test
  void nobodyIsServedBehindALogThatCannotBeForced() throws Exception {
    OrcaTxnSnapLog broken =
        new OrcaTxnSnapLog(dir.toFile(), dir.toFile(), new DiskThatCannotForce());
    broken.append(create("/lost", 0x100000001L));
    OrcaZKDatabase over = new OrcaZKDatabase(broken);
    over.loadDataBase();
    Thread waiting = waitForForce();

    mode.onElection(over, broken);
    assertEquals("the disk is gone", broken.log().failure().getMessage());
    assertTrue(waiting.isAlive());

    waiting.interrupt();
    waiting.join(TimeUnit.SECONDS.toMillis(20));
    assertEquals(Thread.State.TERMINATED, waiting.getState());
    assertTrue(refused);
    broken.close();
  }

  private Thread waitForForce() throws InterruptedException {
    Thread waiting =
        new Thread(
            () -> {
              try {
                mode.awaitForced();
              } catch (IllegalStateException e) {
                refused = true;
              }
            });
    waiting.start();
    while (waiting.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    return waiting;
  }

  private void append(String path, long zxid, boolean logged) throws Exception {
    Request request = create(path, zxid);
    if (logged) {
      log.append(request);
    }
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

  private static final class DiskThatCannotForce implements LogStorage {
    private final LogStorage files = LogStorage.files();

    @Override
    public LogFile create(Path file) throws IOException {
      LogFile created = files.create(file);
      return new LogFile() {
        @Override
        public void write(ByteBuffer bytes, long position) throws IOException {
          created.write(bytes, position);
        }

        @Override
        public void force() throws IOException {
          throw new IOException("the disk is gone");
        }

        @Override
        public void close() throws IOException {
          created.close();
        }
      };
    }

    @Override
    public void forceFile(Path file) throws IOException {
      files.forceFile(file);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
      files.forceDirectory(directory);
    }
  }
}
