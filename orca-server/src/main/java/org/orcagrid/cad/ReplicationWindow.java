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

/**
 * Bounds what an asynchronously replicating leader may have committed before a quorum holds it in
 * memory (the unreplicated window): by count, by bytes and by age.
 *
 * <p>While the window is open a write commits at once (section 4.3.1). When it is full, writes
 * commit only as acknowledgements arrive, which is synchronous replication: the window bounds what
 * a crash of the leader alone can lose, and a partitioned leader stops accepting writes once its
 * oldest one is too old.
 *
 * <p>Not thread-safe; the owner guards it. An admission allocates nothing once the ring has grown
 * to the bound. Times are nanoseconds of any monotonic clock.
 */
public final class ReplicationWindow {

  private final int countMax;
  private final long bytesMax;
  private final long ageMaxNanos;
  private final long[] index;
  private final long[] size;
  private final long[] since;
  private int head;
  private int count;
  private long bytes;

  /**
   * An empty window.
   *
   * @param countMax most entries at a time, at least 1
   * @param bytesMax most bytes at a time; a single larger entry is admitted when the window is
   *     empty
   * @param ageMaxNanos an entry older than this closes the window until it is replicated
   */
  public ReplicationWindow(int countMax, long bytesMax, long ageMaxNanos) {
    this.countMax = countMax;
    this.bytesMax = bytesMax;
    this.ageMaxNanos = ageMaxNanos;
    this.index = new long[countMax];
    this.size = new long[countMax];
    this.since = new long[countMax];
  }

  /**
   * Whether the write may commit before it is replicated; if so it is in the window from now on.
   */
  public boolean admit(long entryIndex, long entryBytes, long nowNanos) {
    if (count > 0
        && (count == countMax
            || bytes + entryBytes > bytesMax
            || nowNanos - since[head] > ageMaxNanos)) {
      return false;
    }
    int tail = (head + count) % countMax;
    index[tail] = entryIndex;
    size[tail] = entryBytes;
    since[tail] = nowNanos;
    count++;
    bytes += entryBytes;
    return true;
  }

  /** Everything up to {@code replicated} is in the memory of a quorum. */
  public void onReplicated(long replicated) {
    while (count > 0 && index[head] <= replicated) {
      bytes -= size[head];
      head = (head + 1) % countMax;
      count--;
    }
  }

  /** How many committed writes a quorum does not hold yet. */
  public int count() {
    return count;
  }

  /** The bytes of those writes. */
  public long bytes() {
    return bytes;
  }

  /** The age of the oldest of those writes in nanoseconds, 0 when there is none. */
  public long oldestAgeNanos(long nowNanos) {
    return count == 0 ? 0 : nowNanos - since[head];
  }
}
