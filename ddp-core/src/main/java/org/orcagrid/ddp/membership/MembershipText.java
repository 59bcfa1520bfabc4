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
package org.orcagrid.ddp.membership;

import java.util.ArrayList;
import java.util.List;

/**
 * Views and registrations as text, as registries keep them: a line for each thing, words with one
 * space between them.
 */
public final class MembershipText {
  private static final int VIEW_LINES = 3;

  private MembershipText() {}

  /** The lines of a view; {@link #view} reads them. */
  public static List<String> lines(GridView view) {
    List<String> lines = new ArrayList<>();
    lines.add("grid " + view.grid());
    lines.add(
        "view "
            + view.number()
            + " "
            + view.lastServing()
            + " "
            + view.memorySince()
            + " "
            + view.purgedIn()
            + " "
            + view.nodes()
            + " "
            + (view.leaving() == null ? -1 : view.leaving().place())
            + " "
            + (view.leaving() == null ? 0 : view.leaving().since()));
    Shares shares = view.shares();
    lines.add(
        "shares "
            + shares.copiesMin()
            + " "
            + shares.newPlace()
            + " "
            + shares.givenUpIn()
            + " "
            + shares.vacated());
    for (GridView.Place place : view.places()) {
      GridView.Memory memory = place.memory();
      lines.add(
          "place "
              + place.lives()
              + " "
              + place.registration()
              + " "
              + place.address()
              + " "
              + (place.member() ? 1 : 0)
              + " "
              + place.servesSince()
              + " "
              + memory.process()
              + " "
              + memory.joined()
              + " "
              + memory.generation()
              + " "
              + (memory.holds() ? 1 : 0));
    }
    return lines;
  }

  /**
   * Reads a view from the first of these lines, and removes those from the list.
   *
   * @throws IllegalArgumentException if it is not one, saying what is wrong
   */
  public static GridView view(List<String> lines) {
    try {
      long grid = Long.parseLong(words(lines.get(0), "grid", 1)[1]);
      String[] numbers = words(lines.get(1), "view", 7);
      String[] shares = words(lines.get(2), "shares", 4);
      int end = VIEW_LINES + Integer.parseInt(numbers[5]);
      List<GridView.Place> places = new ArrayList<>();
      for (String line : lines.subList(VIEW_LINES, end)) {
        String[] words = words(line, "place", 9);
        places.add(
            new GridView.Place(
                Integer.parseInt(words[1]),
                Long.parseLong(words[2]),
                words[3],
                words[4].equals("1"),
                Integer.parseInt(words[5]),
                new GridView.Memory(
                    Long.parseLong(words[6]),
                    Integer.parseInt(words[7]),
                    Integer.parseInt(words[8]),
                    words[9].equals("1"))));
      }
      lines.subList(0, end).clear();
      int leaving = Integer.parseInt(numbers[6]);
      return new GridView(
          grid,
          Integer.parseInt(numbers[1]),
          Integer.parseInt(numbers[2]),
          Integer.parseInt(numbers[3]),
          Integer.parseInt(numbers[4]),
          new Shares(
              Integer.parseInt(shares[1]),
              Integer.parseInt(shares[2]),
              Integer.parseInt(shares[3]),
              Integer.parseInt(shares[4])),
          places,
          leaving < 0 ? null : new GridView.Leaving(leaving, Integer.parseInt(numbers[7])));
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("A view has more lines than " + lines, e);
    }
  }

  /** A registration as text; {@link #registration} reads it. */
  public static String text(Registration of) {
    return "life "
        + of.id()
        + " "
        + of.process()
        + " "
        + of.address()
        + " "
        + of.inView()
        + " "
        + of.caughtUp()
        + " "
        + of.gaveUp()
        + " "
        + of.refreshed()
        + " "
        + of.hears()
        + " "
        + of.round()
        + " "
        + (of.leaving() ? 1 : 0);
  }

  /**
   * Reads a registration.
   *
   * @throws IllegalArgumentException if it is not one, saying what is wrong
   */
  public static Registration registration(String text) {
    String[] words = words(text, "life", 10);
    return new Registration(
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        words[3],
        Integer.parseInt(words[4]),
        Integer.parseInt(words[5]),
        Integer.parseInt(words[6]),
        Integer.parseInt(words[7]),
        Integer.parseInt(words[8]),
        Long.parseLong(words[9]),
        words[10].equals("1"));
  }

  /**
   * The words of a line that begins with this one and has so many more.
   *
   * @throws IllegalArgumentException if it is another line, quoting it
   */
  public static String[] words(String line, String first, int more) {
    String[] words = line.split(" ", -1);
    if (!words[0].equals(first) || words.length != more + 1) {
      throw new IllegalArgumentException(
          "\"" + line + "\" is not \"" + first + "\" and " + more + " words");
    }
    return words;
  }
}
