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

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Memory outside the heap in which frames gather, shared by all logs of a kind: a log has some only
 * while it has records that are not forced. Safe for use by many threads.
 *
 * <p>Invariants: all that exists is at most {@code bytesMax} or one largest buffer; nobody who
 * holds a buffer waits for another one, so that each of them comes back.
 */
public final class FrameBuffers {
  private static final System.Logger LOG = System.getLogger(FrameBuffers.class.getName());

  private static final int SMALLEST_BYTES = 16 << 10;

  /** From one size to the next. */
  private static final int STEP_SHIFT = 2;

  private static final long BYTES_MAX = 64 << 20;

  private final int largestBytes;
  private final long bytesMax;

  /** Those that nobody has, by size, the smallest first. */
  private final List<Deque<ByteBuffer>> free = new ArrayList<>();

  /** Of all that exist. */
  private long bytes;

  private boolean hasWarned;

  /**
   * For logs with these limits: 64 MB in all, or what one log may have unforced if that is more.
   */
  public FrameBuffers(SegmentLimits limits) {
    this(limits.frameBytesMax(), Math.max(BYTES_MAX, 2L * limits.frameBytesMax()));
  }

  FrameBuffers(int largestBytes, long bytesMax) {
    this.largestBytes = largestBytes;
    this.bytesMax = bytesMax;
    for (int size = 0; size == 0 || capacity(size - 1) < largestBytes; size++) {
      free.add(new ArrayDeque<>());
    }
  }

  private int capacity(int size) {
    return (int) Math.min(largestBytes, (long) SMALLEST_BYTES << (size * STEP_SHIFT));
  }

  private int size(int atLeast) {
    int size = 0;
    while (capacity(size) < atLeast) {
      size++;
    }
    return size;
  }

  /**
   * A buffer that has room for so many bytes, at most those of the largest frame; null if all that
   * there may be are in use. Then the caller gives back what it has, and tries again later.
   */
  synchronized ByteBuffer take(int atLeast) {
    int size = size(atLeast);
    ByteBuffer found = free.get(size).poll();
    return found == null ? make(capacity(size)) : found;
  }

  private ByteBuffer make(int capacity) {
    for (int size = free.size() - 1; size >= 0 && bytes + capacity > bytesMax; size--) {
      bytes -= (long) free.get(size).size() * capacity(size);
      free.get(size).clear();
    }
    if (bytes > 0 && bytes + capacity > bytesMax) {
      return null;
    }
    try {
      ByteBuffer made = ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
      bytes += capacity;
      return made;
    } catch (OutOfMemoryError e) {
      warn(capacity, e);
      return null;
    }
  }

  /** Whoever cannot wait for it ends its node, and says so then. */
  private void warn(int capacity, OutOfMemoryError reason) {
    if (!hasWarned) {
      hasWarned = true;
      LOG.log(
          Level.WARNING,
          "No memory outside the heap for a log''s buffer, and writes wait for those in use."
              + " bytes={0} inUse={1}. Raise -XX:MaxDirectMemorySize or -Xmx: {2}",
          capacity,
          bytes,
          reason);
    }
  }

  /** Nobody uses a buffer any more that was taken here. */
  synchronized void give(ByteBuffer taken) {
    free.get(size(taken.capacity())).push(taken.clear());
  }

  /** Bytes of all that exist, in use or not. */
  synchronized long bytes() {
    return bytes;
  }
}
