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

import java.util.Optional;
import org.orcagrid.ddp.Quorum;

/**
 * How the maps of a grid that are not at every node are divided among its places. A map lives at
 * its <i>homes</i>: as many places as it has copies. Which ones is a function of the map's number
 * and of the places, so that no view has to list them: each place has a weight for each map, and
 * the heaviest are its homes (rendezvous hashing). A place that comes takes its share from all
 * others, and nothing else moves.
 *
 * <p>Such a share is handed over in three steps, each a view. In the first the new place is a home
 * beside those that were homes before, and catches up. When it serves, those that are homes no more
 * <i>give up</i> the map: they stop to serve it, and say so. When all members have said so, the
 * last view is without those copies.
 *
 * @param copiesMin the fewest copies of a map that is not at every node; 0 if there is no such map
 * @param newPlace the place that takes its share; -1 if none does
 * @param givenUpIn the number of the view in which copies were to be given up; 0 while the new
 *     place has not served yet
 * @param vacated the places that have left the grid and keep their share for a node that has such a
 *     place later, as a mask. Until then maps have copies less
 */
public record Shares(int copiesMin, int newPlace, int givenUpIn, int vacated) {
  /** All maps are at every node. */
  public static final Shares NONE = new Shares(0, -1, 0, 0);

  /** Refuses what cannot be. */
  public Shares {
    if (copiesMin < 0 || newPlace < -1 || givenUpIn < 0 || (newPlace < 0 && givenUpIn > 0)) {
      throw new IllegalArgumentException(
          "Maps of " + copiesMin + " copies, given up for " + newPlace + " in " + givenUpIn);
    }
  }

  /** So many places share the maps, of which those that are vacated have no node. */
  public int size(int parts) {
    return Integer.bitCount(parts | vacated);
  }

  /**
   * Whether so few places serve that some map may have no home that does. Then nobody may go on:
   * what such a map had promised is known only to those who are gone.
   *
   * @param parts the places that belong to the grid
   * @param serving those of them that would serve
   */
  boolean isTooFew(int parts, int serving) {
    return copiesMin > 0 && Integer.bitCount(serving) < servingMin(size(parts), copiesMin);
  }

  /** Why a place may not leave, of whose maps nobody takes the copies; empty if it may. */
  Optional<String> whyNotLeave(int parts, int place) {
    if (areMoving() && (place != newPlace || givenUpIn > 0)) {
      return Optional.of("place " + newPlace + " is taking its share of the maps");
    }
    if (place != newPlace && isTooFew(parts, parts & ~Quorum.of(place))) {
      return Optional.of(
          "a map of "
              + copiesMin
              + " copies could lose the last one with place "
              + place
              + "; add a node first, which has the place of one that has left");
    }
    return Optional.empty();
  }

  /** Why lives end that could go on, for the log. */
  public String whyStopped() {
    return "so few nodes serve that a map of "
        + copiesMin
        + " copies may be at none of them; they go on together with those that are missing";
  }

  /**
   * So many of a grid's nodes have to serve, or none does.
   *
   * @param size the number of places that belong to the grid
   * @param copies the copies of a map, 0 for one at every node
   */
  public static int servingMin(int size, int copies) {
    return copies == 0 ? 1 : Math.max(1, size - copies + 1);
  }

  /** Whether a new place is taking its share. */
  boolean areMoving() {
    return newPlace >= 0;
  }

  Shares withCopiesMin(int copies) {
    return new Shares(copies, newPlace, givenUpIn, copies == 0 ? 0 : vacated);
  }

  /** A place comes, which takes its share, if there is any. One that was vacated has its own. */
  Shares toward(int place) {
    if ((vacated & Quorum.of(place)) != 0) {
      return new Shares(copiesMin, newPlace, givenUpIn, vacated & ~Quorum.of(place));
    }
    return copiesMin == 0 ? this : new Shares(copiesMin, place, 0, vacated);
  }

  /** A place leaves. One that had not taken its share yet leaves none. */
  Shares without(int place) {
    if (place == newPlace) {
      return settled();
    }
    return copiesMin == 0
        ? this
        : new Shares(copiesMin, newPlace, givenUpIn, vacated | Quorum.of(place));
  }

  /** The new place serves, and copies are given up. */
  Shares givenUp(int inView) {
    return new Shares(copiesMin, newPlace, inView, vacated);
  }

  /** Nothing moves any more. */
  Shares settled() {
    return new Shares(copiesMin, -1, 0, vacated);
  }

  /**
   * The homes of a map, as a mask: those that have it or are to have it.
   *
   * @param map its number
   * @param copies how many homes it has; 0 for every place
   * @param parts the places that belong to the grid
   */
  public int homes(int map, int copies, int parts) {
    int sharing = parts | vacated;
    int homes = heaviest(map, copies, sharing);
    if (areMoving()) {
      homes |= heaviest(map, copies, sharing & ~Quorum.of(newPlace));
    }
    return homes & parts;
  }

  /** Those of the {@link #homes} that do not give it up at present. */
  public int keepers(int map, int copies, int parts) {
    return givenUpIn > 0
        ? heaviest(map, copies, parts | vacated) & parts
        : homes(map, copies, parts);
  }

  private static int heaviest(int map, int copies, int parts) {
    if (copies == 0) {
      return parts;
    }
    int chosen = 0;
    for (int left = Math.min(copies, Integer.bitCount(parts)); left > 0; left--) {
      int heaviest = -1;
      for (int rest = parts & ~chosen; rest != 0; rest &= rest - 1) {
        int place = Integer.numberOfTrailingZeros(rest);
        if (heaviest < 0 || Long.compareUnsigned(weight(map, place), weight(map, heaviest)) > 0) {
          heaviest = place;
        }
      }
      chosen |= Quorum.of(heaviest);
    }
    return chosen;
  }

  /** Of each pair another one, as if drawn (the finalizer of SplitMix64). */
  private static long weight(int map, int place) {
    long mixed = ((long) map << 32 | (place + 1)) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
