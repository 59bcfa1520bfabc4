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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/**
 * The keys of a zoo.cfg whose values ZooKeeper parses as numbers without naming them if it fails.
 */
final class NumericKeys {
  /** These alone have 64 bits, all others 32. */
  private static final String LONG_PREFIX = "jvm.pause.";

  private static final Set<String> KEYS =
      Set.of(
          "autopurge.purgeInterval",
          "autopurge.snapRetainCount",
          "clientPortListenBacklog",
          "connectToLearnerMasterLimit",
          "electionAlg",
          "initLimit",
          "jvm.pause.info-threshold.ms",
          "jvm.pause.sleep.time.ms",
          "jvm.pause.warn-threshold.ms",
          "maxClientCnxns",
          "maxSessionTimeout",
          "minSessionTimeout",
          "multiAddress.reachabilityCheckTimeoutMs",
          "observerMasterPort",
          "quorum.cnxn.threads.size",
          "syncLimit",
          "tickTime");

  private NumericKeys() {}

  /** Fails at a value that is no whole number in ZooKeeper's range. */
  static void check(Path file, Properties properties) throws CommandFailure {
    List<CommandFailure> failures = failures(file, properties);
    if (!failures.isEmpty()) {
      throw failures.get(0);
    }
  }

  /** Returns a failure for each such value, in the order of the keys. */
  static List<CommandFailure> failures(Path file, Properties properties) {
    List<CommandFailure> failures = new ArrayList<>();
    for (String key : new TreeSet<>(properties.stringPropertyNames())) {
      if (KEYS.contains(key.trim())) {
        try {
          check(file, key.trim(), properties.getProperty(key).trim());
        } catch (CommandFailure e) {
          failures.add(e);
        }
      }
    }
    return failures;
  }

  private static void check(Path file, String key, String value) throws CommandFailure {
    try {
      if (key.startsWith(LONG_PREFIX)) {
        Long.parseLong(value);
      } else {
        Integer.parseInt(value);
      }
    } catch (NumberFormatException e) {
      throw new CommandFailure(
          key + "=" + value + " in " + file + " is not a whole number; write one, such as 10.", e);
    }
  }
}
