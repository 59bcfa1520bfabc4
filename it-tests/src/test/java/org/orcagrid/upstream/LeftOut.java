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

import java.util.List;

/**
 * A published test class that no selection runs.
 *
 * @param testClass its full name
 * @param reason why not, in a few words
 */
record LeftOut(String testClass, String reason) {
  /** All of them, from {@code left-out.txt}: {@code class | reason}. */
  static List<LeftOut> all() {
    return ClassList.lines("left-out.txt").stream().map(LeftOut::parse).toList();
  }

  private static LeftOut parse(String line) {
    String[] parts = line.split(" \\| ", 2);
    if (parts.length != 2) {
      throw new IllegalStateException("left-out.txt: expected \"class | reason\": " + line);
    }
    return new LeftOut(parts[0].strip(), parts[1].strip());
  }
}
