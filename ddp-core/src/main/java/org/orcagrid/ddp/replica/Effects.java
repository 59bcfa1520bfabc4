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

  /** This node has caught up and may serve in the next view. */
  void caughtUp(int view);
}
