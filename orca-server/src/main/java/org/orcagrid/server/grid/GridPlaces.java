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
package org.orcagrid.server.grid;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.orcagrid.ddp.kite.View;
import org.orcagrid.ddp.node.Roster;

/**
 * What the ensemble holds of a grid: the view, and who is at each place.
 *
 * @param grid tells this life of the grid from earlier ones
 * @param view the view
 * @param members for each place, its node
 */
record GridPlaces(long grid, View view, List<Member> members) {
  /**
   * A node that has registered.
   *
   * @param id drawn by its process
   * @param address where it listens
   */
  record Member(String id, String address) {}

  /** The bytes are not as this program writes them. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  /** The first view of a grid. */
  static GridPlaces first(long grid, List<Member> members) {
    return new GridPlaces(grid, View.first(members.size()), List.copyOf(members));
  }

  /** The place of a node, -1 if it has none. */
  int placeOf(String id) {
    for (int place = 0; place < members.size(); place++) {
      if (members.get(place).id().equals(id)) {
        return place;
      }
    }
    return -1;
  }

  /** How many of the nodes are among these. */
  int countOf(Set<String> ids) {
    return (int) members.stream().filter(member -> ids.contains(member.id())).count();
  }

  /** So many nodes that hold the data a new one must ask (docs/protocols/kite.md). */
  int neededToCatchUp() {
    int majority = members.size() / 2 + 1;
    return Math.max(1, members.size() - majority + 1);
  }

  /**
   * The place for a new node: that of a lost one; -1 if there is none, or if a node at the same
   * address, which must be lost, is not known to be yet.
   */
  int freePlace(String address, Set<String> registered) {
    int free = -1;
    for (int place = 0; place < members.size(); place++) {
      boolean lost = !registered.contains(members.get(place).id());
      if (members.get(place).address().equals(address)) {
        return lost ? place : -1;
      }
      free = lost && free < 0 ? place : free;
    }
    return free;
  }

  /** The next view, with this node at a place. */
  GridPlaces with(int place, Member next) {
    List<Member> all = new ArrayList<>(members);
    all.set(place, next);
    return new GridPlaces(grid, view.withNewNode(place), List.copyOf(all));
  }

  Roster roster(int self) {
    return new Roster(grid, view, members.stream().map(Member::address).toList(), self);
  }

  byte[] toBytes() {
    StringBuilder text = new StringBuilder();
    text.append("grid ").append(grid).append("\nview ").append(view.number()).append('\n');
    for (int place = 0; place < members.size(); place++) {
      Member member = members.get(place);
      text.append("place ").append(view.joined().get(place)).append(' ');
      text.append(member.id()).append(' ').append(member.address()).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  static GridPlaces parse(byte[] bytes) throws MalformedException {
    String text = new String(bytes, StandardCharsets.UTF_8);
    try {
      long grid = 0;
      int number = 0;
      List<Integer> joined = new ArrayList<>();
      List<Member> members = new ArrayList<>();
      for (String line : text.lines().toList()) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
          case "grid" -> grid = Long.parseLong(words[1]);
          case "view" -> number = Integer.parseInt(words[1]);
          case "place" -> {
            joined.add(Integer.parseInt(words[1]));
            members.add(new Member(words[2], words[3]));
          }
          default -> throw new MalformedException("what is \"" + line + "\"?");
        }
      }
      return new GridPlaces(grid, new View(number, joined), List.copyOf(members));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new MalformedException(e.getMessage() + " in \"" + text + "\"");
    }
  }
}
