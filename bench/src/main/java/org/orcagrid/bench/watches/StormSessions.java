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
package org.orcagrid.bench.watches;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** Opens sessions of the stock client. */
final class StormSessions {
  private static final int SESSION_TIMEOUT_MS = 30_000;
  private static final int CONNECT_SECONDS_MAX = 60;

  private StormSessions() {}

  /** A session whose events of nodes go to {@code events}. */
  static ZooKeeper open(String server, Watcher events) throws IOException, InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            server,
            SESSION_TIMEOUT_MS,
            event -> {
              if (event.getType() != EventType.None) {
                events.process(event);
              } else if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    if (!connected.await(CONNECT_SECONDS_MAX, TimeUnit.SECONDS)) {
      client.close();
      throw new IOException("No session at " + server + " in " + CONNECT_SECONDS_MAX + " s.");
    }
    return client;
  }
}
