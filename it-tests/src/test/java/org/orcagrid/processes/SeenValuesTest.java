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
package org.orcagrid.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SeenValuesTest {
  private final SeenValues seen = new SeenValues();

  @Test
  void aReadThatGoesBackIsFound() {
    seen.onRead("a", "/k", seen.floor("/k"), 5);
    seen.onRead("b", "/k", seen.floor("/k"), 4);

    assertEquals(List.of("b read /k=4 after 5 was read"), seen.violations());
  }

  @Test
  void readsAtTheSameTimeMayReturnEither() {
    long before = seen.floor("/k");
    seen.onRead("a", "/k", before, 5);
    seen.onRead("b", "/k", before, 4);

    assertEquals(List.of(), seen.violations());
    assertEquals(5, seen.floor("/k"));
  }
}
