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
package org.orcagrid.medium.chronicle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * The two files of the map. One of them counts: it is whole, forced and closed, and the manifest
 * names it. The other one is brought up to date and then counts instead.
 *
 * <p>Invariants: the file that counts is opened by nobody; the manifest never names a file that is
 * not forced; after a start the other file is made anew before it is used.
 *
 * <p>No thread of its own, and one at a time.
 */
final class MapFiles {
  private final MapFolder folder;
  private final ChronicleLimits limits;
  private final Set<MapRule> rules;

  private Manifest manifest = Manifest.NONE;

  /** What the other file lacks of the one that counts; null if nobody knows what is in it. */
  private List<Item> lag;

  private Totals otherTotals = Totals.NONE;

  MapFiles(MapFolder folder, ChronicleLimits limits, Set<MapRule> rules) {
    this.folder = folder;
    this.limits = limits;
    this.rules = rules;
  }

  /** What is in the file that counts. */
  Manifest manifest() {
    return manifest;
  }

  /** Takes an entry that is read back. */
  @FunctionalInterface
  interface Shown {
    void item(Item item) throws IOException;
  }

  // --- after a start -----------------------------------------------------------------------------

  /** Finds what counts; nothing is changed. */
  void open() throws IOException {
    ByteBuffer found = folder.readManifest();
    if (found == null) {
      if (folder.size(2) >= 0) {
        // It is made only after the first manifest.
        throw lacks("manifest", " is missing");
      }
      return;
    }
    manifest = Manifest.decode(found, folder.path("manifest"));
    if (!rules.contains(MapRule.REFUSE_DAMAGE)) {
      return;
    }
    String name = "map-" + manifest.file();
    long bytes = folder.size(manifest.file());
    if (bytes < 0) {
      throw lacks(name, " is missing");
    } else if (bytes != manifest.fileBytes()) {
      throw lacks(name, " has another length than it had");
    } else if (folder.head(manifest.file()) != manifest.head()) {
      throw lacks(name, " is damaged in its head");
    }
  }

  private IOException lacks(String name, String what) {
    return new IOException(
        folder.path(name) + what + ": restore the folder from a copy, or empty it");
  }

  /**
   * Shows all entries from a position on, the oldest first. The file that counts is only copied:
   * whoever reads a Chronicle Map changes its locks.
   *
   * @throws IOException if something is damaged or missing
   */
  void replay(long from, Shown shown) throws IOException {
    if (manifest.file() == 0) {
      return;
    }
    if (rules.contains(MapRule.FORCE_REPLAYED)) {
      folder.writeManifest(manifest.encoded());
    }
    prepareOther();
    try (VersionMap map = VersionMap.open(other(), limits, otherTotals)) {
      List<VersionMap.Place> places = map.places(rules.contains(MapRule.REFUSE_DAMAGE));
      places.sort(
          Comparator.comparingLong(VersionMap.Place::position)
              .thenComparingInt(VersionMap.Place::part));
      for (VersionMap.Place each : places) {
        if (each.position() >= from) {
          shown.item(map.at(each));
        }
      }
    }
  }

  // --- use ---------------------------------------------------------------------------------------

  private Path other() {
    return folder.path(working());
  }

  private int working() {
    boolean inPlace = !rules.contains(MapRule.LEAVE_CURRENT_ALONE) && manifest.file() != 0;
    return inPlace ? manifest.file() : manifest.otherFile();
  }

  /** Makes the other file one of which it is known what it lacks. */
  private void prepareOther() throws IOException {
    if (lag != null) {
      return;
    }
    if (manifest.file() == 0) {
      folder.delete(working());
    } else if (rules.contains(MapRule.COPY_AFTER_START) || folder.size(working()) < 0) {
      if (working() != manifest.file()) {
        folder.copy(manifest.file(), working());
      }
    }
    otherTotals = manifest.totals();
    lag = List.of();
  }

  /**
   * Brings the other file up to date, and lets it count.
   *
   * @param items all since the last time, in their order, up to {@code upTo}
   * @param trimmed entries before this position are not needed
   * @return false if there is no room for the first of them
   */
  boolean advance(List<Item> items, long upTo, long trimmed) throws IOException {
    prepareOther();
    int working = working();
    int taken;
    long reached = upTo;
    boolean removed;
    try (VersionMap map = VersionMap.open(folder.path(working), limits, otherTotals)) {
      if (rules.contains(MapRule.CATCH_UP)) {
        lag.forEach(map::put);
      }
      lag = List.of();
      removed = trimmed > 0 && map.isHalfFull() && remove(map, trimmed);
      taken = put(map, items, trimmed);
      if (taken < items.size()) {
        removed = (trimmed > 0 && remove(map, trimmed)) || removed;
        taken += put(map, items.subList(taken, items.size()), trimmed);
      }
      if (taken < items.size()) {
        reached = items.get(taken).position() - 1;
      }
      otherTotals = map.totals();
    }
    if (reached == manifest.position() && !removed) {
      return false;
    }
    count(working, items.subList(0, taken), reached, trimmed);
    return true;
  }

  private static boolean remove(VersionMap map, long trimmed) {
    long before = map.totals().entries();
    map.removeBefore(trimmed);
    return map.totals().entries() < before;
  }

  /** Puts as many as there is room for, all of a record or nothing of it; how many. */
  private static int put(VersionMap map, List<Item> items, long trimmed) {
    int next = 0;
    while (next < items.size()) {
      int end = next;
      long bytes = 0;
      long position = items.get(next).position();
      while (end < items.size() && items.get(end).position() == position) {
        bytes += items.get(end).bytes();
        end++;
      }
      if (position >= trimmed) {
        if (!map.fits(end - next, bytes)) {
          return next;
        }
        items.subList(next, end).forEach(map::put);
      }
      next = end;
    }
    return next;
  }

  private void count(int working, List<Item> items, long reached, long trimmed) throws IOException {
    if (rules.contains(MapRule.FORCE_BEFORE_MANIFEST)) {
      folder.force(working);
    }
    Manifest next =
        new Manifest(
            working, folder.head(working), folder.size(working), reached, trimmed, otherTotals);
    folder.writeManifest(next.encoded());
    if (working == manifest.file()) {
      lag = List.of();
    } else {
      otherTotals = manifest.totals();
      lag = manifest.file() == 0 ? null : List.copyOf(items);
    }
    manifest = next;
  }
}
