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

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Writes batches, one frame after the other, and begins segments. One thread at a time.
 *
 * <p>After a failure it must not be used any more: nobody knows what is on the device.
 */
final class SegmentWriter implements Closeable {
  private final SegmentFiles files;
  private final SegmentLimits limits;
  private final Set<SegmentRule> rules;
  private final Segments segments;

  /** A frame without records. */
  private final Batch mark = Batch.withoutRecords();

  /** Outside the heap, as all that is written: else the JDK needs memory there to write it. */
  private final ByteBuffer header = ByteBuffer.allocateDirect(SegmentHeader.BYTES);

  /** The segment that is being written; null before the first one. */
  private SegmentFile file;

  private int sequence;
  private int end;

  /** Segments before this one are known durably not to be needed. */
  private int oldestMarked;

  SegmentWriter(
      SegmentFiles files,
      SegmentLimits limits,
      Set<SegmentRule> rules,
      Segments segments,
      Recovered recovered) {
    this.files = files;
    this.limits = limits;
    this.rules = rules;
    this.segments = segments;
    this.oldestMarked = recovered.oldest();
    if (recovered.tail() != null) {
      this.file = recovered.tail().file();
      this.sequence = recovered.tail().sequence();
      this.end = recovered.tail().end();
    }
  }

  /** Writes a batch and returns when it is durable. */
  void write(Batch batch, boolean beginsSegment) throws IOException {
    if (beginsSegment) {
      begin(batch.first());
    }
    writeFrame(batch);
  }

  private void writeFrame(Batch batch) throws IOException {
    int oldest = segments.oldest(sequence);
    ByteBuffer frame = batch.sealed(new Frame.Place(sequence, end, oldest));
    int bytes = frame.limit();
    file.write(frame, end);
    if (rules.contains(SegmentRule.FORCE_BEFORE_DURABLE)) {
      force(file, end, bytes);
    }
    end += Frame.aligned(bytes);
    oldestMarked = oldest;
  }

  private void force(SegmentFile forced, int from, int bytes) throws IOException {
    try {
      forced.force(from, bytes);
    } catch (IOException e) {
      if (rules.contains(SegmentRule.FAIL_FOR_GOOD)) {
        throw e;
      }
      forced.force(from, bytes);
    }
  }

  private void begin(long firstRecord) throws IOException {
    String name = fileForNext(firstRecord);
    int next = sequence + 1;
    SegmentFile begun = files.allocate(name, limits.segmentBytes());
    try {
      SegmentHeader of =
          new SegmentHeader(
              SegmentHeader.VERSION,
              next,
              segments.oldest(next),
              limits.segmentBytes(),
              firstRecord);
      begun.write(of.encoded(header), 0);
      if (rules.contains(SegmentRule.HEADER_FIRST)) {
        force(begun, 0, limits.segmentBytes());
      }
      if (rules.contains(SegmentRule.SYNC_FOLDER)) {
        files.syncFolder();
      }
      close();
    } catch (IOException | RuntimeException | Error e) {
      Closing.after(e, begun);
      throw e;
    }
    file = begun;
    sequence = next;
    end = SegmentHeader.BYTES;
    segments.begun(name, sequence, firstRecord);
  }

  private String fileForNext(long firstRecord) throws IOException {
    String name = segments.takeFree(oldestMarked);
    if (name == null && segments.hasFree()) {
      mark(firstRecord);
      name = segments.takeFree(oldestMarked);
    }
    return name == null ? segments.newName() : name;
  }

  /**
   * Writes down durably which segments are not needed any more. The limits keep room for one such
   * frame at the end of each segment, and no more are needed: after it a new segment begins.
   */
  private void mark(long next) throws IOException {
    if (rules.contains(SegmentRule.MARK_BEFORE_REUSE)) {
      mark.clear(next);
      writeFrame(mark);
    } else {
      oldestMarked = segments.oldest(sequence);
    }
  }

  /** Makes a file for the next segment ahead of time, if there is none. */
  void makeSpare() throws IOException {
    if (segments.wantsSpare()) {
      String name = segments.newName();
      try (SegmentFile spare = files.allocate(name, limits.segmentBytes())) {
        spare.force(0, limits.segmentBytes());
      }
      segments.addSpare(name);
    }
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
