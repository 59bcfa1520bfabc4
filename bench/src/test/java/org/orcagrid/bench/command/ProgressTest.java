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
package org.orcagrid.bench.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class ProgressTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter terminal = new StringWriter();

  @Test
  void overwritesOneLineOnATerminal() {
    Progress progress = new Progress(new PrintWriter(out), new PrintWriter(terminal));
    progress.update("A", 0.25, 100);
    progress.update("A", 0.5, 200);
    progress.say("done");
    progress.say("all done");
    assertEquals("done all done", String.join(" ", out.toString().lines().toList()));
    assertEquals(3, terminal.toString().chars().filter(c -> c == '\r').count());
  }

  @Test
  void drawsNothingWhereNobodyLooks() {
    Progress progress = new Progress(new PrintWriter(out), null);
    for (int i = 0; i < 10; i++) {
      progress.update("A", i / 10.0, 100);
    }
    progress.say("done");
    assertEquals("done", out.toString().strip());
  }
}
