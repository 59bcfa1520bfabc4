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
import static org.orcagrid.geo.session.WriteGuarantee.MONOTONIC_WRITE_FOLLOWS_READS;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.geo.node.GeoConfig;

/** Nodes with several workers: a client's connection is one worker's, its requests are for all. */
final class GeoWorkersTest {
  private static final int WORKERS = 2;
  private static final int KEYS = 40;

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
