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
package org.orcagrid.bench.geostore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.CommandFailure;

@Timeout(240)
final class GeoBenchTest {
  @TempDir Path folder;

  @Test
  @EnabledOnOs(OS.LINUX)
  void measuresEveryFigureOfASmallStore() throws IOException, InterruptedException, CommandFailure {
    List<String> said = new ArrayList<>();
    List<GeoFigure> figures =
        GeoBench.run(new GeoBenchPlan(4, 1_000, 2, 1, 1, 1, 1), folder, said::add);
    assertEquals(8, figures.size(), said::toString);
    assertTrue(said.stream().anyMatch(each -> each.contains("1000 keys written")), said::toString);
    String table = GeoFigure.table(figures);
    assertTrue(table.contains("| a node with 1000 keys is back (s)"), table);
  }
}
