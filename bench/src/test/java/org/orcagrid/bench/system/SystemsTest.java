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
package org.orcagrid.bench.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class SystemsTest {

  @Test
  void linesOfTheConfigurationFollowAName() {
    SystemSpec plain = Systems.named("cad");
    SystemSpec changed = Systems.named("cad:orca.flushIntervalMs=2:tickTime=500");

    assertEquals("2", changed.settings().get("orca.flushIntervalMs"));
    assertEquals("500", changed.settings().get("tickTime"));
    assertEquals("cad", changed.settings().get("orca.durability"));
    assertEquals("cad:orca.flushIntervalMs=2:tickTime=500", changed.id());
    assertEquals(plain.server(), changed.server());
  }

  @Test
  void stockMayBeReadWhereOursIs() {
    for (String each : List.of("stock-sync-leader", "stock-nosync-leader", "cad", "strong-zk")) {
      assertTrue(Systems.named(each).onlyTheLeaderAnswers(), each);
    }
    for (String each : List.of("stock-sync", "stock-nosync", "orca", "weak-zk")) {
      assertFalse(Systems.named(each).onlyTheLeaderAnswers(), each);
    }
    assertFalse(Systems.named("stock-sync-leader").canDelayFsync());
  }

  @Test
  void aSettingWithoutValueIsRefused() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Systems.named("cad:fast"));
    assertEquals(
        "'fast' of system 'cad:fast' is no setting; write key=value.", refused.getMessage());
  }

  @Test
  void anUnknownNameIsRefusedWithThoseThatExist() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Systems.named("zab:a=b"));
    assertTrue(refused.getMessage().contains("stock-nosync"), refused.getMessage());
  }
}
