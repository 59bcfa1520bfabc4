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
package org.orcagrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.model.Ddp;

class ModelsCommandTest {
  @Test
  void showsThirtyModels() {
    Cli models = Cli.run("models");
    assertEquals(0, models.exitCode(), models.err());
    assertEquals(37, models.out().lines().count(), models.out());
    for (Ddp model : Ddp.all()) {
      assertTrue(
          models.out().lines().anyMatch(line -> line.startsWith(model.id() + " ")), model.id());
    }
    assertTrue(
        models.out().lines().anyMatch(line -> line.matches("causal/synchronous .* yes +no +no +4")),
        models.out());
    assertTrue(
        models
            .out()
            .lines()
            .anyMatch(line -> line.matches("causal/none .* never +nothing +no +no +no +ours")),
        models.out());
  }

  @Test
  void explainsOne() {
    Cli model = Cli.run("models", "causal/synchronous");
    assertEquals(0, model.exitCode(), model.err());
    assertEquals(Ddp.parse("causal/synchronous").explain(), model.out());
  }

  @Test
  void anUnknownModelIsWrongUsage() {
    Cli usage = Cli.run("models", "casual/synchronous");
    assertEquals(2, usage.exitCode());
    assertTrue(
        usage.err().startsWith("orca: There is no model 'casual/synchronous'; a consistency"),
        usage.err());
    assertEquals(1, usage.err().lines().count(), usage.err());
  }

  @Test
  void thePageHasTheSameTable() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "models.md"));
    String table = Cli.run("models", "--markdown").out();
    assertTrue(page.contains(table), "put 'orca models --markdown' into docs/models.md:\n" + table);
  }
}
