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

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.orcagrid.ddp.contract.ContractLinks;
import org.orcagrid.ddp.contract.GridContract;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.needs.Needs;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.IoKind;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.NodePort;
import org.orcagrid.transport.tcp.NodeTransports;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TcpSettings;
import org.orcagrid.transport.tcp.TransportChoice;

/** Needs a device: {@code build/lab.sh} has one, where a packet takes a millisecond. */
@Needs(RdmaNeeds.Device.class)
class RdmaGridContractTest extends GridContract {
  @Override
  protected ContractLinks links() throws IOException {
    // The settings find this module by themselves.
    NodeTransports found = TransportChoice.parse("auto").open(LinkListener.NONE);
    assertTrue(found instanceof RdmaTransports, "RDMA, since there is a device");
    List<HostPort> addresses = RdmaTransportTest.freeAddresses(3);
    return node ->
        found.open(
            new TcpSettings("contract", node, addresses, WORKERS, SESSIONS, PACKET_BYTES_MAX),
            NodePort.of(addresses.get(node), PortSecurity.NONE, IoKind.best(), LinkListener.NONE),
            LinkListener.NONE);
  }

  @Override
  protected List<Ddp> models() {
    return Boolean.getBoolean("orca.lab.models") ? super.models() : someModels();
  }

  @Override
  protected int rounds() {
    return 10;
  }
}
