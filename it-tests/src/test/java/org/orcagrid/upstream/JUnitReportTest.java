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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JUnitReportTest {
  @Test
  void theFilesOfAllEnginesAddUp(@TempDir Path directory) throws IOException {
    Files.writeString(
        directory.resolve("TEST-junit-jupiter.xml"),
        """
        <testsuite name="JUnit Jupiter" tests="4">
        <testcase name="works()" classname="T"/>
        <testcase name="isOff()" classname="T"><skipped/></testcase>
        <testcase name="breaks(int, boolean)[2]" classname="T"><failure message="no"/></testcase>
        <testcase name="throwsUp()" classname="T"><error message="oh"/></testcase>
        </testsuite>
        """);
    Files.writeString(
        directory.resolve("TEST-junit-vintage.xml"),
        """
        <testsuite name="JUnit Vintage" tests="1"><testcase name="old" classname="U"/></testsuite>
        """);

    JUnitReport report = JUnitReport.read(directory);

    assertEquals(new JUnitReport(2, 1, List.of("breaks", "throwsUp")), report);
  }

  @Test
  void aJvmThatLeftNothingReportsNothing(@TempDir Path directory) throws IOException {
    assertTrue(JUnitReport.read(directory.resolve("absent")).isEmpty());
  }
}
