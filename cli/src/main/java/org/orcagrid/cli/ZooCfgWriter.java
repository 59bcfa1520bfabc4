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

import java.util.Map;
import java.util.TreeMap;

/** Writes a zoo.cfg: one line per setting, sorted, readable by {@link java.util.Properties}. */
final class ZooCfgWriter {
  private ZooCfgWriter() {}

  /** Returns the file's text; fails at what a zoo.cfg cannot hold. */
  static String text(Map<String, String> settings) throws CommandFailure {
    StringBuilder text =
        new StringBuilder("# Written by 'orca ensemble start' or 'orca grid start'.\n");
    for (Map.Entry<String, String> setting : new TreeMap<>(settings).entrySet()) {
      text.append(line(setting.getKey(), setting.getValue())).append('\n');
    }
    return text.toString();
  }

  /** Returns one line of the file, without its end; fails at what a zoo.cfg cannot hold. */
  static String line(String key, String value) throws CommandFailure {
    return escapedKey(key) + '=' + escapedValue(key, value);
  }

  private static String escapedKey(String key) throws CommandFailure {
    if (!key.matches("[\\w.\\-/]+")) {
      throw CommandFailure.usage(
          "The setting '" + key + "' is not a key of zoo.cfg; write KEY=VALUE.");
    }
    return key;
  }

  /** A backslash would start an escape, and a line end a new setting. */
  private static String escapedValue(String key, String value) throws CommandFailure {
    if (value.contains("\n") || value.contains("\r")) {
      throw CommandFailure.usage(
          "The value of the setting " + key + " has a line end; write it in one line.");
    }
    return value.replace("\\", "\\\\");
  }
}
