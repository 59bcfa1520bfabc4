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
import org.orcagrid.ddp.durable.DurableMedium;

/**
 * A log of records in segments, without a thread: one thread appends and asks, another one or the
 * same calls {@link #step}, which writes and forces what has gathered. What is appended meanwhile
 * gathers for the next step.
 *
 * <p>The position of a record is its number, counted from 1 for the first record ever appended to
 * the folder.
 *
 * <p>Invariants: at most one frame is not forced; positions are without a gap; {@link #durable}
 * never passes what was forced; after a failure nothing is written.
 */
final class SegmentLog implements Closeable {
  private final SegmentFiles files;
  private final SegmentLimits limits;
  private final Set<SegmentRule> rules;
  private final Segments segments;

  // Guarded by this.
  private SegmentRecovery recovery;
  private Batch gathering;
  private Batch spare;
  private boolean asked;
  private boolean ending;
  private boolean closed;

  /** The forcing thread's, from the end of the replay on. */
  private SegmentWriter writer;

  private volatile long durable = DurableMedium.NOTHING;
  private volatile Throwable failure;
  private volatile Runnable listener = () -> {};

  /**
   * Opens what is in a folder; nothing of it is changed. The files are closed with the log, also if
   * it cannot be opened.
   *
   * @throws IOException as {@link SegmentRecovery} says, or if there is no memory for what is to
   *     wait for the device
   */
  SegmentLog(SegmentFiles files, SegmentLimits limits, Set<SegmentRule> rules) throws IOException {
    this.files = files;
    this.limits = limits;
    this.rules = rules;
    this.segments = new Segments(limits);
    try {
      this.recovery = new SegmentRecovery(files, rules);
      this.gathering = batch();
      this.spare = batch();
    } catch (IOException | RuntimeException | Error e) {
      Closing.after(e, files);
      throw e;
    }
  }

  private Batch batch() throws IOException {
    try {
      return new Batch(limits.frameBytesMax());
    } catch (OutOfMemoryError e) {
      throw new IOException(
          "There is no memory outside the heap for what waits to be written, "
              + limits.unforcedBytesMax()
              + " bytes: set -XX:MaxDirectMemorySize higher",
          e);
    }
  }

  // --- for the thread that uses the log ----------------------------------------------------------

  int recordBytesMax() {
    return limits.recordBytesMax();
  }

  long bytesMax() {
    return limits.bytesMax();
  }

  boolean isHalfFull() {
    return segments.areHalf();
  }

  void onProgress(Runnable told) {
    listener = told;
  }

  /** As {@link DurableMedium#replay}; a log takes records only after it. */
  synchronized void replay(DurableMedium.Replay replay) throws IOException {
    checkOpen();
    if (recovery == null) {
      throw new IllegalStateException("A log is replayed once");
    }
    SegmentRecovery once = recovery;
    recovery = null;
    Recovered recovered = once.replay(replay);
    segments.found(recovered);
    SegmentWriter begun = new SegmentWriter(files, limits, rules, segments, recovered);
    try {
      // What has never had a record costs no room on the device either.
      if (recovered.tail() != null) {
        begun.makeSpare();
      }
    } catch (IOException | RuntimeException | Error e) {
      Closing.after(e, begun);
      throw e;
    }
    writer = begun;
    gathering.clear(recovered.next());
    durable = recovered.next() - 1;
  }

  synchronized long append(ByteBuffer record) {
    checkOpen();
    if (writer == null) {
      throw new IllegalStateException("Records are appended only after those there are were read");
    }
    int bytes = record.remaining();
    if (bytes > limits.recordBytesMax()) {
      throw new IllegalArgumentException(
          "A record has at most " + limits.recordBytesMax() + " bytes, not " + bytes);
    }
    if (!gathering.fits(bytes) || !segments.hasRoom(gathering.frameBytesWith(bytes))) {
      ask();
      return DurableMedium.NOTHING;
    }
    long position = gathering.next();
    gathering.add(record);
    if (gathering.recordBytes() > limits.unforcedBytesMax() / 4) {
      // Whoever never asks would fill it, and find no room while the device had nothing to do.
      ask();
    }
    return position;
  }

  private void checkOpen() {
    Throwable cause = failure;
    if (cause != null) {
      throw new IllegalStateException("The log has failed: " + cause.getMessage(), cause);
    }
    if (ending) {
      throw new IllegalStateException("The log is closed");
    }
  }

  /** Asks for a step. */
  synchronized void ask() {
    if (!asked && !gathering.isEmpty()) {
      asked = true;
      notifyAll();
    }
  }

  synchronized void trim(long position) {
    segments.trim(position);
  }

  synchronized long bytes() {
    return segments.bytes() + gathering.recordBytes();
  }

  // --- for any thread ----------------------------------------------------------------------------

  long durable() {
    return durable;
  }

  Throwable failure() {
    return failure;
  }

  // --- for the thread that forces ----------------------------------------------------------------

  /** Waits until a step is asked for; false if none will be any more. */
  synchronized boolean awaitAsked() throws InterruptedException {
    while (!asked && !ending) {
      wait();
    }
    return asked;
  }

  /**
   * Makes all durable that has gathered.
   *
   * @return false if there was nothing, or if the log has failed
   */
  boolean step() {
    Batch batch;
    boolean beginsSegment;
    synchronized (this) {
      asked = false;
      if (gathering.isEmpty() || failure != null) {
        return false;
      }
      batch = gathering;
      beginsSegment = segments.place(batch);
      gathering = spare;
      spare = null;
      gathering.clear(batch.next());
    }
    try {
      writer.write(batch, beginsSegment);
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
      return false;
    }
    durable = batch.next() - 1;
    synchronized (this) {
      spare = batch;
    }
    listener.run();
    return true;
  }

  /** Makes the file of the next segment ahead of time, if nothing else is to be done. */
  void makeSpare() {
    synchronized (this) {
      if (asked || ending || failure != null || writer == null) {
        return;
      }
    }
    try {
      writer.makeSpare();
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    }
  }

  /** The log has failed for good; whoever waits for it is told. */
  void fail(Throwable cause) {
    synchronized (this) {
      if (failure == null) {
        failure = cause;
      }
    }
    listener.run();
  }

  // --- the end -----------------------------------------------------------------------------------

  /** No record comes any more. What has gathered is asked for. */
  synchronized void end() {
    ask();
    ending = true;
    notifyAll();
  }

  /**
   * Makes durable what has gathered, and gives all back. Only while nobody forces. A second call
   * does nothing.
   *
   * @throws IOException if not everything is durable, or the log had failed
   */
  @Override
  public void close() throws IOException {
    end();
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    step();
    IOException problem = null;
    Throwable cause = failure;
    if (cause != null) {
      // What failed may have been the making of the next file only.
      String lost =
          durable < gathering.next() - 1
              ? "Not everything that was appended is durable: "
              : "All that was appended is durable, but the log had failed: ";
      problem = new IOException(lost + cause.getMessage(), cause);
    }
    problem = close(writer, problem);
    problem = close(files, problem);
    if (problem != null) {
      throw problem;
    }
  }

  private static IOException close(Closeable each, IOException earlier) {
    if (each == null) {
      return earlier;
    }
    try {
      each.close();
    } catch (IOException e) {
      if (earlier == null) {
        return e;
      }
      earlier.addSuppressed(e);
    }
    return earlier;
  }
}
