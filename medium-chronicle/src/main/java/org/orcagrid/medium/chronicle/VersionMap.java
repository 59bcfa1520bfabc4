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

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;

/** A Chronicle Map in a file, with a count of what it holds. One thread at a time. */
final class VersionMap implements Closeable {
  /**
   * How much more than our own limits the file may grow to hold: Chronicle's limits are those of
   * hash buckets, and are not to be met before ours.
   */
  private static final double BLOAT_MAX = 10;

  private final Path file;
  private final ChronicleLimits limits;
  private final ChronicleMap<byte[], byte[]> map;
  private Totals totals;

  private VersionMap(
      Path file, ChronicleLimits limits, ChronicleMap<byte[], byte[]> map, Totals totals) {
    this.file = file;
    this.limits = limits;
    this.map = map;
    this.totals = totals;
  }

  /** Opens a file, or makes one. */
  static VersionMap open(Path file, ChronicleLimits limits, Totals totals) throws IOException {
    long entryBytes = Math.max(Item.HEADER_BYTES + 1, limits.mapBytesMax() / limits.entriesMax());
    int keyBytes = (int) Math.min(32, entryBytes / 2);
    try {
      return new VersionMap(
          file,
          limits,
          ChronicleMapBuilder.of(byte[].class, byte[].class)
              .name("orca")
              .entries(limits.entriesMax())
              .averageKeySize(keyBytes)
              .averageValueSize((double) (entryBytes - keyBytes))
              .actualSegments(1)
              .maxBloatFactor(BLOAT_MAX)
              .checksumEntries(false)
              .createPersistedTo(file.toFile()),
          totals);
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          "Cannot open "
              + file
              + " as a Chronicle Map ("
              + e.getMessage()
              + "): make room on the device, or restore the folder from a copy",
          e);
    }
  }

  Totals totals() {
    return totals;
  }

  /** Whether there is room for so many more entries and bytes. */
  boolean fits(long entries, long bytes) {
    return totals.entries() + entries <= limits.entriesMax()
        && totals.bytes() + bytes <= limits.mapBytesMax();
  }

  /** Whether it is more than half full. */
  boolean isHalfFull() {
    return !fits(limits.entriesMax() / 2, limits.mapBytesMax() / 2);
  }

  /** Puts an entry in, unless there is a later one of its key. */
  void put(Item item) {
    byte[] before = map.get(item.key());
    if (before != null) {
      Item earlier = Item.read(item.key(), before);
      if (earlier.order() > item.order()) {
        return;
      }
      totals = totals.minus(earlier);
    }
    map.put(item.key(), item.value());
    totals = totals.plus(item);
  }

  /** Removes all entries before a position. */
  void removeBefore(long position) {
    List<Item> old = new ArrayList<>();
    for (Map.Entry<byte[], byte[]> each : map.entrySet()) {
      Item item = Item.read(each.getKey(), each.getValue());
      if (item.position() < position) {
        old.add(item);
      }
    }
    for (Item each : old) {
      map.remove(each.key());
      totals = totals.minus(each);
    }
  }

  /** What lets an entry be found again in its order, without its record. */
  record Place(long position, int part, Item item) {}

  /**
   * The places of all entries, in no order.
   *
   * @throws IOException if an entry is not as it was written, or if some are missing
   */
  List<Place> places(boolean refuseDamage) throws IOException {
    List<Place> places = new ArrayList<>();
    Totals found = Totals.NONE;
    for (Map.Entry<byte[], byte[]> each : map.entrySet()) {
      Item item = Item.read(each.getKey(), each.getValue());
      if (!item.isWhole()) {
        if (refuseDamage) {
          throw damaged("an entry has another checksum");
        }
        continue;
      }
      found = found.plus(item);
      places.add(new Place(item.position(), item.part(), Item.read(each.getKey(), new byte[0])));
    }
    if (refuseDamage && !found.equals(totals)) {
      throw damaged(found.entries() + " entries and not " + totals.entries());
    }
    return places;
  }

  private IOException damaged(String what) {
    return new IOException(
        file + " is damaged (" + what + "): restore the folder from a copy, or empty it");
  }

  /** The entry at a place. */
  Item at(Place place) throws IOException {
    byte[] value = map.get(place.item().key());
    if (value == null) {
      throw damaged("an entry is not found");
    }
    return Item.read(place.item().key(), value);
  }

  @Override
  public void close() {
    map.close();
  }
}
