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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.needs.Needs;
import org.orcagrid.transport.rdma.RdmaDoctor.Finding;
import org.orcagrid.transport.tcp.HostPort;

/**
 * A device that has no datagrams is used over connections, without being asked to. Needs one:
 * {@code build/lab.sh iwarp}.
 */
@Needs({RdmaNeeds.Device.class, RdmaNeeds.Iwarp.class})
@Timeout(60)
class IwarpTest {
  @Test
  void connectionsAreTakenAndSaid() throws IOException {
    int before = Verbs.openHandles();
    String found = RdmaTransports.find(RdmaSettings.DEFAULT).toString();
    assertTrue(found.contains(", iWARP, connections with messages of "), found);
    List<Finding> findings = RdmaDoctor.examine(RdmaSettings.DEFAULT);
    assertTrue(
        findings.stream().anyMatch(each -> each.what().equals("Taken would be " + found)),
        findings::toString);
    assertEquals(before, Verbs.openHandles());
  }

  @Test
  void zonesAreRefusedWithTheReason() throws IOException {
    List<HostPort> addresses = RdmaTransportTest.freeAddresses(2);
    try (Endpoint endpoint = RdmaTransportTest.transport(addresses, 0, 4096).open(0)) {
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> endpoint.openZones(List.of(), null));
      assertTrue(
          refused.getMessage().contains("over iWARP there is no way to connect"),
          refused.getMessage());
    }
  }
}
