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
package org.orcagrid.ddp.zone;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * The peer's end of a {@link PeerZone}: where the next record goes, and when its place is free
 * again. Frames are put together in a copy of the zone, and are written from there. For one thread.
 */
public final class ZoneWriter {
  private final ByteBuffer copy;

  private long life;
  private long count;
  private int headAt;
  private int free;

  /** What was written and is not free yet, in its order. */
  private final Deque<Written> written = new ArrayDeque<>();

  /** Up to where the owner's log of each map has what was written. */
  private final Map<Integer, Long> taken = new HashMap<>();

  private record Written(long position, int map, int bytes) {}

  /** Writes part of the copy to the same place of the zone, after all that was written before. */
  @FunctionalInterface
  public interface Sink {
    /** Bytes from {@code at} on. */
    void write(int at, int bytes);
  }

  /**
   * A writer that has no zone yet.
   *
   * @param copy as large as the zone
   */
  public ZoneWriter(ByteBuffer copy) {
    this.copy = copy.duplicate().order(ByteOrder.LITTLE_ENDIAN).clear();
  }

  /** The zone is open, in this life of it. */
  public void open(long zoneLife) {
    life = zoneLife;
    count = 0;
    headAt = ZoneLayout.RING_AT;
    free = ZoneLayout.ringBytes(copy);
    written.clear();
    taken.clear();
  }

  /** There is no zone. */
  public void close() {
    life = 0;
  }

  /** Whether there is a zone. */
  public boolean isOpen() {
    return life != 0;
  }

  /** The life of the zone that a position is of. */
  public static long lifeOf(long position) {
    return ZoneLayout.life(position);
  }

  /**
   * Writes a record, if there is room.
   *
   * @param record from its position to its limit
   * @return its position; 0 if there is no room, or no zone
   */
  public long put(int map, ByteBuffer record, Sink sink) {
    int bytes = ZoneLayout.frameBytes(record.remaining());
    int rest = copy.limit() - headAt;
    int skipped = bytes > rest ? rest : 0;
    if (life == 0 || bytes + skipped > free || count + 2 >= ZoneLayout.COUNT_MAX) {
      return 0;
    }
    if (skipped > 0) {
      ZoneLayout.putSkip(copy, headAt, next(ZoneLayout.NO_MAP, skipped), skipped);
      sink.write(headAt, ZoneLayout.RECORD);
      headAt = ZoneLayout.RING_AT;
    }
    long position = next(map, bytes);
    ZoneLayout.putFrame(copy, headAt, position, map, record);
    sink.write(headAt, bytes);
    headAt += bytes;
    if (headAt == copy.limit()) {
      headAt = ZoneLayout.RING_AT;
    }
    return position;
  }

  private long next(int map, int bytes) {
    count++;
    long position = ZoneLayout.position(life, count);
    written.add(new Written(position, map, bytes));
    free -= bytes;
    return position;
  }

  /** Whether records of a map were written whose places are not free yet. */
  public boolean has(int map) {
    return written.stream().anyMatch(each -> each.map() == map);
  }

  /** The owner's log of a map has all up to a position. */
  public void freed(int map, long position) {
    if (ZoneLayout.life(position) != life) {
      return;
    }
    taken.merge(map, position, Math::max);
    for (int ready = ready(); ready > 0; ready--) {
      free += written.poll().bytes();
    }
  }

  /**
   * How many of the first can go. What was skipped goes with the frame behind it: the owner may not
   * have passed it before.
   */
  private int ready() {
    int seen = 0;
    int ready = 0;
    for (Written each : written) {
      seen++;
      if (each.map() == ZoneLayout.NO_MAP) {
        continue;
      }
      if (taken.getOrDefault(each.map(), 0L) < each.position()) {
        break;
      }
      ready = seen;
    }
    return ready;
  }
}
