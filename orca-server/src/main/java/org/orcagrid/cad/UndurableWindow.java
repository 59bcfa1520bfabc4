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
package org.orcagrid.cad;

import java.util.ArrayDeque;

/**
 * Bounds what one server has logged and acknowledged and is not durable: by bytes and by age.
 *
 * <p>While the window is open a write is acknowledged as soon as it is committed. When it is closed
 * a write waits for the disks of a majority, which is synchronous durability: so a disk that hangs,
 * or that is slower than the writes, does not let the tail grow that a power cut of all servers can
 * take. A write's age counts from when it was logged until the durable-index reaches it.
 *
 * <p>What is logged within a small part of the bounds is kept as one part of the tail, with the age
 * of its first entry: the window needs little memory however long the disks hang.
 *
 * <p>Not thread-safe; the owner guards it. Times are nanoseconds of any monotonic clock.
 */
public final class UndurableWindow {

  /** How many parts make up a window that is as old, or as large, as its bounds. */
  static final int PARTS = 64;

  private final long bytesMax;
  private final long ageMaxNanos;
  private final ArrayDeque<Part> oldestFirst = new ArrayDeque<>();
  private long durable;
  private long bytes;

  private static final class Part {
    private final long sinceNanos;
    private long last;
    private long bytes;

    private Part(long sinceNanos) {
      this.sinceNanos = sinceNanos;
    }
  }

  /**
   * An empty window.
   *
   * @param bytesMax most bytes before writes wait
   * @param ageMaxNanos how old the oldest entry may become before writes wait
   * @param durable the durable-index
   */
  public UndurableWindow(long bytesMax, long ageMaxNanos, long durable) {
    this.bytesMax = bytesMax;
    this.ageMaxNanos = ageMaxNanos;
    this.durable = durable;
  }

  /** The entries up to {@code index}, so many bytes more than before, are in the log. */
  public void onLogged(long index, long moreBytes, long nowNanos) {
    if (index <= durable) {
      return;
    }
    Part part = oldestFirst.peekLast();
    if (part == null
        || nowNanos - part.sinceNanos >= ageMaxNanos / PARTS
        || part.bytes + moreBytes > bytesMax / PARTS) {
      part = new Part(nowNanos);
      oldestFirst.addLast(part);
    }
    part.last = index;
    part.bytes += moreBytes;
    bytes += moreBytes;
  }

  /** Everything up to {@code index} is durable. */
  public void onDurable(long index) {
    durable = Math.max(durable, index);
    Part first = oldestFirst.peekFirst();
    while (first != null && first.last <= durable) {
      bytes -= first.bytes;
      oldestFirst.pollFirst();
      first = oldestFirst.peekFirst();
    }
  }

  /** Whether a write may be acknowledged before it is durable. */
  public boolean isOpen(long nowNanos) {
    return bytes <= bytesMax && oldestAgeNanos(nowNanos) <= ageMaxNanos;
  }

  /** The bytes that are logged and not known to be durable. */
  public long bytes() {
    return bytes;
  }

  /** The age of the oldest of them in nanoseconds, 0 when there are none. */
  public long oldestAgeNanos(long nowNanos) {
    Part first = oldestFirst.peekFirst();
    return first == null ? 0 : nowNanos - first.sinceNanos;
  }

  /** In how many parts the tail is kept. */
  int parts() {
    return oldestFirst.size();
  }
}
