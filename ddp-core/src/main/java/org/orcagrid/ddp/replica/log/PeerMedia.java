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

/** Zones in the durable media of peers, and those that peers have in this node's. */
public interface PeerMedia {

  /**
   * Puts a record into a peer's durable medium, without the peer's doing anything, and tells the
   * replica when it is durable there. Only what the peer {@linkplain #keepsPut keeps} can be relied
   * on.
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
  default boolean keepsPut(int peer, long position) {
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

  /**
   * Whether two positions at a peer are of one life of its zone. Between lives the way into it was
   * broken, and what was on it may never have arrived.
   */
  static boolean areOfOneLife(long one, long other) {
    return one >>> 40 == other >>> 40;
  }

  /** What this node has put up to a position is gone at a peer. */
  default void freed(int peer, long position) {}
}
