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

import java.util.List;
import org.orcagrid.ddp.contract.ContractLinks;
import org.orcagrid.ddp.contract.GridContract;

/** The contract of a grid over TCP, however its nodes know each other. */
abstract class TcpGridContract extends GridContract {
  /** What nodes prove to each other, the same at all of them. */
  protected abstract PortSecurity security() throws Exception;

  @Override
  protected ContractLinks links() throws Exception {
    List<HostPort> addresses = TcpTransportTest.freeAddresses(3);
    PortSecurity security = security();
    return node ->
        new TcpTransport(
            new TcpSettings("contract", node, addresses, WORKERS, SESSIONS, PACKET_BYTES_MAX),
            NodePort.of(addresses.get(node), security, IoKind.best(), LinkListener.NONE),
            LinkListener.NONE);
  }
}
