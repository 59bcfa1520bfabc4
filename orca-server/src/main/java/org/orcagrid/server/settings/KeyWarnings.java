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
package org.orcagrid.server.settings;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * What is odd about the keys of a {@code zoo.cfg} and is no error: stock ZooKeeper takes them in
 * silence.
 */
public final class KeyWarnings {

  private KeyWarnings() {}

  /**
   * Returns a sentence for each key that is unknown, has no effect, or is there twice, in the order
   * of the lines.
   *
   * @throws IOException if the file cannot be read
   */
  public static List<String> of(Path zooCfg) throws IOException {
    ZooKeeperKeys known = new ZooKeeperKeys();
    List<String> warnings = new ArrayList<>();
    Map<String, Integer> lineOfKey = new HashMap<>();
    List<String> lines = Files.readAllLines(zooCfg);
    for (int first = 0, next; first < lines.size(); first = next) {
      StringBuilder text = new StringBuilder(lines.get(first));
      next = first + 1;
      while (isContinued(text) && next < lines.size()) {
        text.append('\n').append(lines.get(next));
        next++;
      }
      Properties entry = new Properties();
      entry.load(new StringReader(text.toString()));
      for (String name : entry.stringPropertyNames()) {
        String key = name.trim();
        String place = " in " + zooCfg.getFileName() + ", line " + (first + 1);
        Integer earlier = lineOfKey.put(key, first + 1);
        if (earlier != null) {
          warnings.add(
              "Key " + key + place + " is in line " + earlier + " already; the later one counts.");
        }
        warning(known, key, place).ifPresent(warnings::add);
      }
    }
    return warnings;
  }

  private static Optional<String> warning(ZooKeeperKeys known, String key, String place) {
    if (key.isEmpty() || key.startsWith(OrcaSettings.PREFIX) || known.isKnown(key)) {
      return Optional.empty();
    }
    if (ZooKeeperKeys.isOfTheJvm(key)) {
      return Optional.of(
          "Key "
              + key
              + place
              + " has no effect; ZooKeeper reads it from the JVM: add -D"
              + key
              + "=... to JAVA_TOOL_OPTIONS.");
    }
    String guess = known.nearest(key).map(near -> "; did you mean " + near + "?").orElse(".");
    return Optional.of(
        "Unknown key "
            + key
            + place
            + guess
            + " It is passed on as a system property zookeeper."
            + key
            + ", as stock does.");
  }

  /** Whether the text ends with an odd number of backslashes and is no comment. */
  private static boolean isContinued(CharSequence text) {
    String line = text.toString();
    String content = line.stripLeading();
    if (content.startsWith("#") || content.startsWith("!")) {
      return false;
    }
    int backslashes = 0;
    while (backslashes < line.length() && line.charAt(line.length() - 1 - backslashes) == '\\') {
      backslashes++;
    }
    return backslashes % 2 == 1;
  }
}
