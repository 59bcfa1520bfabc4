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
import java.nio.ByteOrder;

/**
 * What a port of a device can do.
 *
 * @param state 4 if it is active
 * @param mtuBytes bytes of a datagram at most
 * @param isEthernet whether this is RoCE, which needs an address of its own
 * @param lid its number in an InfiniBand subnet
 * @param gids entries of its table of addresses
 * @param requestsMax requests of a queue pair
 * @param completionsMax entries of a completion queue
 * @param isIwarp whether this is iWARP, which has connections of its own kind only
 */
public record PortInfo(
    int state,
    int mtuBytes,
    boolean isEthernet,
    int lid,
    int gids,
    int requestsMax,
    int completionsMax,
    boolean isIwarp) {
  private static final int ACTIVE = 4;
  private static final int IWARP = 1;
  private static final int ETHERNET = 2;

  static PortInfo of(long device, int port) throws IOException {
    ByteBuffer fields =
        ByteBuffer.allocateDirect(Verbs.PORT_FIELDS * Integer.BYTES).order(ByteOrder.nativeOrder());
    Verbs.queryPort(device, port, fields);
    return new PortInfo(
        fields.getInt(),
        fields.getInt(),
        fields.getInt() == ETHERNET,
        fields.getInt(),
        fields.getInt(),
        fields.getInt(),
        fields.getInt(),
        fields.getInt((Verbs.PORT_FIELDS - 1) * Integer.BYTES) == IWARP);
  }

  /** Whether the port has a link and is configured. */
  public boolean isActive() {
    return state == ACTIVE;
  }
}
