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
package org.orcagrid.ddp.zone;

import java.nio.ByteBuffer;

/**
 * One-sided writes into zones of the peers' memory, beside a worker's endpoint, and of its thread
 * like that. What comes of them is told while the endpoint is polled.
 */
public interface Zones {
  /** Where a zone begins that a peer may write to: what is before is the owner's alone. */
  int RING_AT = ZoneLayout.RING_AT;

  /** Is told what becomes of zones; must not call the endpoint. */
  interface Listener {
    /**
     * A peer lets this worker write into its zone.
     *
     * @param life which the peer has counted
     * @param copy as large as the zone: what is to be written is put there first
     */
    void onAdmitted(int peer, long life, ByteBuffer copy);

    /**
     * There is no way into a peer's zone any more; what was not flushed may be there or not.
     *
     * @param fault what has gone wrong; null if the peer has gone, or has closed it
     */
    void onLost(int peer, String fault);

    /** All that was written into a peer's zone before a flush with this position is durable. */
    void onFlushed(int peer, long position);

    /** A peer cannot write into its zone any more, for no fault of the owner's. */
    void onRevoked(int peer);
  }

  /**
   * Lets a peer write into its zone from now on, some time. Not before this is called, and not
   * after {@link #revoke} has returned, is anything written.
   *
   * @param life that the peer is told
   */
  void admit(int peer, long life);

  /** The peer cannot write any more. */
  void revoke(int peer);

  /** Gives the way into a peer's zone up: its owner begins another life of it, some time. */
  void abandon(int peer);

  /** Whether a record can be written to a peer's zone at present: in two writes, and a flush. */
  boolean hasRoom(int peer);

  /** Writes a part of the copy to the same place of a peer's zone, after all before. */
  void write(int peer, int at, int bytes);

  /** Asks that all that was written becomes durable there, and to be told when it is. */
  void flush(int peer, long position);
}
