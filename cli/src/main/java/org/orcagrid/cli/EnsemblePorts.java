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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Chooses the ports of an ensemble. */
final class EnsemblePorts {
  private static final int QUORUM_OFFSET = 100;
  private static final int ELECTION_OFFSET = 200;
  private static final int ADMIN_OFFSET = 300;
  private static final int PORT_MAX = 65_535;
  private static final int PORTS_PER_SERVER = 4;

  private EnsemblePorts() {}

  /**
   * Returns the members with their ports, all of which were free a moment ago.
   *
   * @param agreed whether the servers have agreed on their ports: then they keep them
   */
  static List<EnsembleMember> assign(EnsembleSpec spec, List<EnsembleMember> before, boolean agreed)
      throws CommandFailure {
    if (agreed) {
      return agreed(spec, before);
    }
    if (spec.basePort() != 0) {
      return fromBase(spec);
    }
    // Clients of a stopped ensemble find it again where it was, if that is still possible.
    boolean reusable =
        !before.isEmpty()
            && before.stream().flatMap(member -> member.ports().stream()).allMatch(FreePorts::free);
    if (reusable) {
      return spec.admin() ? withAdmin(before) : withoutAdmin(before);
    }
    List<Integer> ports =
        FreePorts.find(
            spec.servers() * PORTS_PER_SERVER, RandomGenerator.getDefault(), spec.takenPorts());
    int n = spec.servers();
    List<EnsembleMember> members = new ArrayList<>();
    for (int id = 1; id <= n; id++) {
      members.add(
          new EnsembleMember(
              id,
              folder(spec, id),
              ports.get(id - 1),
              ports.get(n + id - 1),
              ports.get(2 * n + id - 1),
              spec.admin() ? ports.get(3 * n + id - 1) : 0));
    }
    return members;
  }

  private static List<EnsembleMember> agreed(EnsembleSpec spec, List<EnsembleMember> before)
      throws CommandFailure {
    for (EnsembleMember member : before) {
      if (spec.basePort() != 0 && member.clientPort() != spec.basePort() + member.id() - 1) {
        throw CommandFailure.usage(
            "The servers in "
                + spec.dir()
                + " have agreed on their ports (reconfigEnabled), and server "
                + member.id()
                + " has "
                + member.clientPort()
                + "; leave --base-port out, or choose another --dir.");
      }
      requireFree(member, "stop that process: the servers have agreed on their ports.");
    }
    return spec.admin() ? withAdmin(before) : withoutAdmin(before);
  }

  /** Returns a server more, at ports that none of the others has. */
  static EnsembleMember joining(Path dir, int id, List<EnsembleMember> others)
      throws CommandFailure {
    List<Integer> ports =
        FreePorts.find(PORTS_PER_SERVER, RandomGenerator.getDefault(), portsOf(others));
    return new EnsembleMember(
        id, EnsembleFiles.folder(dir, id), ports.get(0), ports.get(1), ports.get(2), 0);
  }

  /** Keeps the ports that clients know, whether AdminServer was on before or not. */
  private static List<EnsembleMember> withAdmin(List<EnsembleMember> before) throws CommandFailure {
    if (before.stream().allMatch(member -> member.adminPort() != 0)) {
      return before;
    }
    List<Integer> fresh =
        FreePorts.find(before.size(), RandomGenerator.getDefault(), portsOf(before));
    List<EnsembleMember> with = new ArrayList<>();
    for (EnsembleMember member : before) {
      with.add(member.withAdminPort(fresh.get(with.size())));
    }
    return with;
  }

  private static Set<Integer> portsOf(List<EnsembleMember> members) {
    return members.stream()
        .flatMap(member -> member.ports().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static List<EnsembleMember> withoutAdmin(List<EnsembleMember> before) {
    return before.stream().map(member -> member.withAdminPort(0)).toList();
  }

  private static List<EnsembleMember> fromBase(EnsembleSpec spec) throws CommandFailure {
    int highest = spec.basePort() + ADMIN_OFFSET + spec.servers() - 1;
    if (spec.basePort() < 1 || highest > PORT_MAX) {
      throw CommandFailure.usage(
          "The base port "
              + spec.basePort()
              + " leaves no room for the other ports; use one from 1 to "
              + (PORT_MAX - highest + spec.basePort())
              + ".");
    }
    List<EnsembleMember> members = new ArrayList<>();
    for (int id = 1; id <= spec.servers(); id++) {
      int client = spec.basePort() + id - 1;
      EnsembleMember member =
          new EnsembleMember(
              id,
              folder(spec, id),
              client,
              client + QUORUM_OFFSET,
              client + ELECTION_OFFSET,
              spec.admin() ? client + ADMIN_OFFSET : 0);
      requireFree(member, "stop that process or choose another --base-port.");
      members.add(member);
    }
    return members;
  }

  private static void requireFree(EnsembleMember member, String fix) throws CommandFailure {
    for (int port : member.ports()) {
      if (!FreePorts.free(port)) {
        throw new CommandFailure(
            "Port "
                + port
                + " (server "
                + member.id()
                + ") is taken by "
                + PortOwner.describe(port)
                + "; "
                + fix);
      }
    }
  }

  private static Path folder(EnsembleSpec spec, int id) {
    return EnsembleFiles.folder(spec.dir(), id);
  }
}
