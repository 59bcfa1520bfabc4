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
package org.orcagrid.grid;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.orcagrid.ddp.durable.log.ForgetfulFiles;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.node.KeySettings;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.TransportChoice;

/**
 * A process with a node of a grid, and with the server of the ensemble that it joins by. What its
 * maps have not forced is in the process alone: to kill it loses that, as to cut the power of its
 * machine does. {@link PowerLosses} has several.
 */
final class ForgetfulNode {
  private static final SegmentLimits LOG = new SegmentLimits(4 << 20, 1 << 20, 4 << 20, 1L << 28);
  private static final KeySettings KEYS = new KeySettings(64, 1024, 8 << 20);

  private ForgetfulNode() {}

  /** How many nodes there are, this one's address, and the server's zoo.cfg. Until it is killed. */
  public static void main(String[] args) throws Exception {
    Path zooCfg = Path.of(args[2]);
    Path folder = zooCfg.resolveSibling("grid");
    try (OrcaServer server = OrcaServer.start(OrcaServerConfig.fromZooCfg(zooCfg));
        LedgerFile ledger = new LedgerFile(ledger(zooCfg))) {
      NodeSettings settings =
          NodeSettings.of(
                  NodeSettings.GRID, Integer.parseInt(args[0]), HostPort.parse(args[1]), folder)
              .withMedium(ForgetfulFiles.logs(LOG))
              .withTransport(TransportChoice.parse(Ports.TRANSPORT))
              .withLease(Ports.LEASE)
              .withKeys(KEYS)
              .withEnsemble(server.connectString());
      try (LoadedNode host = LoadedNode.start(settings, ledger)) {
        host.await();
        new CountDownLatch(1).await();
      }
    }
  }

  /** Where it says why its node has failed. */
  static Path ledger(Path zooCfg) {
    return zooCfg.resolveSibling("ledger");
  }
}
