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
package org.orcagrid.geo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.orcagrid.geo.session.ReadGuarantee.MONOTONIC_READ_YOUR_WRITE;
import static org.orcagrid.geo.session.WriteGuarantee.EVENTUAL;
import static org.orcagrid.geo.session.WriteGuarantee.MONOTONIC_WRITE_FOLLOWS_READS;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.geo.node.GeoConfig;

/** Nodes with several workers: a client's connection is one worker's, its requests are for all. */
final class GeoWorkersTest {
  private static final int WORKERS = 2;
  private static final int KEYS = 40;
  private static final int UNDER_WAY = 4_000;

  @TempDir private Path folder;

  private static GeoConfig withWorkers(GeoConfig usual) {
    return new GeoConfig(
        usual.plan(),
        usual.folder(),
        WORKERS,
        usual.journalBytesMax(),
        usual.log(),
        usual.security(),
        usual.console(),
        usual.trial());
  }

  @Test
  void clientsAreSharedOutAndEachReachesAllPartitions() throws IOException {
    LocalStore.Oddity workers =
        new LocalStore.Oddity() {
          @Override
          public GeoConfig config(GeoConfig usual) {
            return withWorkers(usual);
          }
        };
    try (LocalStore store = new LocalStore(folder, 1, 3, 4, workers)) {
      store.awaitLeaders();
      List<RemoteGeo> clients = new ArrayList<>();
      try {
        for (int i = 0; i < WORKERS + 1; i++) {
          clients.add(RemoteGeo.connect(store.settings()));
        }
        for (RemoteGeo client : clients) {
          writesAndReads(client, "client " + clients.indexOf(client));
        }
      } finally {
        clients.forEach(RemoteGeo::close);
      }
      assertEquals(List.of(), List.copyOf(store.failures()));
    }
  }

  /** Requests that come while a node ends find it gone, and do not make it fail. */
  @Test
  void nodesEndInOrderUnderLoad() throws Exception {
    try (LocalStore store = new LocalStore(folder, 1, 3, 4)) {
      store.awaitLeaders();
      AtomicBoolean over = new AtomicBoolean();
      Thread load = new Thread(() -> load(store, over), "load");
      load.start();
      for (int round = 0; round < 6; round++) {
        store.end(round % 3);
        store.start(round % 3);
        store.awaitLeaders();
      }
      over.set(true);
      load.join();
      assertEquals(List.of(), List.copyOf(store.failures()));
    }
  }

  private static void load(LocalStore store, AtomicBoolean over) {
    Semaphore room = new Semaphore(UNDER_WAY);
    try (RemoteGeo client = RemoteGeo.connect(store.settings());
        GeoSession session = client.openSession()) {
      GeoView<String, String> view = session.view("mails", Codec.STRING, Codec.STRING);
      for (long i = 0; !over.get(); i++) {
        room.acquireUninterruptibly();
        Object unused =
            view.putAsync("key" + i % KEYS, "value", EVENTUAL)
                .whenComplete((done, failure) -> room.release());
      }
      room.acquireUninterruptibly(UNDER_WAY);
    }
  }

  private static void writesAndReads(RemoteGeo client, String name) {
    try (GeoSession session = client.openSession()) {
      GeoView<String, String> view = session.view("mails", Codec.STRING, Codec.STRING);
      for (int i = 0; i < KEYS; i++) {
        view.put("key" + i, name, MONOTONIC_WRITE_FOLLOWS_READS);
        assertEquals(name, view.get("key" + i, MONOTONIC_READ_YOUR_WRITE).value());
      }
    }
  }
}
