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
import org.orcagrid.transport.tcp.MappedZones;
import org.orcagrid.transport.tcp.NodeTransports;
import org.orcagrid.transport.tcp.TransportChoice;
import org.orcagrid.transport.tcp.ZoneSettings;

/** Where settings that wish for RDMA find it. */
public final class DeviceFinder implements TransportChoice.RdmaProvider {
  @Override
  public NodeTransports find(TransportChoice wish) throws IOException {
    RdmaSettings usual = RdmaSettings.DEFAULT;
    return RdmaTransports.find(
        new RdmaSettings(
            wish.device(),
            wish.port(),
            wish.gidIndex(),
            usual.packetsPerPeer(),
            usual.datagramsPerPeer(),
            wish.kind() == TransportChoice.Kind.RDMA_CONNECTIONS));
  }

  @Override
  public MappedZones map(ZoneSettings settings) throws IOException {
    return MappedMemory.open(settings);
  }
}
