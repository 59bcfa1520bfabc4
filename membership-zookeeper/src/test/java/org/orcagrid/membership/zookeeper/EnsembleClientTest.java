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
package org.orcagrid.membership.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class EnsembleClientTest {
  @TempDir private Path dir;

  /** Where handles connect to; tests have it move. */
  private volatile String address;

  private final CountDownLatch lost = new CountDownLatch(1);

  private final EnsembleClient client =
      new EnsembleClient(
          "here",
          watcher ->
              new ZooKeeper(
                  address,
                  20_000,
                  event -> {
                    watcher.process(event);
                    if (event.getState() == Watcher.Event.KeeperState.Disconnected) {
                      lost.countDown();
                    }
                  }),
          () -> {});

  /** A server that has just started may need longer; each try gives it twice the time. */
  private boolean connectSoon() throws InterruptedException {
    while (true) {
      try {
        return client.connect();
      } catch (IOException e) {
        // Asked again, as its users do.
      }
    }
  }

  @Test
  void whatIsLostIsFollowedByANewSessionAndWhatIsThereIsKept() throws Exception {
    ZooKeeper first;
    try (ZooKeeperServerEmbedded server = StockServer.start(dir.resolve("one"))) {
      address = server.getConnectionString();
      assertTrue(client.connect());
      first = client.get();
      assertFalse(client.connect());
      assertSame(first, client.get());
    }
    lost.await();
    try (ZooKeeperServerEmbedded server = StockServer.start(dir.resolve("other"))) {
      address = server.getConnectionString();
      assertTrue(connectSoon());
      assertNotSame(first, client.get());
      assertEquals(
          "/there",
          client.get().create("/there", null, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
      // Nobody goes on with the session before.
      assertThrows(KeeperException.class, () -> first.exists("/there", false));
      client.close();
    }
  }

  @Test
  void anEnsembleThatDoesNotAnswerIsNamedAndAskedAgain() throws Exception {
    try (ZooKeeperServerEmbedded server = StockServer.start(dir.resolve("one"))) {
      address = server.getConnectionString();
      assertTrue(client.connect());
    }
    lost.await();
    for (int millis : new int[] {100, 200}) {
      IOException refused = assertThrows(IOException.class, client::connect);
      assertTrue(
          refused.getMessage().contains("at here has answered in " + millis), refused::getMessage);
    }
    client.close();
  }
}
