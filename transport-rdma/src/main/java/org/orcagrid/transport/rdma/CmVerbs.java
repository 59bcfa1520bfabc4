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
package org.orcagrid.transport.rdma;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What DiSNI has no words for, of connections: ids that go when they are destroyed (DiSNI's
 * channels keep all that they have ever seen), and what a request for a connection brings with it.
 *
 * <p>Numbers stand for objects as they do in {@link Verbs}, and are refused in the same way.
 */
final class CmVerbs {
  /** Bytes of an event: id that listens, id (long each), status, bytes of data (int each), data. */
  static final int EVENT_BYTES = 80;

  static final int EVENT_ID = 8;
  static final int EVENT_STATUS = 16;
  static final int EVENT_DATA_BYTES = 20;
  static final int EVENT_DATA = 24;

  private CmVerbs() {}

  /** An id for a connection, or for those who want one; its events come from the channel. */
  static native long createId(long channel) throws IOException;

  /** With its queue pair, of which DiSNI knows only when it has created it. */
  static native void destroyId(long id) throws IOException;

  /**
   * Takes the next event of a channel, without waiting for it.
   *
   * @return its type; -1 if there is none
   */
  static native int nextEvent(long channel, ByteBuffer into) throws IOException;

  /** The device's context that an id was bound to; it goes with the id. */
  static native long context(long id) throws IOException;

  /** The port that an id was bound to, from 1; 0 if it was not. */
  static native int port(long id) throws IOException;

  /**
   * The queue pair of an id, which goes with it.
   *
   * @param caps as in {@link Verbs#createDatagramQueue}: DiSNI does not say what there is then
   */
  static native long createQueue(long id, long pd, long cq, ByteBuffer caps) throws IOException;

  /** The name of a context's device. */
  static native String deviceName(long context) throws IOException;

  /**
   * How long a connection waits for an acknowledgement before it sends again.
   *
   * @param exponent of a power of two, times 4.096 us
   */
  static native void setTimeout(long id, int exponent) throws IOException;
}
