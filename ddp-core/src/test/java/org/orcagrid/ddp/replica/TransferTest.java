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
package org.orcagrid.ddp.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.transfer.Progress;

/** A node that comes back is told four pages ahead of its log, and by one that lives. */
class TransferTest {
  private static final int ENTRIES = 20;
  private static final int BACK = 2;

  /** An entry a page. */
  private final ReplicaNodes nodes =
      new ReplicaNodes(
          "linearizable/synchronous",
          3,
          ReplicaRule.all(),
          new ReplicaSettings.Limits(1, 1000, 10));

  @BeforeEach
  void aNodeComesBack() {
    ReplicaSession session = nodes.replica(0).openSession(null);
    nodes.crash(BACK);
    nodes.view(List.of(1, 1, 0), 0b011);
    nodes.settle();
    for (int entry = 0; entry < ENTRIES; entry++) {
      nodes.submit(0, session, Operation.write(key(entry), new byte[1]));
      nodes.settle();
    }
    nodes.start(BACK);
    nodes.view(List.of(1, 1, 2), 0b011);
  }

  private static Key key(int entry) {
    return Key.of("entry" + entry);
  }

  /** Whatever is on its way between it and its source arrives, and then its log is forced. */
  private void aRound() {
    nodes.deliver(BACK, 0);
    nodes.deliver(0, BACK);
    nodes.force(BACK);
  }

  private void requirePages(int pages) {
    Progress now = nodes.progress(BACK);
    assertEquals(pages, now.pages());
    assertEquals(pages, now.entries());
    assertEquals(pages == 0 ? 0 : ENTRIES, now.entriesMax());
  }

  @Test
  void fourPagesAreAheadOfTheLog() {
    requirePages(0);
    nodes.deliver(BACK, 0);
    nodes.deliver(0, BACK);
    nodes.deliver(BACK, 0);
    nodes.deliver(0, BACK);
    nodes.force(BACK);
    requirePages(4);
    aRound();
    requirePages(8);
  }

  @Test
  void aTransferGoesOnWithItsSourceAndBeginsAnewWithAnother() {
    aRound();
    nodes.view(List.of(1, 1, 2), 0b011);
    aRound();
    requirePages(8);
    nodes.crash(0);
    nodes.view(List.of(0, 1, 2), 0b010);
    requirePages(0);
    nodes.settle();
    assertEquals(1, nodes.progress(BACK).whole());
    assertNotNull(nodes.replica(BACK).peek(key(ENTRIES - 1)));
  }
}
