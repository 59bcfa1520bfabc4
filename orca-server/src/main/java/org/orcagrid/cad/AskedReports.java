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
 * What a leader has asked a learner to report once it has reached it: an index that is applied, or
 * one that is on its disk as well (sections 4.3.4 and 4.4).
 *
 * <p>Of many indexes only the first and the last are kept: a report is due at the first, and the
 * last is then the next one. A report at the last alone would come the later the more is asked.
 * Replies that need the first alone would wait with it.
 *
 * <p>Not thread-safe; the owner guards it.
 */
public final class AskedReports {

  private static final long NONE = Long.MAX_VALUE;

  private static final class Asked {
    private long first = NONE;
    private long last;

    private void ask(long index) {
      first = Math.min(first, index);
      last = Math.max(last, index);
    }

    private boolean reach(long index) {
      if (index < first) {
        return false;
      }
      first = index < last ? last : NONE;
      return true;
    }
  }

  private final Asked flushed = new Asked();
  private final Asked applied = new Asked();

  /** Nothing is asked yet. */
  public AskedReports() {}

  /** A report is asked for once {@code index} is on disk and applied. */
  public void askFlushed(long index) {
    flushed.ask(index);
  }

  /** A report is asked for once {@code index} is applied. */
  public void askApplied(long index) {
    applied.ask(index);
  }

  /** What has to be applied before a report is due; {@link Long#MAX_VALUE} if none is asked for. */
  public long next() {
    return Math.min(flushed.first, applied.first);
  }

  /**
   * A report can be made now; what it answers is asked no more.
   *
   * @return whether it is due
   */
  public boolean answer(long persistedIndex, long appliedIndex) {
    boolean ofFlush = flushed.reach(Math.min(persistedIndex, appliedIndex));
    boolean ofApplied = applied.reach(appliedIndex);
    return ofFlush || ofApplied;
  }
}
