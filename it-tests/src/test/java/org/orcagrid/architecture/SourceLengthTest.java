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
package org.orcagrid.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Lengths. Each bound may be lowered, once nothing is near it; it is never raised. */
class SourceLengthTest {
  private static final long FILE_LINES_MAX = 600;
  private static final long METHOD_LINES_MAX = 70;
  private static final long PLUGGED_IN_FILE_LINES_MAX = 450;

  private final Sources sources = new Sources();

  private static List<Sources.Length> longerThan(long max, List<Sources.Length> lengths) {
    assertTrue(lengths.size() > 100, "the sources are found");
    return lengths.stream().filter(each -> each.lines() > max).toList();
  }

  @Test
  void noFileIsLongerThanTheHouseAllows() throws IOException {
    assertEquals(List.of(), longerThan(FILE_LINES_MAX, sources.fileLengths()));
  }

  @Test
  void noMethodIsLongerThanAScreen() throws IOException {
    assertEquals(List.of(), longerThan(METHOD_LINES_MAX, sources.methodLengths()));
  }

  @Test
  void whatIsPluggedIntoZooKeeperIsThin() throws IOException {
    List<Sources.Length> ours =
        sources.fileLengths().stream()
            .filter(each -> each.name().contains("src/main/java/org/apache/zookeeper"))
            .filter(each -> each.lines() > PLUGGED_IN_FILE_LINES_MAX)
            .toList();
    assertEquals(List.of(), ours);
  }

  @Test
  void everyPackageSaysWhatItPromises() throws IOException {
    TreeSet<String> without = new TreeSet<>();
    for (Path file : sources.programs()) {
      Path folder = file.getParent();
      String name = sources.name(folder);
      // ZooKeeper's own packages are described by ZooKeeper.
      if (!name.contains("org/apache/zookeeper")
          && !Files.exists(folder.resolve("package-info.java"))) {
        without.add(name);
      }
    }
    assertEquals(List.of(), List.copyOf(without));
  }
}
