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
package org.orcagrid.ddp.kite;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;

/** Messages that no node sends: noise, and lies. */
class ForeignMessagesTest {
  private static final int BYTES = 8192;
  private static final int MESSAGES = 200_000;
  private static final long[] TELLING = {
    0, 1, -1, 2, 7, 255, 1024, 1025, 4096, 65_535, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE
  };

  private final ByteBuffer in = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer out = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);

  private static KiteSettings settings() {
    return new KiteSettings(3, 0, 1, 4, 64, new KiteSettings.Times(1000, 2000, 100));
  }

  private boolean claim(int peer, int bytes, Message into) {
    assertTrue(bytes <= BYTES, "an answer fits into a packet");
    into.wrap(out, 0);
    return true;
  }

  private KiteWorker newWorker() {
    ReplicaStore store = new ReplicaStore(new ReplicaStore.Limits(50, 512, 1 << 20));
    return new KiteWorker(new KiteNode(settings(), store), 0, this::claim, session -> {});
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aWorkerTakesThemOrFindsItselfLiedTo(long seed) {
    Random random = new Random(seed);
    KiteWorker worker = newWorker();
    int taken = 0;
    long now = 1;
    for (int i = 0; i < MESSAGES; i++) {
      int length = fill(random);
      Message message = new Message().wrap(in, 0);
      boolean ours = message.isWhole(length) && worker.mayBeOurs(message);
      now += random.nextInt(500);
      try {
        if (ours) {
          taken++;
          worker.onMessage(1 + random.nextInt(2), message, now);
        }
        if (random.nextInt(8) == 0) {
          begin(worker, random, now);
        }
        worker.poll(now);
      } catch (IllegalStateException e) {
        // To stop is right when what others say cannot be true; anything else is a fault.
        assertTrue(e.getMessage().startsWith("Invariant broken"), e::toString);
        worker = newWorker();
      }
    }
    assertTrue(taken > MESSAGES / 20, "some get through: " + taken);
  }

  private int fill(Random random) {
    int length = 40 + random.nextInt(200);
    if (random.nextInt(4) == 0) {
      for (int i = 0; i < length; i++) {
        in.put(i, (byte) random.nextInt());
      }
    } else {
      for (int i = 0; i < length / Long.BYTES; i++) {
        in.putLong(i * Long.BYTES, number(random));
      }
      in.putShort(2, (short) random.nextInt(6));
      in.putShort(
          4, (short) (random.nextInt(8) == 0 ? random.nextInt(1 << 16) : random.nextInt(9)));
      if (random.nextBoolean()) {
        in.putInt(80, random.nextInt(12));
      }
      in.putInt(12, random.nextInt(12));
      in.putInt(8, random.nextInt(8) == 0 ? (int) number(random) : random.nextInt(40) - 1);
    }
    in.put(0, (byte) (1 + random.nextInt(13)));
    return length;
  }

  private static long number(Random random) {
    return random.nextInt(3) == 0 ? random.nextInt(64) : TELLING[random.nextInt(TELLING.length)];
  }

  private static void begin(KiteWorker worker, Random random, long now) {
    int slot = random.nextInt(4);
    if (worker.isIdle(slot)) {
      OperationKind[] kinds = OperationKind.values();
      Operation asked = new Operation();
      asked.kind(kinds[random.nextInt(kinds.length)]);
      asked.key().set(new byte[] {(byte) random.nextInt(3)});
      asked.value().set(new byte[Long.BYTES]);
      asked.expected().set(new byte[Long.BYTES]);
      asked.delta(1);
      worker.begin(slot, asked, now);
    }
  }
}
