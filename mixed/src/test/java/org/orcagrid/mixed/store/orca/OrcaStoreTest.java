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
package org.orcagrid.mixed.store.orca;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.mixed.Handle;
import org.orcagrid.mixed.StoreName;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.run.MixedClient;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreContract;
import org.orcagrid.mixed.store.StoreException;

/** At a stock server; the examples use ORCA's. */
class OrcaStoreTest extends StoreContract {
  private static NIOServerCnxnFactory factory;
  private static Store store;
  private static String address;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException, InterruptedException, StoreException {
    factory = new NIOServerCnxnFactory();
    factory.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    factory.startup(new ZooKeeperServer(folder.toFile(), folder.toFile(), 2_000));
    address = "127.0.0.1:" + factory.getLocalPort();
    store = open("/test");
  }

  private static Store open(String root) throws StoreException {
    return new OrcaStore("orca", address, root, OrcaStore.Reads.SYNC, new Operations(List.of(ADD)));
  }

  @AfterAll
  static void stop() {
    if (store != null) {
      store.close();
    }
    if (factory != null) {
      factory.shutdown();
    }
  }

  @Override
  protected Store store() {
    return store;
  }

  @Test
  void tooMuchAtOnceIsRefused() throws StoreException {
    StoreName<Linearizable> orca = new StoreName<>("orca", Linearizable.class);
    Handle<Linearizable, String> large = orca.object("large");
    try (MixedClient client = new MixedClient(List.of(open("/large")))) {
      IllegalTransactionException e =
          assertThrows(
              IllegalTransactionException.class,
              () ->
                  client.transaction(
                      large.set(org.orcagrid.mixed.Mixed.value("x".repeat(1_100_000)))));
      assertTrue(e.getMessage().contains("1000000 are the most"), e.getMessage());
    }
  }
}
