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
package org.orcagrid.medium.chronicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ChronicleFlagsTest {
  @TempDir private Path folder;

  @Test
  void noneIsMissingHere() {
    assertEquals(List.of(), ChronicleFlags.missing());
    assertEquals(5, ChronicleFlags.all().size());
  }

  @Test
  void aJvmWithoutThemIsRefusedAndTheyAreNamed() throws Exception {
    List<String> given = ChronicleFlags.all().subList(0, 2);
    Process process = ChronicleProcesses.start(given, ChronicleFlagsTest.class, folder.toString());
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));

    assertTrue(said.contains("needs a JDK that was started with --add-opens"), said);
    for (String each : ChronicleFlags.all()) {
      assertEquals(!given.contains(each), said.contains(each), said);
    }
    assertTrue(Files.notExists(folder.resolve("lock")), "nothing was touched");
  }

  @Test
  void nothingThatReportsToItsMakersIsThere() {
    assertThrows(
        ClassNotFoundException.class,
        () -> Class.forName("net.openhft.chronicle.analytics.Analytics"));
  }

  /** Tries to open a medium, and says why it cannot. */
  public static void main(String[] arguments) {
    try {
      ChronicleMedium.open(
              Path.of(arguments[0]), ChronicleLimits.DEFAULT, RecordKeys.NONE, Thread::new)
          .close();
    } catch (IOException e) {
      System.out.println(e.getMessage());
    }
  }
}
