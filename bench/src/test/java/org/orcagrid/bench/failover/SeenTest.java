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
package org.orcagrid.bench.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class SeenTest {
  @Test
  void itsLineSaysAllOfIt() {
    Seen seen = new Seen(1, 2, 3, 4, 5, "a.B: no answer in 10 s");
    assertEquals(seen, Seen.of(seen.line()));
    Seen nothing = new Seen(1, 2, 3, 0, 0, "");
    assertEquals(nothing, Seen.of(nothing.line()));
  }

  @Test
  void whatAnExceptionSaysStaysOnTheLine() {
    assertEquals("two lines", Seen.of(new Seen(0, 0, 0, 1, 0, "two\n  lines").line()).first());
  }
}
