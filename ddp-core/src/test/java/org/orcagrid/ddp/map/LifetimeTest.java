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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

class LifetimeTest {
  private static final byte[] STAYS = {Lifetime.STAYS, 'v'};

  private static byte[] until(long moment) {
    ByteBuffer stored = ByteBuffer.allocate(10).order(ByteOrder.LITTLE_ENDIAN);
    return stored.put(Lifetime.UNTIL).putLong(moment).put((byte) 'v').array();
  }

  private static boolean isOver(WallClock clock, byte[] stored) {
    return clock.values().isOver(1, ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN));
  }

  @Test
  void anyNodeThatKnowsTheTimeKnowsWhoseTimeIsOver() {
    AtomicLong now = new AtomicLong(999);
    WallClock clock = WallClock.of(now::get);
    assertFalse(isOver(clock, until(1000)));
    now.set(1000);
    assertEquals(1000, clock.nowMillis());
    assertTrue(isOver(clock, until(1000)));
    assertFalse(isOver(clock, STAYS));
    assertFalse(Lifetime.isOver(new Write(Key.of("key"), 1, null), 1000));
    assertFalse(isOver(WallClock.NONE, until(1000)));
  }

  @Test
  void valuesAreTheSameWhateverTheirTimes() {
    assertTrue(Lifetime.same(STAYS, until(5)));
    assertFalse(Lifetime.same(STAYS, null));
    assertTrue(Lifetime.same(null, null));
    assertFalse(Lifetime.same(STAYS, new byte[] {Lifetime.STAYS, 'w'}));
  }
}
