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
package org.orcagrid.mixed.world;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Assumptions;

/** Whether PostgreSQL can be started here; tests that need it are skipped elsewhere. */
public final class PostgresHere {
  private PostgresHere() {}

  /** Skips the test where it cannot. */
  public static void assume() throws IOException {
    boolean hasBinaries =
        System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux")
            && List.of("amd64", "x86_64").contains(System.getProperty("os.arch"))
            && Files.exists(Path.of("/lib64/ld-linux-x86-64.so.2"));
    Assumptions.assumeTrue(hasBinaries, "There are no binaries of PostgreSQL for this machine");
    Assumptions.assumeTrue(
        !System.getProperty("user.name").equals("root") || succeeds("unshare", "-U", "true"),
        "PostgreSQL is not run by root, and root cannot be somebody else here");
  }

  private static boolean succeeds(String... command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
