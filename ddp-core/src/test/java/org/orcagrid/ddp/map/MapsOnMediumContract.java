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
package org.orcagrid.ddp.map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/** What maps do on any kind of medium. */
@Timeout(120)
public abstract class MapsOnMediumContract {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final int KEYS = 50;

  @TempDir Path folder;

  /** The kind of medium that is tested. */
  protected abstract MediumKind kind();

  static List<Ddp> models() {
    return List.of(
        Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS),
        Ddp.of(Consistency.TRANSACTIONAL, Persistency.STRICT),
        Ddp.of(Consistency.CAUSAL, Persistency.SCOPE),
        Ddp.of(Consistency.RELEASE, Persistency.READ_ENFORCED),
        Ddp.of(Consistency.EVENTUAL, Persistency.EVENTUAL));
  }

  private static Operation write(MapSession session, int key, String value) {
    byte[] bytes = value == null ? null : value.getBytes(UTF_8);
    return session.submit(Operation.write(Key.of("key" + key), bytes)).join();
  }

  private static String read(MapSession session, int key) {
    Operation done = session.submit(Operation.read(Key.of("key" + key))).join();
    return done.read() == null || done.read().value() == null
        ? null
        : new String(done.read().value(), UTF_8);
  }

  @ParameterizedTest
  @MethodSource("models")
  protected void mapsAreThereAgainAndMapsThatWereRemovedAreNot(Ddp model) throws Exception {
    MapDefinition map;
    try (LocalMaps maps = LocalMaps.start(2, folder, kind())) {
      map = define(maps, "kept", model);
      MapSession session = maps.node(0).openSession(map);
      for (int round = 0; round < 3; round++) {
        for (int key = 0; key < KEYS; key++) {
          write(session, key, round < 2 || key % 5 > 0 ? key + " of round " + round : null);
        }
        if (model.persistency().isByScope()) {
          session.submit(Operation.of(Operation.Kind.PERSIST)).join();
        }
      }
      MapDefinition gone = define(maps, "gone", model);
      write(maps.node(1).openSession(gone), 1, "gone");
      maps.node(1).remove("gone", PATIENCE_NANOS);
      maps.node(0).define("gone2", model, Conflicts.ABORT, PATIENCE_NANOS);
    }
    try (LocalMaps maps = LocalMaps.start(2, folder, kind())) {
      assertEquals(map, define(maps, "kept", model));
      assertTrue(maps.node(1).awaitServing(PATIENCE_NANOS));
      MapSession session = maps.node(1).openSession(map);
      for (int key = 0; key < KEYS; key++) {
        if (key % 5 == 0) {
          assertNull(read(session, key));
        } else {
          assertEquals(key + " of round 2", read(session, key));
        }
      }
      MapDefinition anew = define(maps, "gone", model);
      assertNull(read(maps.node(1).openSession(anew), 1));
    }
    assertEquals(kind().name(), Files.readString(folder.resolve("node0/medium")).strip());
  }

  private static MapDefinition define(LocalMaps maps, String name, Ddp model) throws Exception {
    MapDefinition map = null;
    for (int node = 0; node < maps.size(); node++) {
      map = maps.node(node).define(name, model, Conflicts.ABORT, PATIENCE_NANOS);
    }
    return map;
  }
}
