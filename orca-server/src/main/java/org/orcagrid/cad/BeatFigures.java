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

import java.util.HashMap;
import java.util.Map;

/**
 * What has happened at all servers from one heartbeat of a leader to the next, out of sums that
 * each server counts since it has its role.
 *
 * <p>Not thread-safe; the owner guards it.
 */
public final class BeatFigures {

  private record Sums(long held, long heldNanos, long reads) {}

  private final Map<Long, Sums> known = new HashMap<>();
  private long held;
  private long heldNanos;
  private long reads;
  private long last = -1;
  private long forces;
  private long forceNanos;

  /** What a force took in the last heartbeat that had one. */
  private long lastForceNanos;

  private long lateCount;
  private long lateNanos;

  /**
   * A server has counted this much by now; less than before if it has come again.
   *
   * @param heldSum replies that it held until what they show was durable
   * @param heldNanosSum how long those were held
   * @param readSum reads that it has executed
   */
  public void onServer(long serverId, long heldSum, long heldNanosSum, long readSum) {
    Sums before = known.put(serverId, new Sums(heldSum, heldNanosSum, readSum));
    if (before != null && before.heldNanos <= heldNanosSum && before.reads <= readSum) {
      held += heldSum - before.held;
      heldNanos += heldNanosSum - before.heldNanos;
      reads += readSum - before.reads;
    }
  }

  /**
   * A heartbeat has passed.
   *
   * @param lastIndex of the leader's log
   * @param lateSum how many writes were shown late, in all
   * @param lateNanosSum how long those have waited
   * @param forceSum how often the leader has forced its log, in all
   * @param forceNanosSum how long those forces took
   */
  public VisibilityChoice.Beat beat(
      long lastIndex, long lateSum, long lateNanosSum, long forceSum, long forceNanosSum) {
    if (forceSum > forces) {
      lastForceNanos = (forceNanosSum - forceNanos) / (forceSum - forces);
    }
    long writes = last < 0 ? 0 : lastIndex - last;
    VisibilityChoice.Beat beat =
        new VisibilityChoice.Beat(
            held,
            heldNanos,
            reads,
            writes,
            lateSum - lateCount,
            lateNanosSum - lateNanos,
            lastForceNanos);
    last = lastIndex;
    lateCount = lateSum;
    lateNanos = lateNanosSum;
    forces = forceSum;
    forceNanos = forceNanosSum;
    held = 0;
    heldNanos = 0;
    reads = 0;
    return beat;
  }
}
