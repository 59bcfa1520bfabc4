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
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A zone of a node's persistent memory, at its owner. One peer writes records into it, one after
 * the other and each in its frame, and makes them durable; the owner takes them away when its logs
 * have them. For one thread.
 *
 * <p>A zone has lives, which are counted for ever. In each of them it is opened once, to one life
 * of a peer, and closed once; then nothing arrives any more. The peer must not be able to write
 * before {@link #open} has returned, or after {@link #close} was called.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>a frame that was flushed is found after a crash, until it was taken;
 *   <li>one that was taken, or that nobody had told of when the zone was closed, is not;
 *   <li>frames are found without a gap: whoever flushes one has flushed those before it.
 * </ol>
 */
public final class PeerZone {
  private final ZoneMemory memory;
  private final ByteBuffer zone;
  private final Set<ZoneRule> rules;

  private boolean open;
  private int slot;
  private long slotNumber;
  private long life;

  /** Where the first frame is that was not taken, and which it is. */
  private int tailAt;

  private long tailCount;

  /** Frames that have arrived and were not taken, in their order. */
  private final Deque<Frame> arrived = new ArrayDeque<>();

  /** Where the next frame will arrive, and which it will be. */
  private int nextAt;

  private long nextCount;

  /** What was promised to be kept, by position, until it was taken. */
  private final Set<Long> kept = new HashSet<>();

  /** Up to where the log of each map has what came. */
  private final Map<Integer, Long> logged = new HashMap<>();

  private static final class Frame {
    private final long position;
    private final int map;
    private final int at;
    private final int bytes;
    private boolean isVoid;

    private Frame(long position, int map, int at, int bytes) {
      this.position = position;
      this.map = map;
      this.at = at;
      this.bytes = bytes;
    }
  }

  /** Is told what was in a zone. */
  @FunctionalInterface
  public interface Found {
    /** A record of a map, valid until this returns. */
    void onRecord(int map, ByteBuffer record);
  }

  /** What is in this memory; it is not open. */
  public PeerZone(ZoneMemory memory, Set<ZoneRule> rules) {
    this.memory = memory;
    this.rules = Set.copyOf(rules);
    this.zone = memory.bytes().duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (zone.limit() < ZoneMemory.BYTES_MIN || zone.limit() % ZoneLayout.LINE_BYTES != 0) {
      throw new IllegalArgumentException(
          "A zone has at least "
              + ZoneMemory.BYTES_MIN
              + " bytes and a multiple of "
              + ZoneLayout.LINE_BYTES
              + ", not "
              + zone.limit());
    }
    for (int each = 0; each < ZoneLayout.SLOTS; each++) {
      readSlot(each);
    }
    nextAt = tailAt;
    nextCount = tailCount;
    if (life > 0) {
      scan();
    }
  }

  private void readSlot(int each) {
    int at = each * ZoneLayout.LINE_BYTES;
    long number = zone.getLong(at + ZoneLayout.SLOT_NUMBER);
    if (zone.getLong(at + ZoneLayout.SLOT_MAGIC) != ZoneLayout.MAGIC
        || zone.getLong(at + ZoneLayout.SLOT_CHECKSUM) != ZoneLayout.slotChecksum(zone, at)
        || number <= slotNumber) {
      return;
    }
    slot = each;
    slotNumber = number;
    life = zone.getLong(at + ZoneLayout.SLOT_LIFE);
    tailCount = zone.getLong(at + ZoneLayout.SLOT_TAIL_COUNT);
    tailAt = (int) zone.getLong(at + ZoneLayout.SLOT_TAIL_AT);
  }

  private void writeSlot() {
    slot = (slot + 1) % ZoneLayout.SLOTS;
    slotNumber++;
    int at = slot * ZoneLayout.LINE_BYTES;
    zone.putLong(at + ZoneLayout.SLOT_NUMBER, slotNumber);
    zone.putLong(at + ZoneLayout.SLOT_LIFE, life);
    zone.putLong(at + ZoneLayout.SLOT_TAIL_COUNT, tailCount);
    zone.putLong(at + ZoneLayout.SLOT_TAIL_AT, tailAt);
    zone.putLong(at + ZoneLayout.SLOT_MAGIC, ZoneLayout.MAGIC);
    zone.putLong(at + ZoneLayout.SLOT_CHECKSUM, ZoneLayout.slotChecksum(zone, at));
    memory.persist(at, ZoneLayout.LINE_BYTES);
  }

  // --- beginnings and ends -----------------------------------------------------------------------

  /** Tells what is here, the oldest first; as long as the zone is not open. */
  public void find(Found found) {
    requireClosed();
    if (!rules.contains(ZoneRule.FOUND_AFTER_CRASH)) {
      return;
    }
    for (Frame frame : arrived) {
      if (!frame.isVoid) {
        int length = zone.getInt(frame.at + ZoneLayout.LENGTH);
        found.onRecord(
            frame.map,
            zone.slice(frame.at + ZoneLayout.RECORD, length).order(ByteOrder.LITTLE_ENDIAN));
      }
    }
  }

  /** All that is here is in logs, or of maps that are gone: it is not found any more. */
  public void clear() {
    requireClosed();
    arrived.clear();
    kept.clear();
    logged.clear();
    begin();
  }

  private void begin() {
    life++;
    tailAt = ZoneLayout.RING_AT;
    tailCount = 1;
    nextAt = tailAt;
    nextCount = tailCount;
    writeSlot();
  }

  private void requireClosed() {
    if (open) {
      throw new IllegalStateException("The zone is open");
    }
  }

  /** Whether it can be opened: it is not open, and nothing in it is needed any more. */
  public boolean isEmpty() {
    return !open && arrived.stream().allMatch(frame -> frame.isVoid);
  }

  /**
   * Lets a peer write.
   *
   * @return the number of this life of the zone
   */
  public long open() {
    if (!isEmpty()) {
      throw new IllegalStateException("There are frames in the zone, or it is open");
    }
    arrived.clear();
    kept.clear();
    logged.clear();
    begin();
    open = true;
    return life;
  }

  /**
   * Nothing arrives any more. What was promised to be kept stays until it was taken; what else has
   * arrived is gone when this returns.
   */
  public void close() {
    if (!open) {
      return;
    }
    open = false;
    scan();
    if (rules.contains(ZoneRule.STRAYS_GO)) {
      arrived.stream()
          .filter(frame -> !frame.isVoid && !kept.contains(frame.position))
          .forEach(this::makeVoid);
      moveTail();
    } else {
      arrived.clear();
    }
  }

  /** Whether a peer may write. */
  public boolean isOpen() {
    return open;
  }

  // --- frames ------------------------------------------------------------------------------------

  /**
   * Whether what the peer writes at this position will be found after a crash until it is taken.
   */
  public boolean keeps(long position) {
    boolean keeps = open && ZoneLayout.life(position) == life;
    if (keeps) {
      kept.add(position);
    }
    return keeps;
  }

  /**
   * The log of a map has all its records up to a position.
   *
   * @return whether none of them is here any more, and none of them comes
   */
  public boolean taken(int map, long position) {
    if (ZoneLayout.life(position) != life) {
      // It was emptied since.
      return true;
    }
    logged.merge(map, position, Math::max);
    scan();
    for (Frame frame : arrived) {
      if (!frame.isVoid && frame.position <= logged.getOrDefault(frame.map, 0L)) {
        makeVoid(frame);
      }
    }
    moveTail();
    return !open || ZoneLayout.position(life, nextCount) > position;
  }

  /** A map is gone: nothing of it is needed, now or later in this life of the zone. */
  public void forget(int map) {
    taken(map, ZoneLayout.position(life, ZoneLayout.COUNT_MAX));
  }

  /** Looks what has arrived. */
  private void scan() {
    while (ZoneLayout.isFrame(zone, nextAt, ZoneLayout.position(life, nextCount))) {
      int map = zone.getInt(nextAt + ZoneLayout.MAP);
      int bytes = ZoneLayout.frameBytes(zone.getInt(nextAt + ZoneLayout.LENGTH));
      Frame frame = new Frame(ZoneLayout.position(life, nextCount), map, nextAt, bytes);
      frame.isVoid =
          map == ZoneLayout.NO_MAP || zone.getLong(nextAt + ZoneLayout.STATE) != ZoneLayout.LIVE;
      arrived.add(frame);
      nextAt += bytes;
      nextCount++;
      if (nextAt >= zone.limit()) {
        nextAt = ZoneLayout.RING_AT;
      }
    }
  }

  private void makeVoid(Frame frame) {
    frame.isVoid = true;
    kept.remove(frame.position);
    zone.putLong(frame.at + ZoneLayout.STATE, ZoneLayout.VOID);
    memory.persist(frame.at + ZoneLayout.STATE, Long.BYTES);
  }

  private void moveTail() {
    boolean moved = false;
    while (!arrived.isEmpty() && arrived.peek().isVoid) {
      Frame first = arrived.poll();
      tailAt = first.at + first.bytes >= zone.limit() ? ZoneLayout.RING_AT : first.at + first.bytes;
      tailCount++;
      moved = true;
    }
    if (moved) {
      writeSlot();
    }
  }

  @Override
  public String toString() {
    return "life " + life + (open ? ", open, " : ", closed, ") + arrived.size() + " frames";
  }
}
