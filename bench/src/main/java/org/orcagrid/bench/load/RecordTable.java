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
package org.orcagrid.bench.load;

import java.io.IOException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.orcagrid.bench.system.ServerAddress;
import org.orcagrid.bench.workload.Operation;
import org.orcagrid.bench.workload.OperationKind;

/** Creates the records that a run works on. */
final class RecordTable {
  private static final String ROOT = "/orca-bench";
  private static final int WINDOW = 100;

  private RecordTable() {}

  /** Returns the parent of a table's records. */
  static String parent(String table) {
    return ROOT + "/" + table;
  }

  /**
   * Creates the records of a table unless an earlier call has done so.
   *
   * @throws IOException if one cannot be created
   */
  static void preload(ServerAddress leader, String table, LoadPlan.Data data)
      throws IOException, InterruptedException {
    String parent = parent(table);
    // A sibling, so that the parent has nothing but records.
    String marker = parent + ".complete";
    try (RecordSession session = RecordSession.open(leader, parent, data.valueBytes())) {
      ZooKeeper zooKeeper = session.zooKeeper();
      if (zooKeeper.exists(marker, false) != null) {
        return;
      }
      createIfAbsent(zooKeeper, ROOT);
      createIfAbsent(zooKeeper, parent);
      createRecords(session, data.records());
      createIfAbsent(zooKeeper, marker);
    } catch (KeeperException e) {
      throw new IOException(
          "Cannot create the records in " + parent + "; see the servers' logs.", e);
    }
  }

  private static void createRecords(RecordSession session, int records)
      throws IOException, InterruptedException {
    Semaphore window = new Semaphore(WINDOW);
    ConcurrentLinkedQueue<Code> failures = new ConcurrentLinkedQueue<>();
    for (long key = 0; key < records; key++) {
      window.acquire();
      session.writeAsync(
          new Operation(OperationKind.INSERT, key),
          code -> {
            if (code != Code.OK && code != Code.NODEEXISTS) {
              failures.add(code);
            }
            window.release();
          });
    }
    window.acquire(WINDOW);
    if (!failures.isEmpty()) {
      throw new IOException(
          "%d of %d records could not be created, the first with %s; see the servers' logs."
              .formatted(failures.size(), records, failures.peek()));
    }
  }

  private static void createIfAbsent(ZooKeeper zooKeeper, String path)
      throws KeeperException, InterruptedException {
    try {
      zooKeeper.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    } catch (KeeperException.NodeExistsException present) {
      // As wanted.
      return;
    }
  }
}
