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
package org.orcagrid.browser;

import java.nio.file.Files;
import java.nio.file.Path;
import org.orcagrid.needs.Need;

/** The browser of the tests and what drives it, where Debian puts them. */
final class Chromium implements Need {
  static final Path PROGRAM = Path.of("/usr/bin/chromium");
  static final Path DRIVER = Path.of("/usr/bin/chromedriver");

  @Override
  public String what() {
    return "a browser (apt-get install chromium chromium-driver)";
  }

  @Override
  public String missing() {
    for (Path each : new Path[] {PROGRAM, DRIVER}) {
      if (!Files.isExecutable(each)) {
        return each + " is no program";
      }
    }
    return null;
  }
}
