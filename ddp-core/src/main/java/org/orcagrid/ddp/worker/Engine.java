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
package org.orcagrid.ddp.worker;

import java.nio.ByteBuffer;
import org.orcagrid.ddp.transport.MalformedPacketException;

/**
 * What a {@linkplain Worker worker's} duty cycle needs of an engine, of which it runs one or more.
 * All calls are the worker's thread's.
 */
public interface Engine {

  /**
   * Whose packets are this engine's: {@link PacketHeader#KEYS}, {@link PacketHeader#MAPS} or {@link
   * PacketHeader#PARTITIONS}. Asked once, when the worker is given the engine; no two engines of a
   * worker have the same.
   */
  int part();

  /**
   * A packet of this engine has arrived. The buffer is the transport's again when this returns.
   *
   * @param from the node that has sent it
   * @param packet direct and little-endian; its content begins behind its {@link PacketHeader}
   * @throws MalformedPacketException if no node sends such a packet: the transport ends the link
   */
  void onPacket(int from, ByteBuffer packet, int length, long nowNanos);

  /**
   * Begins what others want, and does what the time asks for.
   *
   * @return how much there was to do: the worker does not sleep after a cycle with any
   */
  int work(long nowNanos);

  /** Sends what has gathered in its packets, as far as there is room and a reason to send. */
  void flush();

  /**
   * Tells others what has ended, after what depends on it was sent.
   *
   * @return how much there was to tell
   */
  default int tell() {
    return 0;
  }

  /** How long the worker may sleep if nothing arrives and nobody wakes it. */
  long sleepNanosMax();

  /** Whether nothing comes of this engine any more; a worker whose engines are all over ends. */
  default boolean isOver() {
    return false;
  }

  /**
   * The worker has ended: whoever waits for this engine is told. The endpoint is still open.
   *
   * @param reason what has ended the node, null if it was closed
   * @param inOrder whether this worker was stopped between two cycles, and has not failed in one
   */
  void end(Throwable reason, boolean inOrder);
}
