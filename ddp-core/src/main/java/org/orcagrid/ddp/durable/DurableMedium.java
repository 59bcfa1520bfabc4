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
package org.orcagrid.ddp.durable;

import java.nio.ByteBuffer;

/**
 * Memory that a power cut does not take: where a node puts what its persistency model promises to
 * keep. Records are appended, become durable in the order in which they were appended, and are read
 * back after a start.
 *
 * <p>One thread uses a medium, whatever threads it may have itself; only {@link #durable} and
 * {@link #failure} may be asked by any thread. No method but {@link #replay} and {@link #close}
 * waits for the device.
 *
 * <p>What holds after a crash, be it of the process or of the machine:
 *
 * <ul>
 *   <li>every record up to {@link #durable} as it was last seen is read back, whole and as it was,
 *       but for those that were trimmed;
 *   <li>of those behind, some may be, but never one without all that were appended before it;
 *   <li>a record that was torn is never read back, nor one that was never appended;
 *   <li>a record that was not read back by one start is not read back by a later one.
 * </ul>
 */
public interface DurableMedium extends AutoCloseable {

  /** The position of no record: before the first one. */
  long NOTHING = 0;

  /** The most bytes of a record. */
  int recordBytesMax();

  /**
   * How many bytes it holds at most, records and whatever is beside them: it is full some time
   * before that. The greatest number if there is no such limit.
   */
  default long bytesMax() {
    return Long.MAX_VALUE;
  }

  /** Whether half of that is taken: what is not needed had better be trimmed. */
  default boolean isHalfFull() {
    return false;
  }

  /**
   * Appends a record: the bytes from the position of {@code record} to its limit, which are copied;
   * the buffer stays as it is. The record is not durable yet.
   *
   * @return its position, greater than that of all before it, those of earlier starts too; {@link
   *     #NOTHING} if there is no room at present. What is appended faster than the device takes it
   *     is refused; the medium forces what is in the way without being asked, and {@link
   *     #onProgress} tells when to try again. A medium that is full refuses until it is trimmed
   * @throws IllegalStateException if the medium has failed or is closed, or was not replayed yet
   * @throws IllegalArgumentException if the record is larger than {@link #recordBytesMax}
   */
  long append(ByteBuffer record);

  /**
   * Asks that all that was appended so far becomes durable, and returns at once. Media group what
   * is asked for while they are busy.
   */
  void force();

  /**
   * Everything up to this position is durable. Grows only, and stays when the medium fails or is
   * closed.
   */
  long durable();

  /**
   * Is told, by any thread, that {@link #durable} has grown or that the medium has failed; to wake
   * whoever waits for it. To be set before the first {@link #append}. It must not wait, and must
   * not throw: that ends the medium.
   */
  void onProgress(Runnable listener);

  /** Why the medium has failed, null while it works. Nothing becomes durable after a failure. */
  Throwable failure();

  /**
   * Reads all records back, the oldest first, once and before the first {@link #append}. When it
   * has returned they are durable, and {@link #durable} says so; what is shown before it fails
   * counts for nothing.
   *
   * @throws java.io.IOException if they cannot be read, or if what should be there is damaged;
   *     nothing is changed then, and the medium can only be closed
   * @throws IllegalStateException if it was done before, or if the medium is closed
   */
  void replay(Replay replay) throws java.io.IOException;

  /**
   * No record before this position is needed any more: its room may be used again, and it may or
   * may not be read back. If it is read back, so are all behind it.
   */
  void trim(long position);

  /**
   * Bytes that the records take which are not trimmed. A medium may give room back in larger parts
   * than a record, and counts what it has not given back.
   */
  long bytes();

  /**
   * Makes everything durable and gives everything back. A second call does nothing.
   *
   * @throws java.io.IOException if not all that was appended is durable; everything is given back
   *     all the same
   */
  @Override
  void close() throws java.io.IOException;

  /** Takes a record that is read back. */
  @FunctionalInterface
  interface Replay {
    /** A record: valid until this returns. */
    void onRecord(long position, ByteBuffer record);
  }
}
