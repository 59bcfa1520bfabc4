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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.orcagrid.ddp.durable.nvm.NvmMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.ddp.replica.state.Write;

/** Nodes of maps with real threads and real logs, in one JVM. */
@Timeout(60)
class HostedMapsTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final Ddp SAFE = Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS);

  @TempDir Path folder;
  private LocalMaps maps;

  @AfterEach
  void close() {
    if (maps != null) {
      maps.close();
    }
  }

  private static Key key(int number) {
    return Key.of("key" + number);
  }

  private static byte[] value(String text) {
    return text.getBytes(UTF_8);
  }

  private static void put(MapSession session, int key, String value) {
    session.submit(Operation.write(key(key), value(value))).join();
  }

  private static String get(MapSession session, int key) {
    Operation read = session.submit(Operation.read(key(key))).join();
    return read.read() == null || read.read().value() == null
        ? null
        : new String(read.read().value(), UTF_8);
  }

  private MapDefinition define(String name, Ddp model) throws Exception {
    MapDefinition map = null;
    for (int node = 0; node < maps.size(); node++) {
      map = maps.node(node).define(name, model, Conflicts.ABORT, PATIENCE_NANOS);
    }
    return map;
  }

  @Test
  void whoeverServedLastIsWaitedFor() throws Exception {
    maps = LocalMaps.start(3, folder);
    MapDefinition map = define("carts", SAFE);
    maps.stop(1);
    maps.stop(2);
    MapSession session = maps.node(0).openSession(map);
    put(session, 1, "alone");
    maps.stop(0);
    maps.start(1);
    maps.start(2);
    maps.start(0);
    assertTrue(maps.node(1).awaitServing(PATIENCE_NANOS));
    assertEquals("alone", get(maps.node(1).openSession(map), 1));
  }

  @Test
  void aMapThatIsRemovedIsGoneAndItsNameIsFree() throws Exception {
    maps = LocalMaps.start(2, folder);
    MapDefinition map = define("carts", SAFE);
    MapSession session = maps.node(0).openSession(map);
    put(session, 1, "one");
    maps.node(1).remove("carts", PATIENCE_NANOS);
    maps.await(() -> session.isEnded());
    CompletableFuture<Operation> late = session.submit(Operation.read(key(1)));
    CompletionException refused = assertThrows(CompletionException.class, late::join);
    assertTrue(refused.getCause() instanceof SessionEndedException, refused::toString);

    Ddp other = Ddp.of(Consistency.EVENTUAL, Persistency.EVENTUAL);
    MapDefinition second = define("carts", other);
    assertNull(get(maps.node(0).openSession(second), 1));
  }

  @Test
  void aMapKeepsItsModel() throws Exception {
    maps = LocalMaps.start(1, folder);
    define("carts", SAFE);
    Ddp other = Ddp.of(Consistency.CAUSAL, Persistency.SYNCHRONOUS);
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> define("carts", other));
    assertTrue(refused.getMessage().contains("linearizable/synchronous"), refused::getMessage);
  }

  @Test
  void aFolderOfAnotherGridIsNotTouched() throws Exception {
    maps = LocalMaps.start(1, folder.resolve("first"));
    define("carts", SAFE);
    maps.close();
    FolderMedia media = LocalMaps.media(folder.resolve("first"), 0);
    Exception refused = assertThrows(java.io.IOException.class, () -> media.use(42, 1));
    assertTrue(refused.getMessage().contains("give this node another folder"), refused::getMessage);
  }

  @Test
  void aFolderOfAnotherKindOfMediaIsNotTouched() throws Exception {
    maps = LocalMaps.start(1, folder.resolve("first"));
    define("carts", SAFE);
    maps.close();
    Path node = folder.resolve("first").resolve("node0");
    long grid = Long.parseLong(Files.readString(node.resolve("grid")).strip());
    FolderMedia media =
        new FolderMedia(node, NvmMedium.kind(SegmentLimits.DEFAULT), work -> new Thread(work));
    Exception refused = assertThrows(java.io.IOException.class, () -> media.use(grid, 1));
    assertTrue(refused.getMessage().contains("of the kind 'log'"), refused::getMessage);
  }

  @Test
  void aFolderOfAnotherNumberOfWorkersIsNotTouched() throws Exception {
    maps = LocalMaps.start(1, folder.resolve("first"));
    define("carts", SAFE);
    maps.close();
    Path node = folder.resolve("first").resolve("node0");
    long grid = Long.parseLong(Files.readString(node.resolve("grid")).strip());
    FolderMedia media = LocalMaps.media(folder.resolve("first"), 0);
    Exception refused = assertThrows(java.io.IOException.class, () -> media.use(grid, 3));
    assertTrue(refused.getMessage().contains("of 1 workers"), refused::getMessage);
    assertTrue(refused.getMessage().contains("started with 3"), refused::getMessage);
  }

  static List<Ddp> watchedModels() {
    return List.of(
        SAFE,
        Ddp.of(Consistency.TRANSACTIONAL, Persistency.STRICT),
        Ddp.of(Consistency.CAUSAL, Persistency.STRICT),
        Ddp.of(Consistency.LINEARIZABLE, Persistency.SCOPE),
        Ddp.of(Consistency.RELEASE, Persistency.READ_ENFORCED));
  }

  /** A write, or a read-modify-write where the model has them. */
  private static void change(MapSession session, Ddp model, int key, String text) {
    boolean modifies = model.consistency().isAtomic() && key % 2 == 0;
    session
        .submit(
            modifies
                ? Operation.getAndSet(key(key), value(text))
                : Operation.write(key(key), value(text)))
        .join();
  }

  private boolean isInLifeAfter(int life) {
    AgreedView view = maps.node(0).view();
    return view != null && view.nodes().incarnation(0) > life;
  }

  @ParameterizedTest
  @MethodSource("watchedModels")
  void watchersAreToldWhatHasChangedWhileTheirNodeWasLeftOut(Ddp model) throws Exception {
    maps = LocalMaps.start(3, folder);
    MapDefinition map = define("watched", model);
    Map<Key, Write> told = new ConcurrentHashMap<>();
    MapWatcher watcher =
        change -> {
          Write before = change.before();
          Write now = change.now();
          Write last = told.put(change.key(), now);
          if (last != null && (before == null || before.clock() != last.clock())) {
            throw new AssertionError(last + " was told, and now " + before + " is before " + now);
          }
        };
    assertTrue(maps.node(0).awaitServing(PATIENCE_NANOS));
    maps.node(0).watch(map, watcher).join();
    maps.node(0).ask(map, replica -> replica).join();
    MapSession writer = maps.node(1).openSession(map);
    for (int round = 0; round < 5; round++) {
      int life = maps.node(0).view().nodes().incarnation(0);
      for (int key = 0; key < 50; key++) {
        change(writer, model, key, "value" + round);
        if (key == 25) {
          maps.leaveOut(0);
        }
      }
      if (model.persistency().isByScope() && round % 2 == 0) {
        writer.submit(Operation.of(Operation.Kind.PERSIST)).join();
      }
      maps.await(() -> isInLifeAfter(life));
      assertTrue(maps.node(0).awaitServing(PATIENCE_NANOS));
      String last = "value" + round;
      maps.await(
          () ->
              told.size() == 50
                  && told.values().stream()
                      .allMatch(each -> last.equals(new String(each.value(), UTF_8))));
    }
    maps.node(0).unwatch(map, watcher);
    maps.node(0).ask(map, replica -> replica).join();
    put(writer, 0, "nobody is told");
    maps.node(0).ask(map, replica -> replica).join();
    assertEquals("value4", new String(told.get(key(0)).value(), UTF_8));
  }

  @Test
  void aSessionMayBeClosedWhileItsOperationsAreUnderWay() throws Exception {
    maps = LocalMaps.start(2, folder);
    for (Ddp model : Ddp.all()) {
      MapDefinition map = define(model.id().replace('/', '-'), model);
      for (int i = 0; i < 20; i++) {
        MapSession session = maps.node(0).openSession(map);
        List<CompletableFuture<Operation>> asked = unit(session, model);
        if (i % 2 == 0) {
          // What came first has begun by then.
          maps.node(0).ask(map, unused -> unused).join();
        }
        session.close();
        asked.forEach(each -> each.handle((done, closed) -> done).join());
      }
      put(maps.node(0).openSession(map), 2, "goes on");
    }
  }

  /** A write with all that belongs to it, not awaited. */
  private static List<CompletableFuture<Operation>> unit(MapSession session, Ddp model) {
    List<CompletableFuture<Operation>> asked = new ArrayList<>();
    boolean transactional = model.consistency() == Consistency.TRANSACTIONAL;
    if (transactional) {
      asked.add(session.submit(Operation.of(Operation.Kind.BEGIN)));
    }
    asked.add(session.submit(Operation.write(key(1), value("given up"))));
    if (transactional) {
      asked.add(session.submit(Operation.of(Operation.Kind.END)));
    }
    if (model.persistency().isByScope()) {
      asked.add(session.submit(Operation.of(Operation.Kind.PERSIST)));
    }
    return asked;
  }

  @Test
  void anOperationThatCannotBeSubmittedIsRefusedAtOnceAndTheNodeGoesOn() throws Exception {
    maps = LocalMaps.start(1, folder);
    MapSession session = maps.node(0).openSession(define("carts", SAFE));
    assertThrows(NullPointerException.class, () -> Operation.write(null, null));
    Operation read = Operation.read(key(1));
    assertNull(session.submit(read).join().read());
    assertThrows(IllegalStateException.class, () -> session.submit(read));
    put(session, 1, "goes on");
    assertEquals("goes on", get(session, 1));
  }

  @Test
  void aScopeThatIsTooLargeForALogIsRefusedAndTheNodesGoOn() throws Exception {
    maps = LocalMaps.start(2, folder);
    MapDefinition map = define("scoped", Ddp.of(Consistency.LINEARIZABLE, Persistency.SCOPE));
    MapSession session = maps.node(0).openSession(map);
    byte[] half = new byte[300_000];
    session.submit(Operation.write(key(1), half)).join();
    CompletableFuture<Operation> more = session.submit(Operation.write(key(2), half));
    assertThrows(CompletionException.class, more::join);
    session.submit(Operation.of(Operation.Kind.PERSIST)).join();
    session.submit(Operation.write(key(2), half)).join();
    session.submit(Operation.of(Operation.Kind.PERSIST)).join();
  }
}
