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

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** Which servers the upstream test classes meet. */
public enum Target {
  /** The released classes as they are: the baseline that the other targets are held against. */
  STOCK("stock"),

  /**
   * Our servers with stock's promises: a write is durable on a majority before it is seen, and
   * every server answers reads.
   */
  ORCA_SYNC("orca-sync"),

  /** Our servers as they come: consistency-aware durability with all its defaults. */
  ORCA_CAD("orca-cad");

  private final String label;

  Target(String label) {
    this.label = label;
  }

  /** Finds a target by the name that the command line uses. */
  public static Target of(String label) {
    return Arrays.stream(values())
        .filter(target -> target.label.equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown target \"" + label + "\", expected one of " + labels()));
  }

  private static String labels() {
    return Arrays.stream(values()).map(Target::label).collect(Collectors.joining(", "));
  }

  /** The name on the command line, in paths and in results. */
  public String label() {
    return label;
  }

  /** The system properties that configure the servers of this target. */
  public Map<String, String> settings() {
    return switch (this) {
      case STOCK -> Map.of();
      case ORCA_SYNC ->
          Map.of(
              "zookeeper.orca.durability", "sync",
              "zookeeper.orca.replication", "sync",
              "zookeeper.orca.readers", "all");
      case ORCA_CAD -> Map.of("zookeeper.orca.durability", "cad");
    };
  }

  /** Whether the test classes are rewritten to construct our servers. */
  public boolean ours() {
    return this != STOCK;
  }
}
