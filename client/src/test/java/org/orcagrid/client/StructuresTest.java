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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.concurrent.GridQueue;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;

/** Structures of all models that can have them: embedded, at members and from outside. */
class StructuresTest extends TcpGridFixture {
  private static final Ddp SAFE = Ddp.parse("linearizable/synchronous");

  @TempDir private Path folder;

  private EmbeddedGrid embedded() {
    EmbeddedGrid grid =
        Grid.embedded(EmbeddedGrid.Settings.DEFAULT.withNodes(NODES).withFolder(folder));
    opened.add(grid);
    return grid;
  }

  private static Stream<DynamicTest> contract(List<? extends GridMaps> places) {
    return StructureContract.models().stream()
        .map(
            model ->
                DynamicTest.dynamicTest(
                    model.toString(),
                    () -> new StructureContract(new Places(places, model)).all()));
  }

  @TestFactory
  Stream<DynamicTest> embeddedWithoutAFolder() {
    EmbeddedGrid grid = Grid.embedded(NODES);
    opened.add(grid);
    List<GridMaps> places = IntStream.range(0, NODES).<GridMaps>mapToObj(grid::maps).toList();
    return contract(places)
        .filter(test -> test.getDisplayName().endsWith("/" + Persistency.NONE.id()));
  }

  @TestFactory
  Stream<DynamicTest> embeddedAtEachNode() {
    EmbeddedGrid grid = embedded();
    return contract(IntStream.range(0, NODES).mapToObj(grid::maps).toList());
  }

  @TestFactory
  Stream<DynamicTest> atEachMember() throws Exception {
    start();
    return contract(members);
  }

  @TestFactory
  Stream<DynamicTest> fromOutsideAtEachNode() throws Exception {
    start();
    return contract(nodes.stream().map(each -> connect(List.of(each), null)).toList());
  }

  @Test
  void aModelWithoutCompareAndSetIsRefused() {
    EmbeddedGrid grid = embedded();
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> grid.queue("jobs", Codec.STRING, Ddp.parse("causal/synchronous")));
    assertTrue(refused.getMessage().contains("has no atomic operations"), refused.getMessage());
    assertThrows(IllegalArgumentException.class, () -> grid.queue("a name", Codec.STRING, SAFE));
  }

  @Test
  void whatIsTakenOutIsFreed() {
    EmbeddedGrid grid = embedded();
    GridQueue<String> queue = grid.queue("jobs", Codec.STRING, SAFE);
    for (int i = 0; i < 100; i++) {
      queue.offer("job " + i);
      assertEquals("job " + i, queue.poll());
    }
    // The head, the tail, the handles' number and the node whose item is taken.
    await(
        "what was taken out is removed",
        () -> grid.map("queue.jobs", Codec.BYTES, Codec.BYTES, SAFE).size() <= 4);
  }

  @Test
  void aRemovedQueueBeginsAnew() {
    EmbeddedGrid grid = embedded();
    grid.queue("jobs", Codec.STRING, SAFE).offer("old");
    grid.removeMap("queue.jobs");
    assertNull(grid.queue("jobs", Codec.STRING, SAFE).poll());
  }

  @Test
  void aQueueIsThereAgainAfterTheGridHasStopped() {
    try (EmbeddedGrid grid = embedded()) {
      grid.queue("jobs", Codec.STRING, SAFE).offer("later");
    }
    assertEquals("later", embedded().queue("jobs", Codec.STRING, SAFE).poll());
  }
}
