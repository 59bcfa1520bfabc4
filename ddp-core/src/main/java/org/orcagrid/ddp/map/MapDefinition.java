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
package org.orcagrid.ddp.map;

import java.util.Objects;
import java.util.regex.Pattern;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/**
 * What a map is; the same at all nodes, and for as long as the map is there.
 *
 * @param id tells it from all other maps of the grid, earlier ones too
 * @param name what users call it
 * @param model when its writes become visible and durable
 * @param conflicts what its transactions do that meet each other
 * @param copies at how many nodes it lives; 0 for all of them
 */
public record MapDefinition(int id, String name, Ddp model, Conflicts conflicts, int copies) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  /** Refuses what cannot be a map. */
  public MapDefinition {
    Objects.requireNonNull(model, "A map has a model");
    Objects.requireNonNull(conflicts, "A map's transactions abort or wait");
    requireName(name);
    if (id < 1) {
      throw new IllegalArgumentException("Maps are numbered from 1, not " + id);
    }
    requireCopies(copies);
  }

  /**
   * Refuses what cannot be a number of copies.
   *
   * @throws IllegalArgumentException saying what can be one
   */
  public static void requireCopies(int copies) {
    if (copies < 0 || copies == 1 || copies > Quorum.NODES_MAX) {
      throw new IllegalArgumentException(
          "A map has 2 to "
              + Quorum.NODES_MAX
              + " copies, or 0 for one at every node, and not "
              + copies
              + ": with one copy the whole grid would stop with any of its nodes");
    }
  }

  /**
   * Refuses what cannot be a map's name: it is part of the names of folders and nodes.
   *
   * @throws IllegalArgumentException saying what a name is
   */
  public static void requireName(String name) {
    if (name == null || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "A map's name has 1 to 64 letters, digits, dots, dashes and underscores, and begins with"
              + " a letter or digit: '"
              + name
              + "'");
    }
  }

  /** Whether it is durable at all, and not in memory only. */
  public boolean isOnMedium() {
    return model.persistency().isOnMedium();
  }

  /** Whether it is what is wanted, whatever its number; 0 copies are any. */
  boolean isAs(MapDefinition wanted) {
    return name.equals(wanted.name)
        && model.equals(wanted.model)
        && conflicts == wanted.conflicts
        && (wanted.copies == 0 || copies == wanted.copies);
  }

  /** As text, in one line; {@link #parse} reads it. */
  public String toText() {
    return "map " + id + " " + name + " " + model.id() + " " + conflicts + " " + copies;
  }

  /**
   * Reads a map's definition.
   *
   * @throws IllegalArgumentException if it is not one, saying what is wrong
   */
  public static MapDefinition parse(String line) {
    String[] words = line.split(" ", -1);
    if (!words[0].equals("map") || words.length != 6) {
      throw new IllegalArgumentException("\"" + line + "\" is not the definition of a map");
    }
    return new MapDefinition(
        Integer.parseInt(words[1]),
        words[2],
        Ddp.parse(words[3]),
        Conflicts.valueOf(words[4]),
        Integer.parseInt(words[5]));
  }

  @Override
  public String toString() {
    return "map '" + name + "' (" + model + ")";
  }
}
