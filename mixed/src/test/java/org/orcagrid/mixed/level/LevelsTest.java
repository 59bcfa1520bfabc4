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
package org.orcagrid.mixed.level;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class LevelsTest {
  /** Neither covers the other. */
  private interface Left extends Session {}

  private interface Right extends Session {}

  private interface Top extends Left, Right {}

  private interface OtherTop extends Left, Right {}

  @Test
  void strongerIsAtLeastAsGood() {
    assertTrue(Levels.isAtLeast(Linearizable.class, Causal.class));
    assertTrue(Levels.isAtLeast(Causal.class, Causal.class));
    assertFalse(Levels.isAtLeast(Session.class, Causal.class));
  }

  @Test
  void commonIsTheWeakerOfAChainAndTheMeetOfALattice() {
    assertEquals(Causal.class, Levels.common(Linearizable.class, Causal.class));
    assertEquals(Eventual.class, Levels.common(Eventual.class, Monotonic.class));
    assertEquals(Session.class, Levels.common(Left.class, Right.class));
    assertThrows(IllegalArgumentException.class, () -> Levels.common(Top.class, OtherTop.class));
  }

  @Test
  void strongestIsFirst() {
    assertEquals(
        List.of(Linearizable.class, Causal.class, Eventual.class),
        Levels.strongestFirst(
            List.of(Eventual.class, Linearizable.class, Causal.class, Eventual.class)));
    List<Class<? extends Level>> lattice =
        Levels.strongestFirst(List.of(Session.class, Left.class, Top.class, Right.class));
    assertEquals(Top.class, lattice.get(0));
    assertEquals(Session.class, lattice.get(3));
  }
}
