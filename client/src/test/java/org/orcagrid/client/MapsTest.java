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
package org.orcagrid.client;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.client.map.MapChange;
import org.orcagrid.client.map.MapListener;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;

/**
 * Maps of all models, whichever way a program has come to the grid: embedded, as a member, from
 * outside, and through nodes of which one does not have the map. All models of a way share its
 * grid, which is closed at the end and started again. Embedded they are all there, and each comes
 * by one or two of the other ways: {@code -Dways=all} is for all of them, {@code
 * -Dmodel=causal/strict} for one model by all ways, and {@code -Drounds=100} for more of what is
 * done by many threads at once.
 */
class MapsTest extends TcpGridFixture {
  private static final int COPIES = 2;

  private static final String MODEL = System.getProperty("model", "");
  private static final boolean ALL_WAYS =
      !MODEL.isEmpty() || System.getProperty("ways", "").equals("all");

  /** A way other than the first has one of so many models. */
  private static final int SHARE = 3;

  @TempDir private Path folder;

  /** A way to a grid, which may be started again on what it has left. */
  private interface Way {
    /** Starts the grid; the places where a program has it. */
    List<? extends GridMaps> start() throws Exception;

    /** Closes it in order. */
    void stop() throws Exception;
  }

  private final class Embedded implements Way {
    private final EmbeddedGrid.Settings settings;
    private EmbeddedGrid grid;

    Embedded(Path folder) {
      this.settings = EmbeddedGrid.Settings.DEFAULT.withNodes(NODES).withFolder(folder);
    }

    @Override
    public List<? extends GridMaps> start() {
      grid = Grid.embedded(settings);
      opened.add(grid);
      return IntStream.range(0, NODES).mapToObj(grid::maps).toList();
    }

    @Override
    public void stop() {
      grid.close();
    }
  }

  private class Members implements Way {
    @Override
    public List<? extends GridMaps> start() throws Exception {
      if (nodes == null) {
        choosePlaces(NODES);
      }
      members.clear();
      for (int node = 0; node < NODES; node++) {
        join(node, settings(node));
      }
      awaitServing();
      return members;
    }

    @Override
    public void stop() {
      members.forEach(MemberGrid::close);
    }
  }

  /** Clients, of which the first two are of one node. */
  private final class Clients extends Members {
    private final List<RemoteGrid> clients = new ArrayList<>();

    @Override
    public List<? extends GridMaps> start() throws Exception {
      super.start();
      clients.clear();
      for (int node : List.of(0, 0, 1, 2)) {
        clients.add(connect(List.of(nodes.get(node)), null));
      }
      return clients;
    }

    @Override
    public void stop() {
      clients.forEach(RemoteGrid::close);
      super.stop();
    }
  }

  /** A member, and clients of the others. */
  private final class MemberAndClients extends Members {
    private final List<RemoteGrid> clients = new ArrayList<>();

    @Override
    public List<? extends GridMaps> start() throws Exception {
      super.start();
      clients.clear();
      nodes.subList(1, NODES).forEach(each -> clients.add(connect(List.of(each), null)));
      List<GridMaps> places = new ArrayList<>(members.subList(0, 1));
      places.addAll(clients);
      return places;
    }

    @Override
    public void stop() {
      clients.forEach(RemoteGrid::close);
      super.stop();
    }
  }

  private Stream<DynamicTest> contract(Way way, List<Ddp> models, UnaryOperator<GridMaps> use)
      throws Exception {
    List<GridMaps> places = way.start().stream().map(use).toList();
    List<Ddp> kept = new ArrayList<>();
    Stream<DynamicTest> each =
        models.stream()
            .filter(model -> MODEL.isEmpty() || model.id().equals(MODEL))
            .map(
                model ->
                    DynamicTest.dynamicTest(
                        model.toString(),
                        () -> {
                          new MapContract(new Places(places, model), folder).all();
                          kept.add(model);
                        }));
    DynamicTest end =
        DynamicTest.dynamicTest("closed, and started again", () -> again(way, places, kept, use));
    return Stream.concat(each, Stream.of(end));
  }

  private static void again(
      Way way, List<GridMaps> places, List<Ddp> models, UnaryOperator<GridMaps> use)
      throws Exception {
    List<GridMap<String, Long>> open = new ArrayList<>();
    for (GridMaps place : places) {
      for (Ddp model : models) {
        String name = new Places(places, model).name("kept");
        open.add(place.map(name, Codec.STRING, Codec.LONG, model));
      }
    }
    CountDownLatch ended = new CountDownLatch(open.size());
    open.forEach(each -> each.listen(new Ends(ended)));
    way.stop();
    assertTrue(ended.await(PATIENCE.toSeconds(), TimeUnit.SECONDS), "all listeners hear of it");
    open.forEach(MapsTest::assertClosed);
    List<GridMaps> next = way.start().stream().map(use).toList();
    for (Ddp model : models) {
      new MapDurability(new Places(next, model)).isThereAgain();
    }
  }

  /** Of each consistency and of each persistency some, and others for the next turn. */
  private static List<Ddp> models(int turn) {
    List<Ddp> all = Ddp.all();
    int row = Persistency.values().length;
    return IntStream.range(0, all.size())
        .filter(i -> ALL_WAYS || (i + i / row) % SHARE == turn % SHARE)
        .mapToObj(all::get)
        .toList();
  }

  private record Ends(CountDownLatch ended) implements MapListener<String, Long> {
    @Override
    public void onChange(MapChange<String, Long> change) {
      throw new IllegalStateException("nothing changes: " + change);
    }

    @Override
    public void onEnded() {
      ended.countDown();
    }
  }

  private static void assertClosed(GridMap<String, Long> map) {
    for (int i = 0; i < 2; i++) {
      assertThrows(IllegalStateException.class, () -> map.get("a"));
      assertThrows(IllegalStateException.class, () -> map.set("a", 1L));
      assertThrows(IllegalStateException.class, map::size);
      assertThrows(IllegalStateException.class, map::recovery);
      assertThrows(IllegalStateException.class, () -> map.listen(change -> {}));
      RefusalContract.assertFails(IllegalStateException.class, map.getAsync("a"));
      RefusalContract.assertFails(IllegalStateException.class, map.setAsync("a", 1L));
    }
  }

  @TestFactory
  Stream<DynamicTest> embedded() throws Exception {
    return contract(new Embedded(folder.resolve("grid")), Ddp.all(), UnaryOperator.identity());
  }

  @TestFactory
  Stream<DynamicTest> embeddedWithoutAFolder() throws Exception {
    List<Ddp> models =
        Ddp.all().stream().filter(model -> !model.persistency().isOnMedium()).toList();
    return contract(new Embedded(null), models, UnaryOperator.identity());
  }

  @TestFactory
  Stream<DynamicTest> atMembers() throws Exception {
    return contract(new Members(), models(0), UnaryOperator.identity());
  }

  @TestFactory
  Stream<DynamicTest> fromOutside() throws Exception {
    return contract(new Clients(), models(1), UnaryOperator.identity());
  }

  @TestFactory
  Stream<DynamicTest> forwardedEmbedded() throws Exception {
    return contract(new Embedded(folder.resolve("grid")), models(2), place -> place.copies(COPIES));
  }

  @TestFactory
  Stream<DynamicTest> forwardedAtAMemberAndFromOutside() throws Exception {
    return contract(new MemberAndClients(), models(3), place -> place.copies(COPIES));
  }
}
