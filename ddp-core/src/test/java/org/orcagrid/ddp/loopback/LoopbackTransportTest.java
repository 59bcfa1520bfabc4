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
package org.orcagrid.ddp.loopback;

import org.orcagrid.ddp.transport.Transport;
import org.orcagrid.ddp.transport.TransportContract;

class LoopbackTransportTest extends TransportContract {
  @Override
  protected Nodes open(int count) {
    LoopbackNetwork network = new LoopbackNetwork(count, 1, PACKET_BYTES_MAX);
    return new Nodes() {
      @Override
      public Transport transport(int node) {
        return network.transport(node);
      }

      @Override
      public void end(int node) {
        throw new UnsupportedOperationException("the nodes are one process");
      }

      @Override
      public void close() {
        // The network goes when nobody holds it any more.
      }
    };
  }

  @Override
  protected boolean isBetweenProcesses() {
    return false;
  }

  @Override
  protected boolean isOrderly() {
    return true;
  }
}
