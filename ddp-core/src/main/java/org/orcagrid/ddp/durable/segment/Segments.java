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
package org.orcagrid.ddp.durable.segment;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The account of a log's segments: which are needed, which files are free, and for how much there
 * is room. Used by the thread that appends and by the one that forces; all under its monitor.
 */
final class Segments {
  private final SegmentLimits limits;

  /** The segments that are needed, the oldest first; the last one is being written. */
  private final List<Segment> live = new ArrayList<>();

  /** Files that may be used again, in the order of the segments that were in them. */
  private final Deque<Segment> free = new ArrayDeque<>();

  private int filesMade;

  /** What is left in the segment that the next frame comes into. */
  private int roomLeft;

  /** How many segments are needed once all that was placed is written; written under this. */
  private volatile int segmentsPlaced;

  /** Bytes of all records that were placed, trimmed ones too. */
  private long bytesPlaced;

  /** How many of them are before the segment that was begun last. */
  private long bytesBefore;

  /**
   * A segment that is or was in a file.
   *
   * @param sequence 0 for a file that was never used
   * @param bytesBefore what {@link #bytesPlaced} was when it was begun
   */
  record Segment(String name, int sequence, long firstRecord, long bytesBefore) {
    static Segment unused(String name) {
      return new Segment(name, 0, 0, 0);
    }
  }

  Segments(SegmentLimits limits) {
    this.limits = limits;
  }

  /** Takes over what was there at the start. */
  synchronized void found(Recovered recovered) {
    live.addAll(recovered.live());
    free.addAll(recovered.free());
    filesMade = recovered.highestNumber();
    segmentsPlaced = live.size();
    bytesPlaced = recovered.recordBytes();
    Recovered.Tail tail = recovered.tail();
    roomLeft = tail == null ? 0 : tail.fileBytes() - tail.end() - Frame.HEADER_BYTES;
  }

  /** Whether there is room for a frame that is placed next. */
  synchronized boolean hasRoom(long frameBytes) {
    return frameBytes <= roomLeft || segmentsPlaced < limits.segmentsMax();
  }

  /** Whether half of the segments that there may be are needed; asked without a lock. */
  boolean areHalf() {
    return 2L * segmentsPlaced >= limits.segmentsMax();
  }

  /**
   * Gives a batch its room, for which there must be some.
   *
   * @return whether it begins a new segment
   */
  synchronized boolean place(Batch batch) {
    boolean begins = batch.frameBytes() > roomLeft;
    if (begins) {
      segmentsPlaced++;
      roomLeft = limits.roomBytes();
      bytesBefore = bytesPlaced;
    }
    roomLeft -= batch.frameBytes();
    bytesPlaced += batch.recordBytes();
    return begins;
  }

  /** The segment that a batch begins is being written from now on. */
  synchronized void begun(String name, int sequence, long firstRecord) {
    live.add(new Segment(name, sequence, firstRecord, bytesBefore));
  }

  /** Sets those free that have no record from {@code position} on, but not the last one. */
  synchronized void trim(long position) {
    while (live.size() > 1 && live.get(1).firstRecord() <= position) {
      free.addLast(live.remove(0));
      segmentsPlaced--;
    }
  }

  /** Bytes of the records that were placed and are in segments that are needed. */
  synchronized long bytes() {
    return live.isEmpty() ? bytesPlaced : bytesPlaced - live.get(0).bytesBefore();
  }

  /** The sequence number of the oldest segment that is needed; {@code none} if there is no one. */
  synchronized int oldest(int none) {
    return live.isEmpty() ? none : live.get(0).sequence();
  }

  /** Whether some file is free, now or as soon as the log knows durably that it is. */
  synchronized boolean hasFree() {
    return !free.isEmpty();
  }

  /** Takes the file of a segment before {@code oldest}; null if there is none. */
  synchronized String takeFree(int oldest) {
    Segment first = free.peekFirst();
    return first == null || first.sequence() >= oldest ? null : free.pollFirst().name();
  }

  /** A name that no file has. */
  synchronized String newName() {
    filesMade++;
    return SegmentName.of(filesMade);
  }

  /** Whether the next segment would need a new file, and there may be one. */
  synchronized boolean wantsSpare() {
    return free.isEmpty() && live.size() < limits.segmentsMax();
  }

  synchronized void addSpare(String name) {
    free.addFirst(Segment.unused(name));
  }
}
