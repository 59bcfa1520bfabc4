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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Holds the lists together: every published class is either run or left out for a reason. */
class SelectionListsTest {
  /** The classes in the test jar of ZooKeeper 3.9.5 whose name ends with Test. */
  private static final int PUBLISHED = 335;

  @Test
  void everyPublishedClassIsRunOrLeftOut() {
    List<String> full = ClassList.fullSelection();
    List<String> leftOut = LeftOut.all().stream().map(LeftOut::testClass).toList();
    Set<String> both = new TreeSet<>(full);
    both.addAll(leftOut);

    assertEquals(PUBLISHED, full.size() + leftOut.size());
    assertEquals(PUBLISHED, both.size());
  }

  @Test
  void theSelectionOfCiIsPartOfTheFullOne() {
    List<String> ci = ClassList.ciSelection();

    assertEquals(ci.size(), Set.copyOf(ci).size());
    assertTrue(ClassList.fullSelection().containsAll(ci));
  }

  @Test
  void theManualListsWhatIsLeftOut() throws IOException {
    Path page = Path.of(System.getProperty("basedir", "."), "..", "docs", "upstream-tests.md");
    String text = Files.readString(page);

    assertEquals(LeftOutTable.insertInto(text), text, "run LeftOutTable on docs/upstream-tests.md");
  }
}
