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
package org.orcagrid.simulator.checker;

/**
 * One access in a history of a replicated store: what a session asked for, when, and what it got.
 *
 * @param session whose it is
 * @param kind what it is
 * @param key which key
 * @param beginNanos when it began
 * @param endNanos when it ended; {@link #NEVER} if nobody knows what became of it
 * @param written what it has written or would write, {@link #ABSENT} if nothing; an add: what it
 *     adds
 * @param read what it has read, {@link #ABSENT} if there was no value
 * @param clock the version it has read or written (of a read-modify-write, that it has made)
 * @param rmw the read-modify-writes since that clock
 */
public record Access(
    int session,
    Kind kind,
    int key,
    long beginNanos,
    long endNanos,
    long written,
    long read,
    long clock,
    long rmw) {
  /** The end of what never ended. */
  public static final long NEVER = Long.MAX_VALUE;

  /** No value. */
  public static final long ABSENT = Long.MIN_VALUE;

  /** What an access is. */
  public enum Kind {
    /** A relaxed read. */
    READ(true, false, false),
    /** A relaxed write. */
    WRITE(false, true, false),
    /** A linearizable read, before all that follows. */
    ACQUIRE(true, false, true),
    /** A linearizable write, after all that precedes. */
    RELEASE(false, true, true),
    /** Reads and writes a new value at once, as an acquire and a release. */
    SWAP(true, true, true),
    /** Reads a number and adds to it, as an acquire and a release. */
    ADD(true, true, true);

    final boolean reads;
    final boolean writes;
    final boolean synchronizes;

    Kind(boolean reads, boolean writes, boolean synchronizes) {
      this.reads = reads;
      this.writes = writes;
      this.synchronizes = synchronizes;
    }
  }

  /** Whether its end is known. */
  public boolean ended() {
    return endNanos != NEVER;
  }

  boolean isReadModifyWrite() {
    return kind.reads && kind.writes;
  }
}
