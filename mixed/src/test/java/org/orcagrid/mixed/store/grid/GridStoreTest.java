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
package org.orcagrid.mixed.store.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreContract;
import org.orcagrid.mixed.store.StoreException;

/** On three nodes in this process. */
class GridStoreTest extends StoreContract {
  private static EmbeddedGrid grid;
  private static Store store;

  @BeforeAll
  static void start(@TempDir Path folder) {
    grid = Grid.embedded(EmbeddedGrid.Settings.DEFAULT.withNodes(3).withFolder(folder));
    store = open("objects");
  }

  private static Store open(String map) {
    return new GridStore(
        "grid",
        grid.transactionalMap(
            map, Codec.STRING, Codec.BYTES, Ddp.parse("transactional/synchronous")),
        new Operations(List.of(ADD)));
  }

  @AfterAll
  static void stop() {
    if (grid != null) {
      grid.close();
    }
  }

  @Override
  protected Store store() {
    return store;
  }

  @Test
  void aMapThatLosesWhatHasCompletedIsRefused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new GridStore(
                    "grid",
                    grid.transactionalMap(
                        "careless", Codec.STRING, Codec.BYTES, Ddp.parse("transactional/none")),
                    Operations.none()));
    assertTrue(e.getMessage().contains("take transactional/synchronous"), e.getMessage());
  }

  @Test
  void oldDecisionsAreForgotten() throws StoreException {
    Store old = open("old");
    TransactionId id = new TransactionId("grid", 5_000, 1);
    assertEquals(Answer.NEVER, old.fence(id).answer());
    old.refuse(20_000);
    old.forgetParts(20_000);
    old.forget(20_000);
    assertEquals(Answer.FORGOTTEN, old.fence(id).answer());
  }
}
