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
package org.orcagrid.ddp.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The JVM is asked once for all stores of a node, and not again before some time has passed. */
class DirectMemoryTest {
  private static final long SOON = TimeUnit.SECONDS.toNanos(9);
  private static final long LATER = TimeUnit.SECONDS.toNanos(11);

  private int left = 1 << 20;
  private int refusals;
  private int ends;
  private Runnable whileAsked = () -> {};
  private final DirectMemory direct = new DirectMemory(this::jvm, () -> ends++);

  private ByteBuffer jvm(int bytes) {
    whileAsked.run();
    if (bytes > left) {
      refusals++;
      left = 0;
      throw new OutOfMemoryError("Cannot reserve " + bytes + " bytes of direct buffer memory");
    }
    left -= bytes;
    return ByteBuffer.allocateDirect(bytes);
  }

  @Test
  void aThousandStoresAskOnceAndOnceAgainLater() {
    List<WorkerStore> stores = new ArrayList<>();
    for (int store = 0; store < 1_000; store++) {
      stores.add(new WorkerStore(1, direct));
    }
    fill(stores, 0);
    assertTrue(direct.hasEnded());
    assertEquals(1, refusals);
    direct.tick(1);
    direct.tick(SOON);
    fill(stores, 1);
    assertEquals(1, refusals, "it is too early to ask again");
    direct.tick(LATER);
    fill(stores, 2);
    assertEquals(2, refusals, "one of them has asked again");
    assertEquals(1, ends, "which is no news");
    left = 1 << 30;
    direct.tick(2 * LATER);
    direct.tick(4 * LATER);
    fill(stores, 3);
    assertFalse(direct.hasEnded(), "it is back");
    stores.forEach(WorkerStore::checkInvariants);
  }

  private static void fill(List<WorkerStore> stores, int round) {
    for (WorkerStore store : stores) {
      for (int key = 0; key < 20; key++) {
        byte[] name = {(byte) round, (byte) key};
        long hash = KeyHash.hash(name);
        store.set(store.create(name, hash, 1_000), 1, 0, new byte[1_000]);
      }
    }
  }

  @Test
  void nobodyWaitsForWhoAsks() {
    left = 0;
    assertNull(direct.make(1, 16));
    direct.askAgain();
    left = 1 << 20;
    // Another worker, while the JVM looks for garbage.
    whileAsked =
        () -> {
          whileAsked = () -> {};
          assertNull(direct.make(1, 16));
        };
    assertNotNull(direct.make(1, 16));
    assertEquals(1, refusals);
    assertNotNull(direct.make(1, 16));
  }
}
