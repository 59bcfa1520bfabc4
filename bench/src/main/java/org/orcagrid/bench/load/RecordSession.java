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
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.orcagrid.bench.system.ServerAddress;
import org.orcagrid.bench.workload.Operation;
import org.orcagrid.bench.workload.OperationKind;

/** One ZooKeeper session on one server; records are znodes under one parent. */
final class RecordSession implements AutoCloseable {
  private static final int SESSION_TIMEOUT_MS = 15_000;

  private final ZooKeeper zooKeeper;
  private final String parent;
  private final byte[] value;

  private RecordSession(ZooKeeper zooKeeper, String parent, byte[] value) {
    this.zooKeeper = zooKeeper;
    this.parent = parent;
    this.value = value;
  }

  /** Told the outcome of an asynchronous request, on the session's event thread. */
  @FunctionalInterface
  interface Answer {
    void arrived(Code code);
  }

  /**
   * Opens a session and waits until it is there.
   *
   * @throws IOException if the server does not accept it within the session timeout
   */
  static RecordSession open(ServerAddress server, String parent, int valueBytes)
      throws IOException, InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper zooKeeper =
        new ZooKeeper(
            server.toString(),
            SESSION_TIMEOUT_MS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    if (!connected.await(SESSION_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
      zooKeeper.close((int) Duration.ofSeconds(1).toMillis());
      throw new IOException(
          "No session on " + server + " within " + SESSION_TIMEOUT_MS + " ms; see its log.");
    }
    return new RecordSession(zooKeeper, parent, new byte[valueBytes]);
  }

  ZooKeeper zooKeeper() {
    return zooKeeper;
  }

  /** Reads a record; returns whether it was there. */
  boolean read(long key) throws KeeperException, InterruptedException {
    try {
      byte[] data = zooKeeper.getData(path(key), false, null);
      return data != null;
    } catch (KeeperException.NoNodeException absent) {
      return false;
    }
  }

  /** Updates or inserts a record. */
  void write(Operation operation) throws KeeperException, InterruptedException {
    String path = path(operation.key());
    if (operation.kind() == OperationKind.INSERT) {
      zooKeeper.create(path, value, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    } else {
      zooKeeper.setData(path, value, -1);
    }
  }

  void readAsync(long key, Answer answer) {
    zooKeeper.getData(
        path(key), false, (code, path, ctx, data, stat) -> answer.arrived(Code.get(code)), null);
  }

  void writeAsync(Operation operation, Answer answer) {
    String path = path(operation.key());
    if (operation.kind() == OperationKind.INSERT) {
      zooKeeper.create(
          path,
          value,
          Ids.OPEN_ACL_UNSAFE,
          CreateMode.PERSISTENT,
          (code, p, ctx, name) -> answer.arrived(Code.get(code)),
          null);
    } else {
      zooKeeper.setData(
          path, value, -1, (code, p, ctx, stat) -> answer.arrived(Code.get(code)), null);
    }
  }

  private String path(long key) {
    return parent + "/r" + key;
  }

  /** Ends the session; if the thread is interrupted meanwhile, the server will expire it. */
  @Override
  public void close() {
    try {
      zooKeeper.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
