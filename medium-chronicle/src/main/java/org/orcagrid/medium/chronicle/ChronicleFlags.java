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

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The flags that a JVM needs for Chronicle Map. They are named in the file {@code jvm.flags} beside
 * this class, and nowhere else.
 */
public final class ChronicleFlags {
  private static final Pattern FLAG =
      Pattern.compile("--add-(exports|opens)=([a-z.]+)/([a-z.]+)=ALL-UNNAMED");

  private ChronicleFlags() {}

  /** All of them, as they stand on a command line. */
  public static List<String> all() {
    try (InputStream file = ChronicleFlags.class.getResourceAsStream("jvm.flags")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(each -> each.startsWith("--"))
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException("jvm.flags cannot be read", e);
    }
  }

  /** Those that this JVM was not started with. */
  public static List<String> missing() {
    return all().stream().filter(each -> !isSet(each)).toList();
  }

  /**
   * Refuses a JVM that lacks one.
   *
   * @throws IOException which names those that are missing
   */
  static void check() throws IOException {
    List<String> missing = missing();
    if (!missing.isEmpty()) {
      throw new IOException(
          "The medium \"chronicle\" needs a JDK that was started with "
              + String.join(" ", missing)
              + ": add these flags, start the program with orca java, or choose another medium");
    }
  }

  private static boolean isSet(String flag) {
    Matcher parts = FLAG.matcher(flag);
    if (!parts.matches()) {
      throw new IllegalStateException(flag + " in jvm.flags is not understood");
    }
    Optional<Module> module = ModuleLayer.boot().findModule(parts.group(2));
    if (module.isEmpty()) {
      return false;
    }
    Module asking = ChronicleFlags.class.getModule();
    return parts.group(1).equals("opens")
        ? module.get().isOpen(parts.group(3), asking)
        : module.get().isExported(parts.group(3), asking);
  }
}
