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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.orcagrid.ddp.durable.DurableMedium;

/**
 * Finds out what is in a folder after a start, shows the records and makes sure that what was shown
 * stays.
 *
 * <p>How a torn tail is told from damage: a frame is written only after the one before it was
 * forced, and a segment only after the last frame of the one before it. So what is not whole is
 * torn only if nothing whole of the same log is behind it; else it was durable. A last frame that
 * was durable and is damaged cannot be told from a torn one.
 */
final class SegmentRecovery {
  private final SegmentFiles files;
  private final Set<SegmentRule> rules;

  /** Segments without a gap between them, the oldest first, as far as they may be needed. */
  private final List<Found> chain = new ArrayList<>();

  private final List<Segments.Segment> free = new ArrayList<>();
  private int highestNumber;

  private final List<Segments.Segment> segments = new ArrayList<>();
  private long next;
  private int oldest;
  private long recordBytes;

  /** Where the last frame of the segment that was read last begins, 0 if there is none. */
  private int lastFrame;

  /** Where it ends. */
  private int end;

  private record Found(String name, SegmentHeader header) {
    Segments.Segment unneeded() {
      return new Segments.Segment(name, header.sequence(), header.firstRecord(), 0);
    }
  }

  /**
   * Looks what is there.
   *
   * @throws IOException if it cannot be read, is of another version, or lacks the header of a
   *     segment that has records; the message says what to do
   */
  SegmentRecovery(SegmentFiles files, Set<SegmentRule> rules) throws IOException {
    this.files = files;
    this.rules = rules;
    List<Found> found = new ArrayList<>();
    List<String> headless = new ArrayList<>();
    for (String name : files.list()) {
      highestNumber = Math.max(highestNumber, SegmentName.number(name));
      SegmentHeader header = header(name);
      if (header == null) {
        headless.add(name);
      } else {
        found.add(new Found(name, header));
      }
    }
    found.sort(Comparator.comparingInt(each -> each.header().sequence()));
    int newest = found.isEmpty() ? 0 : found.get(found.size() - 1).header().sequence();
    for (String name : headless) {
      checkThatNothingIsMissed(name, newest);
      free.add(Segments.Segment.unused(name));
    }
    chain(found);
  }

  private SegmentHeader header(String name) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SegmentHeader.BYTES);
    try (SegmentFile file = files.open(name)) {
      file.read(bytes, 0);
    }
    if (bytes.hasRemaining()) {
      return null;
    }
    SegmentHeader header = SegmentHeader.decode(bytes);
    if (header != null && header.version() != SegmentHeader.VERSION) {
      throw new IOException(
          files.path(name)
              + " has version "
              + header.version()
              + " of the log's format, and this program reads version "
              + SegmentHeader.VERSION
              + ": start the program that has written it, or use another folder");
    }
    return header;
  }

  /** A file without a header is free, unless the header was there when frames were written. */
  private void checkThatNothingIsMissed(String name, int newest) throws IOException {
    if (!rules.contains(SegmentRule.REFUSE_DAMAGE)) {
      return;
    }
    try (SegmentReader reader = new SegmentReader(files.open(name), rules)) {
      int at = reader.find(SegmentHeader.BYTES, newest + 1, Integer.MAX_VALUE);
      if (at >= 0) {
        throw damaged(files.path(name) + " has a damaged header, and records behind it");
      }
    }
  }

  private void chain(List<Found> found) throws IOException {
    if (found.isEmpty()) {
      return;
    }
    int at = found.size() - 1;
    int needed = found.get(at).header().oldest();
    int sequence = found.get(at).header().sequence();
    while (at >= 0 && found.get(at).header().sequence() == sequence && sequence >= needed) {
      chain.add(0, found.get(at));
      at--;
      sequence--;
    }
    for (Found each : found.subList(0, at + 1)) {
      if (each.header().sequence() == sequence + 1) {
        throw damaged(
            files.path(each.name()) + " and " + files.path(chain.get(0).name()) + " are the same");
      }
      free.add(each.unneeded());
    }
  }

  private static IOException damaged(String what) {
    return new IOException(
        what
            + ". Records that were durable are lost: restore the folder from a copy, or empty it to"
            + " start without all of its records");
  }

  /**
   * Shows all records that are needed, ends the log behind them and returns when that is durable.
   * Reads each file once, and the last one once more before them: its frames say which of the
   * others are needed.
   *
   * @throws IOException if something is damaged or cannot be read; nothing is changed then
   */
  Recovered replay(DurableMedium.Replay replay) throws IOException {
    if (chain.isEmpty()) {
      return new Recovered(List.of(), free, highestNumber, 1, 1, 0, null);
    }
    Found last = chain.get(chain.size() - 1);
    checkEnd(last);
    dropWhatIsNotNeeded();
    next = chain.get(0).header().firstRecord();
    for (Found each : chain) {
      try (SegmentReader reader = new SegmentReader(files.open(each.name()), rules)) {
        show(each, reader, replay);
      }
    }
    SegmentFile file = files.allocate(last.name(), last.header().bytes());
    try {
      end(file);
    } catch (IOException | RuntimeException | Error e) {
      Closing.after(e, file);
      throw e;
    }
    SegmentHeader header = last.header();
    Recovered.Tail tail = new Recovered.Tail(file, header.sequence(), header.bytes(), end);
    return new Recovered(segments, free, highestNumber, next, oldest, recordBytes, tail);
  }

  /** Finds the end of the last segment, and which segments are needed. */
  private void checkEnd(Found last) throws IOException {
    oldest = last.header().oldest();
    try (SegmentReader reader = new SegmentReader(files.open(last.name()), rules)) {
      next = last.header().firstRecord();
      walk(last, reader, null);
      boolean refuses = rules.contains(SegmentRule.REFUSE_DAMAGE);
      // The length is durable before the first frame is written.
      if (end > SegmentHeader.BYTES && reader.fileBytes() < last.header().bytes() && refuses) {
        throw damagedAt(last, reader.fileBytes(), "it had " + last.header().bytes() + " bytes");
      }
      int sequence = last.header().sequence();
      int behind = refuses ? reader.find(end, sequence, sequence) : -1;
      if (behind >= 0) {
        throw damagedAt(
            last, end, "records from " + next + " on are not whole, but some at byte " + behind);
      }
    }
  }

  /** Shows the frames from the beginning of a segment on, and counts them. */
  private void walk(Found found, SegmentReader reader, DurableMedium.Replay replay)
      throws IOException {
    lastFrame = 0;
    end = SegmentHeader.BYTES;
    while (reader.isFrame(end, found.header().sequence())
        && (reader.first(end) == next || !rules.contains(SegmentRule.REFUSE_DAMAGE))) {
      if (replay != null) {
        reader.replay(end, replay);
        recordBytes += reader.recordBytes(end);
      }
      next = reader.first(end) + reader.count(end);
      oldest = Math.max(oldest, reader.oldest(end));
      lastFrame = end;
      end = reader.end(end);
    }
  }

  private void dropWhatIsNotNeeded() throws IOException {
    int first = chain.get(0).header().sequence();
    if (first > oldest && rules.contains(SegmentRule.REFUSE_DAMAGE)) {
      throw damaged(
          "The segment with the sequence number "
              + (first - 1)
              + " is missing in "
              + files.path("")
              + ", or its header is damaged; those from "
              + oldest
              + " on are needed");
    }
    while (chain.get(0).header().sequence() < oldest) {
      free.add(chain.remove(0).unneeded());
    }
  }

  private void show(Found found, SegmentReader reader, DurableMedium.Replay replay)
      throws IOException {
    SegmentHeader header = found.header();
    if (header.firstRecord() != next && rules.contains(SegmentRule.REFUSE_DAMAGE)) {
      throw damagedAt(
          chain.get(segments.size() - 1),
          end,
          "records " + next + " to " + (header.firstRecord() - 1) + " are not whole");
    }
    next = header.firstRecord();
    segments.add(
        new Segments.Segment(found.name(), header.sequence(), header.firstRecord(), recordBytes));
    walk(found, reader, replay);
  }

  private IOException damagedAt(Found found, int at, String what) {
    return damaged(files.path(found.name()) + " is damaged at byte " + at + ": " + what);
  }

  /**
   * Makes durable what was shown, and that nothing comes behind it. Nobody knows whether the last
   * frame was forced, or the header and the length of the file if there is none.
   */
  private void end(SegmentFile file) throws IOException {
    int from = rules.contains(SegmentRule.REWRITE_LAST) ? lastFrame : end;
    int nothing = Math.max(0, Math.min(Frame.HEADER_BYTES, file.size() - end));
    ByteBuffer again = ByteBuffer.allocate(end - from + nothing).limit(end - from);
    file.read(again, from);
    if (rules.contains(SegmentRule.VOID_TORN_TAIL)) {
      again.limit(again.capacity());
    }
    file.write(again.position(0), from);
    if (rules.contains(SegmentRule.FORCE_REPLAYED)) {
      file.force(from, again.limit());
    }
    files.syncFolder();
  }
}
