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
package org.orcagrid.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.member.MemberSettings;

/**
 * The grid that an ensemble on the loopback address hosts, a node in each server.
 *
 * @param basePort of the first server's node; the others follow
 * @param servers how many
 */
record EnsembleGrid(int basePort, int servers) {
  private static final int PORT_MAX = 65_535;
  private static final long PAUSE_MILLIS = 100;
  private static final Duration PROBE_LIMIT = Duration.ofSeconds(5);

  /** Refuses ports that there are not. */
  static EnsembleGrid of(int basePort, int servers) throws CommandFailure {
    int highest = PORT_MAX - servers;
    if (basePort < 1 || basePort > highest) {
      throw CommandFailure.usage(
          "The grid's first port must be 1 to " + highest + ", not " + basePort + ".");
    }
    return new EnsembleGrid(basePort, servers);
  }

  /** The lines of a server's zoo.cfg; the first server is 1. */
  Map<String, String> settingsOf(int server) {
    return Map.of("orca.grid", node(server).toString());
  }

  private HostPort node(int server) {
    return new HostPort("127.0.0.1", basePort + server - 1);
  }

  private List<HostPort> all() {
    List<HostPort> all = new ArrayList<>();
    for (int server = 1; server <= servers; server++) {
      all.add(node(server));
    }
    return all;
  }

  /** Where clients connect. */
  String clients() {
    return all().stream().map(HostPort::toString).collect(Collectors.joining(","));
  }

  /** Waits until all nodes serve. */
  void awaitServing(Deadline deadline) throws CommandFailure, InterruptedException {
    try (GridProbe probe = new GridProbe()) {
      for (HostPort node : all()) {
        MemberSettings asked = MemberSettings.of(0, List.of(node));
        String objection = probe.objection(asked, PROBE_LIMIT);
        while (objection != null) {
          if (deadline.passed()) {
            throw new CommandFailure(
                "The node of the grid at "
                    + node
                    + " does not serve in time: "
                    + objection
                    + "; what its server's orca.log says of the grid may tell why.");
          }
          TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
          objection = probe.objection(asked, PROBE_LIMIT);
        }
      }
    }
  }
}
