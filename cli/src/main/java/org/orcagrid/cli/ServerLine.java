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

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value of one {@code server.N} key: {@code
 * host:quorumPort:electionPort[:role][|...][;[clientHost:]clientPort]}.
 *
 * @param peers the quorum and election addresses, as many as could be read
 * @param client the client address, if the line has one
 */
record ServerLine(List<InetSocketAddress> peers, Optional<InetSocketAddress> client) {
  private static final Pattern PEER =
      Pattern.compile("(?<host>\\[[^]]+]|[^:]+):(?<quorum>\\d+)(?::(?<election>\\d+))?(?::\\w+)?");

  /** Parses leniently what only the server can judge, such as a role, and ports strictly. */
  static ServerLine parse(Path file, String key, String value) throws CommandFailure {
    String[] halves = value.split(";", 2);
    List<InetSocketAddress> peers = new ArrayList<>();
    for (String alternative : halves[0].split("\\|")) {
      Matcher match = PEER.matcher(alternative.trim());
      if (match.matches()) {
        peers.add(Addresses.of(file, key, match.group("host"), match.group("quorum")));
        if (match.group("election") != null) {
          peers.add(Addresses.of(file, key, match.group("host"), match.group("election")));
        }
      }
    }
    return new ServerLine(
        List.copyOf(peers),
        halves.length == 1 ? Optional.empty() : Optional.of(client(file, key, halves[1].trim())));
  }

  private static InetSocketAddress client(Path file, String key, String value)
      throws CommandFailure {
    int colon = value.lastIndexOf(':');
    String host = colon < 0 ? null : value.substring(0, colon);
    return Addresses.of(file, key, host, value.substring(colon + 1));
  }
}
