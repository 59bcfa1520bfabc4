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
package org.orcagrid.geo.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class LogKindTest {
  @Test
  void ourOwnIsAlwaysThere() {
    assertEquals("raft", LogKind.named("raft").name());
  }

  @Test
  void oneThatIsNotOnTheClassPathIsRefusedWithTheFix() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> LogKind.named("paxos"));
    assertEquals(
        "geo.log=paxos is no log of this class path, which has raft; set geo.log to one of them,"
            + " or add the jar of geo-paxos and what it needs",
        refused.getMessage());
  }
}
