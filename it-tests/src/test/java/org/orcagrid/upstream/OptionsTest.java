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
package org.orcagrid.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {
  @Test
  void theDefaultIsTheSelectionOfCiOnOurServers() {
    Options options = Options.parse(List.of());

    assertEquals(Target.ORCA_CAD, options.target());
    assertEquals(ClassList.ciSelection(), options.classes());
    assertEquals(1, options.parallelism());
  }

  @Test
  void namedClassesReplaceTheSelection() {
    Options options =
        Options.parse(List.of("--target", "stock", "--timeout", "60", "test.ACLTest"));

    assertEquals(Target.STOCK, options.target());
    assertEquals(List.of("org.apache.zookeeper.test.ACLTest"), options.classes());
    assertEquals(Duration.ofMinutes(1), options.timeout());
  }

  @Test
  void mistakesAreRefused() {
    for (List<String> arguments :
        List.of(
            List.of("--target"),
            List.of("--target", "weak"),
            List.of("--parallel", "0"),
            List.of("--timeout", "soon"),
            List.of("--everything"))) {
      assertThrows(
          IllegalArgumentException.class, () -> Options.parse(arguments), arguments::toString);
    }
  }
}
