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
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.ddp.replica.state.ReplicaView;

/**
 * What all nodes agree on, one view after the other: who is a member, who serves, and which maps
 * there are. A view is kept durably, by whoever agrees on views, before any node is told of it.
 *
 * @param grid tells this grid from all others, earlier ones of the same name too
 * @param replicas the members and who of them serves
 * @param lastServing the members that served last, when anybody did
 * @param places what is known of each place for a node
 * @param nextMap the number of the next map
 * @param maps the maps
 */
public record MapView(
    long grid,
    ReplicaView replicas,
    int lastServing,
    List<Place> places,
    int nextMap,
    List<MapDefinition> maps) {

  /**
   * A place for a node.
   *
   * @param lives how many lives its nodes have had
   * @param registration of the node that is or was a member last; drawn by each life of it
   * @param address where that node is reached
   */
  public record Place(int lives, long registration, String address) {
    static final Place EMPTY = new Place(0, 0, "-");
  }

  private static final String FORMAT = "orca-maps 1";

  /** Refuses what does not fit together. */
  public MapView {
    places = List.copyOf(places);
    maps = List.copyOf(maps);
    if (places.size() != replicas.incarnations().size()) {
      throw new IllegalArgumentException(
          places.size() + " places for " + replicas.incarnations().size() + " nodes");
    }
  }

  /** What is there before any node has come: nobody, and nothing. */
  static MapView nothing(long grid, int nodes) {
    return new MapView(
        grid,
        new ReplicaView(1, Collections.nCopies(nodes, 0), 0),
        0,
        Collections.nCopies(nodes, Place.EMPTY),
        1,
        List.of());
  }

  /** Its number. */
  public int number() {
    return replicas.number();
  }

  /** How many places there are for nodes. */
  public int nodes() {
    return places.size();
  }

  /** Whether this life of a node is a member. */
  boolean has(int node, long registration) {
    return (replicas.members() & Quorum.of(node)) != 0
        && places.get(node).registration() == registration;
  }

  boolean serves(int node) {
    return (replicas.serving() & Quorum.of(node)) != 0;
  }

  /** The map with this name. */
  public Optional<MapDefinition> map(String name) {
    return maps.stream().filter(map -> map.name().equals(name)).findFirst();
  }

  /** The next view, in which there is one more map. */
  MapView with(MapDefinition map) {
    List<MapDefinition> all = new ArrayList<>(maps);
    all.add(map);
    return new MapView(grid, nextReplicas(), lastServing, places, map.id() + 1, all);
  }

  /** The next view, in which a map is gone. */
  MapView without(MapDefinition map) {
    List<MapDefinition> all = new ArrayList<>(maps);
    all.remove(map);
    return new MapView(grid, nextReplicas(), lastServing, places, nextMap, all);
  }

  private ReplicaView nextReplicas() {
    return new ReplicaView(number() + 1, replicas.incarnations(), replicas.serving());
  }

  // --- as text -----------------------------------------------------------------------------------

  /** As text, a line for each thing; {@link #parse} reads it. */
  public byte[] toBytes() {
    StringBuilder text = new StringBuilder();
    text.append(FORMAT).append("\ngrid ").append(grid);
    text.append("\nview ").append(number()).append(' ').append(replicas.serving());
    text.append(' ').append(lastServing).append(' ').append(nextMap).append('\n');
    for (int node = 0; node < places.size(); node++) {
      Place place = places.get(node);
      text.append("place ").append(replicas.incarnations().get(node)).append(' ');
      text.append(place.lives()).append(' ').append(place.registration()).append(' ');
      text.append(place.address()).append('\n');
    }
    for (MapDefinition map : maps) {
      text.append("map ").append(map.id()).append(' ').append(map.name()).append(' ');
      text.append(map.model().id()).append(' ').append(map.conflicts()).append('\n');
    }
    return text.append("end\n").toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads a view.
   *
   * @throws IllegalArgumentException if it is not one, saying what is wrong
   */
  public static MapView parse(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    List<String> lines = text.lines().toList();
    if (lines.size() < 2
        || !lines.get(0).equals(FORMAT)
        || !lines.get(lines.size() - 1).equals("end")) {
      throw new IllegalArgumentException("This is not a view, or not all of one: \"" + text + "\"");
    }
    try {
      return parse(lines.subList(1, lines.size() - 1));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "This is not a view: \"" + text + "\": " + e.getMessage(), e);
    }
  }

  private static MapView parse(List<String> lines) {
    long grid = 0;
    List<Integer> numbers = List.of();
    List<Integer> incarnations = new ArrayList<>();
    List<Place> places = new ArrayList<>();
    List<MapDefinition> maps = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "grid" -> grid = Long.parseLong(words[1]);
        case "view" ->
            numbers =
                List.of(
                    Integer.valueOf(words[1]),
                    Integer.valueOf(words[2]),
                    Integer.valueOf(words[3]),
                    Integer.valueOf(words[4]));
        case "place" -> {
          incarnations.add(Integer.valueOf(words[1]));
          places.add(new Place(Integer.parseInt(words[2]), Long.parseLong(words[3]), words[4]));
        }
        case "map" ->
            maps.add(
                new MapDefinition(
                    Integer.parseInt(words[1]),
                    words[2],
                    Ddp.parse(words[3]),
                    Conflicts.valueOf(words[4])));
        default -> throw new IllegalArgumentException("what is \"" + line + "\"?");
      }
    }
    return new MapView(
        grid,
        new ReplicaView(numbers.get(0), incarnations, numbers.get(1)),
        numbers.get(2),
        places,
        numbers.get(3),
        maps);
  }
}
