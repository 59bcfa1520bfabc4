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
package org.orcagrid.ddp.replica.log;

import java.util.List;
import org.orcagrid.ddp.replica.state.Write;

/** What a replica puts on its durable medium. */
public sealed interface LogRecord {

  /** A version; the latest one of a key counts, whatever the order. */
  record Version(Write write) implements LogRecord {}

  /** Versions that are there together or not at all: of a transaction, a scope or an update. */
  record Batch(List<Write> writes) implements LogRecord {}

  /** What a log has of versions that are there together: a version, or a batch of several. */
  static LogRecord of(List<Write> writes) {
    return writes.size() == 1 ? new Version(writes.get(0)) : new Batch(writes);
  }

  /** A transaction has begun here; nothing follows from it after a crash. */
  record Begun(long tx) implements LogRecord {}

  /** A write of a transaction that has not ended; it counts when its batch is there. */
  record Tentative(long tx, Write write) implements LogRecord {}

  /**
   * The conditional versions before this do not count: the node has come back where others served,
   * who have those that had completed.
   *
   * @param view in which it has come back
   */
  record OrphansDropped(int view) implements LogRecord {}

  /**
   * A checkpoint begins: when its {@link CheckpointEnd} is there, what was before this record does
   * not count.
   *
   * @param clock the latest that the node has seen, though no version may have it any more
   */
  record CheckpointBegin(long clock) implements LogRecord {}

  /** All that is still needed from before the last {@link CheckpointBegin} is behind that. */
  record CheckpointEnd(long clock) implements LogRecord {}

  /**
   * The node gives up what it had before this record, and takes over what the others have; it has
   * given it up when the {@link AdoptionEnd} is there that names this view.
   */
  record AdoptionBegin(int view) implements LogRecord {}

  /** Versions that the node was told; they count when the end of what it was told is there. */
  record Learned(int transfer, List<Write> writes) implements LogRecord {}

  /**
   * The node has taken over all that it was told.
   *
   * @param view of the {@link AdoptionBegin} before which nothing counts any more, 0 for none
   * @param transfer of the {@link Learned} that count from now on; earlier ones never do
   */
  record AdoptionEnd(int view, int transfer) implements LogRecord {}

  /**
   * The log was here at this moment: all that the node had handed to it by then is before this
   * record. For {@link RecoveryReport} alone; put in by whoever has a clock.
   *
   * @param number how many there were so far: a medium need not keep their order, nor a clock its
   *     direction
   * @param millis since 1970, by this machine's clock
   * @param closed whether the node was closed in order: then this is the last record, until another
   *     life adds some
   */
  record Mark(long number, long millis, boolean closed) implements LogRecord {}
}
