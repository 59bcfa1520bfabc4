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
package org.orcagrid.processes;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** Stock clients of the servers under test. */
final class Clients {
  /** How long an ensemble may take to answer again after a fault. */
  static final Duration LIMIT = Duration.ofSeconds(60);

  private static final int SESSION_MS = 5_000;

  private Clients() {}

  /** An operation that may meet a lost connection. */
  @FunctionalInterface
  interface Operation<T> {
    T run(ZooKeeper client) throws KeeperException, InterruptedException;
  }

  /** Returns a connected client. */
  static ZooKeeper connect(String servers) throws IOException, InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            servers,
            SESSION_MS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    if (!connected.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      client.close();
      throw new IOException("No connection to " + servers + " in " + LIMIT);
    }
    return client;
  }

  /** What a test waits for. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws Exception;
  }

  /** Polls until the condition holds; fails when it does not within the limit. */
  static void await(Condition condition) throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("It does not hold after " + LIMIT);
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** Runs an operation that may be repeated, with new connections until the limit. */
  static <T> T persistently(String servers, Operation<T> operation)
      throws KeeperException, IOException, InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      try (ZooKeeper client = connect(servers)) {
        return operation.run(client);
      } catch (KeeperException.ConnectionLossException
          | KeeperException.SessionExpiredException
          | KeeperException.SessionMovedException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
      }
    }
  }
}
