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
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.NodePort;
import org.orcagrid.transport.tcp.NodeTransport;
import org.orcagrid.transport.tcp.NodeTransports;
import org.orcagrid.transport.tcp.TcpSettings;

/** Transports over RDMA. */
public final class RdmaTransports implements NodeTransports {
  private final RdmaSettings rdma;
  private final Found found;

  /**
   * The device that was found.
   *
   * @param name as {@code ibv_devices} prints it
   * @param port from 1
   * @param gidIndex which of the port's addresses
   * @param address that connections are made at; null if messages are datagrams
   * @param description all of it, in words
   */
  public record Found(String name, int port, int gidIndex, String address, String description) {}

  private RdmaTransports(RdmaSettings rdma, Found found) {
    this.rdma = rdma;
    this.found = found;
  }

  /**
   * Transports with a device that is there and works as far as can be seen before it is used.
   *
   * @throws IOException if there is none, saying what is missing
   */
  public static RdmaTransports find(RdmaSettings rdma) throws IOException {
    try (RdmaDevice device = RdmaDevice.open(rdma)) {
      BoundAddress bound = device.bound();
      String address = bound == null ? null : bound.address().getHostAddress();
      return new RdmaTransports(
          rdma,
          new Found(device.name(), device.port(), device.gidIndex(), address, device.toString()));
    }
  }

  @Override
  public NodeTransport open(TcpSettings settings, NodePort port, LinkListener listener)
      throws IOException {
    return new RdmaTransport(settings, rdma, port, listener);
  }

  /** The device. */
  public Found found() {
    return found;
  }

  @Override
  public String toString() {
    return found.description();
  }
}
