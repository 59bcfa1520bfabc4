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
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The keys of {@code zoo.cfg} that stock ZooKeeper 3.9.5 reads, by their names. */
final class ZooKeeperKeys {

  /**
   * What stock reads from the JVM alone: as a key it becomes {@code zookeeper.NAME}, which nobody
   * reads.
   */
  private static final Set<String> OF_THE_JVM =
      Set.of(
          "follower.nodelay",
          "jute.maxbuffer",
          "leader.nodelay",
          "znode.container.checkIntervalMs",
          "znode.container.maxNeverUsedIntervalMs",
          "znode.container.maxPerMinute");

  private static final String NUMBER = "N";
  private static final Pattern NUMBERED = Pattern.compile("(.*\\.)(\\d+)");

  /** A suggestion may differ from the key in one of so many characters. */
  private static final int LETTERS_PER_ERROR = 3;

  private final Set<String> names = new HashSet<>();
  private final Set<String> prefixes = new HashSet<>();

  ZooKeeperKeys() {
    for (String line : lines()) {
      if (line.endsWith("*")) {
        prefixes.add(line.substring(0, line.length() - 1));
      } else if (!line.startsWith("#")) {
        names.add(line);
      }
    }
  }

  private static List<String> lines() {
    try (InputStream in = ZooKeeperKeys.class.getResourceAsStream("zookeeper-keys.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("The list of ZooKeeper's keys cannot be read", e);
    }
  }

  /** Whether ZooKeeper reads {@code key}. */
  boolean isKnown(String key) {
    return names.contains(key)
        || names.contains(pattern(key))
        || prefixes.stream().anyMatch(key::startsWith);
  }

  /** Whether ZooKeeper reads {@code key} from the JVM and not from {@code zoo.cfg}. */
  static boolean isOfTheJvm(String key) {
    return OF_THE_JVM.contains(key);
  }

  /** The known key that an unknown one most likely stands for, if one is near. */
  Optional<String> nearest(String key) {
    String property = "zookeeper.";
    if (key.startsWith(property) && isKnown(key.substring(property.length()))) {
      return Optional.of(key.substring(property.length()));
    }
    Matcher numbered = NUMBERED.matcher(key);
    String number = numbered.matches() ? numbered.group(2) : NUMBER;
    String sought = pattern(key);
    int errorsMax = key.length() / LETTERS_PER_ERROR;
    return names.stream()
        .filter(name -> distance(lower(sought), lower(name)) <= errorsMax)
        .min(
            Comparator.<String>comparingInt(name -> distance(lower(sought), lower(name)))
                .thenComparingInt(name -> distance(sought, name))
                .thenComparing(Comparator.naturalOrder()))
        .map(name -> name.endsWith("." + NUMBER) ? withNumber(name, number) : name);
  }

  private static String pattern(String key) {
    Matcher numbered = NUMBERED.matcher(key);
    return numbered.matches() ? withNumber(key, NUMBER) : key;
  }

  private static String withNumber(String key, String number) {
    return key.substring(0, key.lastIndexOf('.') + 1) + number;
  }

  private static String lower(String key) {
    return key.toLowerCase(Locale.ROOT);
  }

  /** Characters to insert, remove or replace, or neighbours to swap, to make one of the other. */
  private static int distance(String a, String b) {
    int[][] errors = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          errors[i][j] = i + j;
          continue;
        }
        int replaced = errors[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replaced, 1 + Math.min(errors[i - 1][j], errors[i][j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          best = Math.min(best, 1 + errors[i - 2][j - 2]);
        }
        errors[i][j] = best;
      }
    }
    return errors[a.length()][b.length()];
  }
}
