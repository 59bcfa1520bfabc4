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
package org.orcagrid.transport.tcp;

import java.io.IOException;

/** Which kind of transport a process' nodes have. All nodes of a grid have the same. */
public interface NodeTransports {
  /** Over TCP. */
  NodeTransports TCP = new Tcp();

  /**
   * A transport, as {@link TcpTransport#TcpTransport} is one.
   *
   * @param port where this node is connected to; open while the transport has an endpoint
   * @throws IOException if it cannot be had, saying what is in the way
   */
  NodeTransport open(TcpSettings settings, NodePort port, LinkListener listener) throws IOException;

  /** The kind that is always there. */
  final class Tcp implements NodeTransports {
    private Tcp() {}

    @Override
    public NodeTransport open(TcpSettings settings, NodePort port, LinkListener listener) {
      return new TcpTransport(settings, port, listener);
    }
  }
}
