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
import org.orcagrid.ddp.node.Roster;

/** Which kind of transport a process' nodes have. All nodes of a grid have the same. */
public interface NodeTransports {
  /** Over TCP. */
  NodeTransports TCP = new Tcp();

  /**
   * A transport among fixed nodes, or among those of a roster.
   *
   * @param roster as it is now; null for the fixed nodes of the settings
   * @param port where this node is connected to; open while the transport has an endpoint
   * @throws IOException if it cannot be had, saying what is in the way
   */
  NodeTransport ofNodes(TcpSettings settings, Roster roster, NodePort port, LinkListener listener)
      throws IOException;

  /**
   * A transport among places whose nodes come and go, as {@link TcpTransport#ofPlaces}.
   *
   * @throws IOException if it cannot be had, saying what is in the way
   */
  NodeTransport ofPlaces(TcpSettings settings, NodePort port, LinkListener listener)
      throws IOException;

  /** The kind that is always there. */
  final class Tcp implements NodeTransports {
    private Tcp() {}

    @Override
    public NodeTransport ofNodes(
        TcpSettings settings, Roster roster, NodePort port, LinkListener listener)
        throws IOException {
      return new TcpTransport(settings, roster, port, listener);
    }

    @Override
    public NodeTransport ofPlaces(TcpSettings settings, NodePort port, LinkListener listener)
        throws IOException {
      return TcpTransport.ofPlaces(settings, port, listener);
    }
  }
}
