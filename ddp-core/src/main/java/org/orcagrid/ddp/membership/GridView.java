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
import java.util.Collections;
import java.util.List;
import org.orcagrid.ddp.Quorum;

/**
 * What all nodes agree on, one view after the other: which life of which node is a member at each
 * place, and who serves. The registry keeps a view durably before any node is told of it.
 *
 * @param grid tells this grid from all others, earlier ones of the same name too
 * @param number from 1
 * @param lastServing the members that served last, when anybody did
 * @param memorySince the number of the view in which the content of memory-only data began, with
 *     nothing
 * @param purgedIn the number of the newest view in which memory-only data forgot removed keys; 0 if
 *     none has. All processes of the view before had agreed on which
 * @param shares how maps that are not at every node are divided among the places
 * @param places what is known of each place for a node; of as many as the grid may have
 * @param leaving the place that the grid loses; null if it loses none
 */
public record GridView(
    long grid,
    int number,
    int lastServing,
    int memorySince,
    int purgedIn,
    Shares shares,
    List<Place> places,
    Leaving leaving) {

  /**
   * A place that is leaving. It belongs to the grid and does not count towards majorities any more.
   *
   * @param place the place
   * @param since the number of the first view in which it is leaving
   */
  public record Leaving(int place, int since) {}

  /**
   * A place for a node.
   *
   * @param lives how many lives its nodes have had
   * @param registration of the life that is or was a member last
   * @param address where that node is reached
   * @param member whether that life is in the view
   * @param servesSince the number of the view since which it serves without a break; 0 if it does
   *     not serve
   * @param memory whose memory the place has
   */
  public record Place(
      int lives,
      long registration,
      String address,
      boolean member,
      int servesSince,
      Memory memory) {
    static final Place EMPTY = new Place(0, 0, "-", false, 0, Memory.NONE);

    /** Refuses a life that serves and is no member. */
    public Place {
      if (servesSince > 0 && !member) {
        throw new IllegalArgumentException("Life " + registration + " serves and is no member");
      }
    }

    /**
     * The same as it leaves the grid: once its life is over, nobody can ask its process any more.
     */
    Place asItLeaves() {
      return new Place(
          lives, registration, address, member, servesSince, member ? memory : memory.gone());
    }
  }

  /**
   * The process at a place, whose memory has the place's part of memory-only data. Its lives come
   * and go; it keeps what it has.
   *
   * @param process drawn by the process when it started; 0 if none has had the place since the
   *     content began
   * @param joined the number of the view since which the process has the place; 0 if the place does
   *     not belong to the grid yet
   * @param generation how many processes had the place before it since the content began
   * @param holds whether all that the place has acknowledged since then is there: the process has
   *     served, or there was none before it
   */
  public record Memory(long process, int joined, int generation, boolean holds) {
    static final Memory NONE = new Memory(0, 0, 0, false);

    /** The same, of a process that does not come back. */
    Memory gone() {
      return new Memory(process, joined, generation, process == 0 && holds);
    }

    /** Refuses numbers that no process has. */
    public Memory {
      if (joined < 0 || generation < 0) {
        throw new IllegalArgumentException(
            "Process " + process + " of generation " + generation + " has joined in " + joined);
      }
    }
  }

  /** Refuses what cannot be a view. */
  public GridView {
    places = List.copyOf(places);
    if (number < 0 || places.size() > Quorum.NODES_MAX) {
      throw new IllegalArgumentException("View " + number + " of " + places.size() + " places");
    }
    if (purgedIn < 0 || purgedIn > number) {
      throw new IllegalArgumentException("View " + number + " is purged in " + purgedIn);
    }
    for (Place each : places) {
      int joined = each.memory().joined();
      if (joined == 0 ? each.member() : joined < memorySince || joined > number) {
        throw new IllegalArgumentException(
            "View " + number + " with memory since " + memorySince + " has " + each.memory());
      }
    }
    if (leaving != null && (!isPart(places, leaving.place()) || leaving.since() > number)) {
      throw new IllegalArgumentException("View " + number + " cannot have " + leaving);
    }
  }

  private static boolean isPart(List<Place> places, int place) {
    return place >= 0 && place < places.size() && places.get(place).memory().joined() > 0;
  }

  /** A view of a grid that loses no place, and whose maps are all at every node. */
  public GridView(
      long grid, int number, int lastServing, int memorySince, int purgedIn, List<Place> places) {
    this(grid, number, lastServing, memorySince, purgedIn, Shares.NONE, places, null);
  }

  /** What is there before any node has come. */
  static GridView nothing(long grid, int nodes) {
    return new GridView(grid, 0, 0, 0, 0, Collections.nCopies(nodes, Place.EMPTY));
  }

  /** The next view, of the same members. */
  public GridView again() {
    return again(shares);
  }

  /**
   * The next view, of the same members, in which maps have other numbers of copies.
   *
   * @param copiesMin the fewest copies of a map that is not at every node; 0 if there is none
   */
  public GridView withCopiesMin(int copiesMin) {
    return again(shares.withCopiesMin(copiesMin));
  }

  /** The next view, of the same members, in which maps are divided in another way. */
  GridView again(Shares next) {
    return new GridView(
        grid, number + 1, lastServing, memorySince, purgedIn, next, places, leaving);
  }

  /** The same view, in which a place that is new takes its share of the maps. */
  GridView sharedWith(int place) {
    return new GridView(
        grid, number, lastServing, memorySince, purgedIn, shares.toward(place), places, leaving);
  }

  /** The next view, of the same members, in which a place is leaving. */
  GridView leaving(int place) {
    Leaving next = new Leaving(place, number + 1);
    List<Place> all = new ArrayList<>(places);
    all.set(place, places.get(place).asItLeaves());
    return new GridView(grid, number + 1, lastServing, memorySince, purgedIn, shares, all, next);
  }

  /** The next view, of the same members, without the place that is leaving, which has none. */
  GridView without() {
    List<Place> rest = new ArrayList<>(places);
    Place gone = places.get(leaving.place());
    // A node that has the place later makes other clocks than the ones before it.
    Memory none = new Memory(0, 0, gone.memory().generation() + 1, false);
    rest.set(
        leaving.place(),
        new Place(gone.lives(), gone.registration(), gone.address(), false, 0, none));
    int serving = lastServing & ~Quorum.of(leaving.place());
    Shares next = shares.without(leaving.place());
    return new GridView(grid, number + 1, serving, memorySince, purgedIn, next, rest, null);
  }

  /** The next view, of the same members, in which removed keys are forgotten. */
  GridView purged() {
    return new GridView(
        grid, number + 1, lastServing, memorySince, number + 1, shares, places, leaving);
  }

  /** For how many places there is room; some may not belong to the grid yet. */
  public int nodes() {
    return places.size();
  }

  /** The places that belong to the grid, as a mask; majorities are of those that stay. */
  public int parts() {
    int parts = 0;
    for (int node = 0; node < places.size(); node++) {
      parts |= places.get(node).memory().joined() > 0 ? Quorum.of(node) : 0;
    }
    return parts;
  }

  /** The places that belong to the grid and are not leaving it, as a mask. */
  public int staying() {
    return leaving == null ? parts() : parts() & ~Quorum.of(leaving.place());
  }

  /** Whether this place is leaving. */
  public boolean isLeaving(int node) {
    return leaving != null && leaving.place() == node;
  }

  /** The places that have a member, as a mask. */
  public int members() {
    int members = 0;
    for (int node = 0; node < places.size(); node++) {
      members |= places.get(node).member() ? Quorum.of(node) : 0;
    }
    return members;
  }

  /** The places whose members serve, as a mask. */
  public int serving() {
    int serving = 0;
    for (int node = 0; node < places.size(); node++) {
      serving |= places.get(node).servesSince() > 0 ? Quorum.of(node) : 0;
    }
    return serving;
  }

  /**
   * So many places have to hold what is in memory: with fewer, all nodes of a majority may be gone,
   * and with them what they had acknowledged together.
   */
  static int holdersMin(int nodes) {
    int majority = nodes / 2 + 1;
    return nodes - majority + 1;
  }

  /** The life that is a member at a place; 0 if none is. */
  public int incarnation(int node) {
    return places.get(node).member() ? places.get(node).lives() : 0;
  }

  /** Whether this life of a node is a member. */
  public boolean has(int node, long registration) {
    return places.get(node).member() && places.get(node).registration() == registration;
  }

  /** Whether the member at a place serves. */
  public boolean serves(int node) {
    return places.get(node).servesSince() > 0;
  }

  /** For the log: its number, and each place's life with what it does. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("view " + number + ":");
    for (int node = 0; node < places.size(); node++) {
      Place place = places.get(node);
      text.append(node == 0 ? " " : ", ").append(node).append(' ');
      if (!place.member()) {
        text.append("away");
      } else {
        text.append(serves(node) ? "serves" : "joins");
        text.append(" (life ").append(place.lives()).append(" at ");
        text.append(place.address()).append(')');
      }
      text.append(isLeaving(node) ? " and leaves the grid" : "");
    }
    return text.toString();
  }
}
