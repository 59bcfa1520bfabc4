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

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.MembershipText;

/**
 * A view as it is kept where maps are records of their own: who is a member, and which maps it adds
 * or removes. So a view stays small, however many maps there are.
 *
 * @param nodes who is a member, and who serves
 * @param nextMap the number of the next map
 * @param added the maps that are new in this view
 * @param removed the numbers of those that are gone
 */
public record ViewRecord(
    GridView nodes, int nextMap, List<MapDefinition> added, List<Integer> removed) {
  private static final String FORMAT = "orca-view 3";
  private static final String END = "end";
  private static final String REMOVED = "removed ";

  /** A view that changes these maps. */
  public ViewRecord {
    added = List.copyOf(added);
    removed = List.copyOf(removed);
  }

  /** Its number. */
  public int number() {
    return nodes.number();
  }

  /** As text, a line for each thing; {@link #parse} reads it. */
  public byte[] toBytes() {
    List<String> lines = new ArrayList<>(List.of(FORMAT));
    lines.addAll(MembershipText.lines(nodes));
    lines.add("maps " + nextMap);
    added.forEach(map -> lines.add(map.toText()));
    removed.forEach(map -> lines.add(REMOVED + map));
    lines.add(END);
    return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads a view.
   *
   * @throws IllegalArgumentException if it is not one, saying what is wrong
   */
  public static ViewRecord parse(byte[] bytes) {
    List<String> lines = lines(bytes, FORMAT);
    GridView nodes = MembershipText.view(lines);
    int nextMap = nextMap(lines.remove(0));
    List<MapDefinition> added = new ArrayList<>();
    List<Integer> removed = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith(REMOVED)) {
        removed.add(Integer.valueOf(line.substring(REMOVED.length())));
      } else {
        added.add(MapDefinition.parse(line));
      }
    }
    return new ViewRecord(nodes, nextMap, added, removed);
  }

  /** What is between a first line that names the format and the last one. */
  static List<String> lines(byte[] bytes, String format) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    List<String> lines = new ArrayList<>(text.lines().toList());
    if (lines.size() < 4
        || !lines.get(0).equals(format)
        || !lines.get(lines.size() - 1).equals(END)) {
      throw new IllegalArgumentException(
          "This is no \"" + format + "\", or not all of one: \"" + text + "\"");
    }
    lines.remove(lines.size() - 1);
    lines.remove(0);
    return lines;
  }

  static int nextMap(String line) {
    String[] words = line.split(" ", -1);
    if (!words[0].equals("maps") || words.length != 2) {
      throw new IllegalArgumentException("\"" + line + "\" does not say the next map's number");
    }
    return Integer.parseInt(words[1]);
  }
}
