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
package org.orcagrid.bench.command;

import org.orcagrid.bench.kite.KitePlan;
import org.orcagrid.transport.tcp.TransportChoice;
import picocli.CommandLine.Option;

/** What the grids of Kite's figures are made of. */
final class KiteOptions {
  @Option(
      names = "--nodes",
      description = "Nodes of each grid, for kite-*; default 3, for kite-fig8 5.")
  private Integer nodes;

  @Option(
      names = "--keys",
      defaultValue = "100000",
      description = "Keys of each grid, for kite-*; default ${DEFAULT-VALUE}.")
  private int keys;

  @Option(
      names = "--sessions",
      defaultValue = "64",
      description = "Sessions of each node, for kite-*; default ${DEFAULT-VALUE}.")
  private int sessions;

  @Option(
      names = "--burst",
      defaultValue = "16",
      description =
          "Accesses of a session before the next one's turn, if they are reads of its node's own"
              + " copy, for kite-*; 1 sends all of them through the worker; default"
              + " ${DEFAULT-VALUE}.")
  private int burst;

  @Option(
      names = "--release-ms",
      defaultValue = "50",
      description =
          "How long a release waits for a silent node, for kite-fig8; default ${DEFAULT-VALUE}. The"
              + " product has 10, which a busy machine keeps its threads waiting for by itself.")
  private int releaseMs;

  @Option(
      names = "--clients",
      defaultValue = "16",
      description = "Client threads of each node, for kite-fig7; default ${DEFAULT-VALUE}.")
  private int clients;

  @Option(
      names = "--transport",
      converter = Converters.OneTransport.class,
      description =
          "What the nodes of kite-fig4, -fig5, -fig6 and -fig8 talk over: rdma or tcp, as in"
              + " grid.cfg; default the loopback transport.")
  private TransportChoice transport;

  int clients() {
    return clients;
  }

  int releaseMs() {
    return releaseMs;
  }

  /**
   * Returns the grid.
   *
   * @param nodesByDefault its nodes if nobody says how many
   * @throws IllegalArgumentException if it cannot be
   */
  KitePlan.Grid grid(int nodesByDefault) {
    if (transport != null && transport.kind() == TransportChoice.Kind.AUTO) {
      throw new IllegalArgumentException(
          "What is measured must be known: say rdma or tcp, not "
              + transport
              + ", as --transport.");
    }
    KitePlan.Grid standard = KitePlan.Grid.DEFAULT;
    return new KitePlan.Grid(
        nodes != null ? nodes : nodesByDefault,
        sessions,
        burst,
        keys,
        standard.valueBytes(),
        transport);
  }
}
