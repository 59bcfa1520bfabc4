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
package org.orcagrid.ddp.transport;

import java.nio.ByteBuffer;

/** Is given packets, by the thread that polls. */
@FunctionalInterface
public interface PacketHandler {

  /**
   * A packet has arrived. The buffer belongs to the transport again when this returns.
   *
   * @param from the node that has sent it
   * @param packet direct and little-endian; the packet begins at 0
   * @param length its bytes
   * @throws MalformedPacketException if no node sends such a packet: the transport ends the link
   */
  void onPacket(int from, ByteBuffer packet, int length);
}
