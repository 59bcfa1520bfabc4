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

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.orcagrid.ddp.kite.View;
import org.orcagrid.ddp.node.Roster;

/**
 * What nodes on one machine keep in their file: the view, and who is at each place.
 *
 * @param grid tells this life of the grid from earlier ones
 * @param view the view
 * @param places for each place its process
 */
record FolderPlaces(long grid, View view, List<Place> places) {
  private static final String NOBODY = "-";

  /**
   * A process at a place.
   *
   * @param id drawn by the process
   * @param pid its process id, for people: it says nothing in another container
   * @param startMs when it was started, in milliseconds since 1970, for people: clocks are set
   * @param serves whether it has caught up
   */
  record Place(String id, long pid, long startMs, boolean serves) {
    static final Place EMPTY = new Place(NOBODY, 0, 0, false);

    static Place of(String id, ProcessHandle process) {
      long startMs = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
      return new Place(id, process.pid(), startMs, false);
    }

    boolean isEmpty() {
      return id.equals(NOBODY);
    }

    Place serving() {
      return new Place(id, pid, startMs, true);
    }
  }

  FolderPlaces {
    places = List.copyOf(places);
  }

  static FolderPlaces first(long grid, int size) {
    return new FolderPlaces(grid, View.first(size), Collections.nCopies(size, Place.EMPTY));
  }

  int size() {
    return places.size();
  }

  /** So many of the processes at places run; {@code held} are the places whose locks are held. */
  int running(Set<Integer> held) {
    return (int) held.stream().filter(place -> place < size() && !at(place).isEmpty()).count();
  }

  /** So many of those that run have caught up. */
  int serving(Set<Integer> held) {
    return (int) held.stream().filter(place -> place < size() && at(place).serves()).count();
  }

  private Place at(int place) {
    return places.get(place);
  }

  /** So many nodes that hold the data a new one must ask (docs/protocols/kite.md). */
  int neededToCatchUp() {
    return neededToCatchUp(size());
  }

  static int neededToCatchUp(int size) {
    int majority = size / 2 + 1;
    return Math.max(1, size - majority + 1);
  }

  /** The same view, with something else known of a place. */
  FolderPlaces with(int place, Place next) {
    List<Place> all = new ArrayList<>(places);
    all.set(place, next);
    return new FolderPlaces(grid, view, all);
  }

  /** The next view, in which a new process follows the one at a place. */
  FolderPlaces withNewNode(int place, Place next) {
    FolderPlaces same = with(place, next);
    return new FolderPlaces(grid, view.withNewNode(place), same.places);
  }

  Roster roster(List<String> addresses, int self) {
    return new Roster(grid, view, addresses, self);
  }

  String text() {
    StringBuilder text = new StringBuilder("# Written by 'orca grid run'.\n");
    text.append("grid ").append(grid).append("\nview ").append(view.number()).append('\n');
    for (int place = 0; place < places.size(); place++) {
      Place each = places.get(place);
      text.append("place ").append(view.joined().get(place)).append(' ').append(each.id());
      text.append(' ').append(each.pid()).append(' ').append(each.startMs());
      text.append(' ').append(each.serves()).append('\n');
    }
    return text.toString();
  }

  static FolderPlaces parse(Path file, String text) throws IOException {
    try {
      long grid = 0;
      int number = 0;
      List<Integer> joined = new ArrayList<>();
      List<Place> places = new ArrayList<>();
      for (String line : text.lines().filter(each -> !each.startsWith("#")).toList()) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
          case "grid" -> grid = Long.parseLong(words[1]);
          case "view" -> number = Integer.parseInt(words[1]);
          case "place" -> {
            joined.add(Integer.parseInt(words[1]));
            places.add(
                new Place(
                    words[2],
                    Long.parseLong(words[3]),
                    Long.parseLong(words[4]),
                    Boolean.parseBoolean(words[5])));
          }
          default -> throw new IllegalArgumentException("\"" + line + "\" is unknown");
        }
      }
      return new FolderPlaces(grid, new View(number, joined), places);
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new IOException(
          file
              + " is not a grid's view ("
              + e.getMessage()
              + "); stop the grid's nodes, delete the file and start them again",
          e);
    }
  }
}
