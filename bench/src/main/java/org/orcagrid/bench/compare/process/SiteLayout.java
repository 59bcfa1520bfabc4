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
package org.orcagrid.bench.compare.process;

import java.util.List;

/**
 * Where the nodes of two sites listen: node 0 to 2 are of the first, 3 to 5 of the second. The
 * ports of {@link LoadSettings} are those for clients, of all nodes, then those of each other
 * purpose.
 *
 * @param ports in this order
 */
public record SiteLayout(List<Integer> ports) {
  /** Their names; clients are at home in the first. */
  public static final List<String> SITES = List.of("west", "east");

  /** Nodes of a site. */
  public static final int NODES = 3;

  /** Nodes of both. */
  public static final int ALL = 2 * NODES;

  /** How long a round trip between the sites takes. */
  public static final int WAN_MILLIS = 15;

  /** Keeps a copy. */
  public SiteLayout {
    ports = List.copyOf(ports);
  }

  /** Which site a node is of. */
  public static int site(int node) {
    return node / NODES;
  }

  /** The nodes' ports for a purpose; 0 is for clients. */
  public List<Integer> forPurpose(int purpose) {
    return ports.subList(purpose * ALL, (purpose + 1) * ALL);
  }

  /** The same of the nodes of one site. */
  public List<Integer> forPurpose(int purpose, int site) {
    return forPurpose(purpose).subList(site * NODES, (site + 1) * NODES);
  }
}
