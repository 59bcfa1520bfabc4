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
package org.orcagrid.ddp.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.orcagrid.ddp.contract.ContractNodes.await;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Batch;
import org.orcagrid.ddp.replica.consistency.OtherNodeException;
import org.orcagrid.ddp.replica.state.Key;

/** What batches are held to, and that models without any refuse them. */
final class BatchContract {
  private BatchContract() {}

  /** At the nodes 0 and 1. */
  static void require(MapClient here, MapClient there, Ddp model) {
    Batch writes =
        new Batch(
            Batch.ANYWHERE,
            List.of(
                Batch.Part.write(Key.of("batch one"), bytes("a")),
                Batch.Part.write(Key.of("batch two"), bytes("b"))));
    if (model.consistency() != Consistency.CAUSAL) {
      CompletionException refused =
          assertThrows(CompletionException.class, () -> here.batch(writes));
      assertInstanceOf(UnsupportedOperationException.class, refused.getCause());
      assertTrue(refused.getCause().getMessage().contains("causal consistency has"));
      return;
    }
    assertEquals(Map.of(), here.batch(writes));
    assertEquals(0, writes.node());
    assertTrue(writes.held());
    Map<String, String> both = Map.of("batch one", "a", "batch two", "b");
    await("both are seen", () -> both.equals(there.batch(reads(Batch.ANYWHERE))));
    CompletionException elsewhere =
        assertThrows(CompletionException.class, () -> there.batch(reads(0)));
    assertInstanceOf(OtherNodeException.class, elsewhere.getCause());
    Batch unexpected =
        new Batch(
            0,
            List.of(
                Batch.Part.expect(Key.of("batch one"), Batch.NO_VALUE),
                Batch.Part.write(Key.of("batch two"), null)));
    assertEquals(both, here.batch(unexpected));
    assertFalse(unexpected.held());
    assertEquals("b", here.get("batch two"));
  }

  private static Batch reads(int place) {
    return new Batch(
        place, List.of(Batch.Part.read(Key.of("batch one")), Batch.Part.read(Key.of("batch two"))));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
