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
import org.orcagrid.ddp.durable.DurableMedium;

/**
 * A medium that is a log of segments. What extends it says which thread forces.
 *
 * <p>Records are counted: the first one ever appended has the position 1, the next one 2, and after
 * a start the count goes on. {@link #replay} must come before the first {@link #append}. Records
 * are trimmed by whole segments, and the segment that is being written is never trimmed. {@link
 * #append} allocates nothing.
 */
public abstract class SegmentMedium implements DurableMedium {
  private final SegmentLog log;

  /**
   * Opens a log, which owns the files then, also if it cannot be opened.
   *
   * @throws IOException if the folder cannot be read, is of another version or lacks something
   */
  protected SegmentMedium(SegmentFiles files, SegmentLimits limits) throws IOException {
    this(new SegmentLog(files, limits, SegmentRule.all()));
  }

  SegmentMedium(SegmentLog log) {
    this.log = log;
  }

  /** Waits until {@link #step} is needed; false if it will not be any more. */
  protected final boolean awaitAsked() throws InterruptedException {
    return log.awaitAsked();
  }

  /**
   * Makes durable what has gathered; one thread at a time.
   *
   * @return false if there was nothing, or the medium has failed
   */
  protected final boolean step() {
    return log.step();
  }

  /** Prepares what the next segment needs, if nothing else is to be done; by who steps. */
  protected final void makeSpare() {
    log.makeSpare();
  }

  /** Ends the medium for good. */
  protected final void fail(Throwable cause) {
    log.fail(cause);
  }

  /** Asks for a step. */
  protected final void ask() {
    log.ask();
  }

  /** No record comes any more: {@link #awaitAsked} says so when all is forced. */
  protected final void end() {
    log.end();
  }

  @Override
  public int recordBytesMax() {
    return log.recordBytesMax();
  }

  @Override
  public long bytesMax() {
    return log.bytesMax();
  }

  @Override
  public boolean isHalfFull() {
    return log.isHalfFull();
  }

  @Override
  public long append(ByteBuffer record) {
    return log.append(record);
  }

  @Override
  public long durable() {
    return log.durable();
  }

  @Override
  public void onProgress(Runnable listener) {
    log.onProgress(listener);
  }

  @Override
  public Throwable failure() {
    return log.failure();
  }

  @Override
  public void replay(Replay replay) throws IOException {
    log.replay(replay);
  }

  @Override
  public void trim(long position) {
    log.trim(position);
  }

  @Override
  public long bytes() {
    return log.bytes();
  }

  /** Makes everything durable and gives all back; only when no other thread steps any more. */
  @Override
  public void close() throws IOException {
    log.close();
  }
}
