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
package org.orcagrid.ddp.replica;

/** What a replica wants done. Whatever is called here must not call the replica. */
public interface Effects {

  /** Sends a packet, which may be lost. */
  void send(int peer, Packet packet);

  /**
   * Appends a record to the durable medium, which makes it durable soon, and says so by {@link
   * Replica#onDurable}.
   *
   * @param eager whether somebody waits for it; otherwise it has time
   * @return its position, greater than all before
   */
  long persist(LogRecord record, boolean eager);

  /**
   * No record before this position is needed any more: its room may be used again, and it may or
   * may not be there after a crash.
   */
  void trim(long position);

  /** An operation has ended; what came of it is in it. */
  void completed(Operation operation);

  /**
   * Another version of a key is visible here: {@code now}, where {@code before} was told last. Only
   * while {@link Replica#watch} asks for it.
   *
   * @param before null if there was none, or none is known
   * @param now without a value if the key was removed or the time of its value is over, under the
   *     clock of that value then; null if it was removed and that is forgotten already
   */
  default void shown(Key key, Write before, Write now) {}

  /** What became of this node's log; once, before it may serve for the first time. */
  default void recovered(RecoveryReport report) {}

  /**
   * Puts a record into a peer's durable medium, without the peer's doing anything, and says by
   * {@link Replica#onFlushed} when it is durable there. Only what the peer {@linkplain #keepsLanded
   * keeps} can be relied on.
   *
   * @return its position, greater than all before at this peer, whatever life of it; 0 if there is
   *     no way to do that at present
   */
  default long land(int peer, LogRecord record) {
    return 0;
  }

  /**
   * Whether what a peer has put here at a position, or is putting, will be told to the next life's
   * {@link Recovery}, once it is there, unless it was {@linkplain #taken taken}. If not, it never
   * will.
   */
  default boolean keepsLanded(int peer, long position) {
    return false;
  }

  /**
   * The log has what a peer has put here at a position, and at all before.
   *
   * @return whether none of that is here any more, and none of it comes: if not, this is called
   *     again
   */
  default boolean taken(int peer, long position) {
    return true;
  }

  /** What this node has put up to a position is gone at a peer. */
  default void freed(int peer, long position) {}

  /** This node has caught up and may serve in the next view. */
  void caughtUp(int view);
}
