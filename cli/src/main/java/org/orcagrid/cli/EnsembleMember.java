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

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One server of an ensemble: where it lies and listens.
 *
 * @param id its number and {@code myid}, from 1
 * @param folder everything of it lies below
 * @param clientPort for clients, on the loopback address
 * @param quorumPort for followers
 * @param electionPort for elections
 * @param adminPort of AdminServer; 0 when that is off
 */
public record EnsembleMember(
    int id, Path folder, int clientPort, int quorumPort, int electionPort, int adminPort) {

  /** Returns the server's configuration file. */
  public Path zooCfg() {
    return folder.resolve("zoo.cfg");
  }

  /** Returns the folder with snapshots, logs and {@code myid}. */
  public Path dataDir() {
    return folder.resolve("data");
  }

  /** Returns the last lines of what the server's processes logged and printed, at most so many. */
  public List<String> said(int lines) throws IOException {
    return ServerOutput.in(dataDir()).last(lines);
  }

  /** Returns where clients connect. */
  public InetSocketAddress clientAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), clientPort);
  }

  /**
   * Returns whether its process runs, also where the pid file does not tell, as in another
   * container.
   */
  boolean runs() throws CommandFailure {
    return PidFile.in(dataDir()).running().isPresent() || DataDirLock.holder(dataDir()).isPresent();
  }

  /** Returns this member with AdminServer on that port, or off for 0. */
  EnsembleMember withAdminPort(int port) {
    return new EnsembleMember(id, folder, clientPort, quorumPort, electionPort, port);
  }

  /** What the ensemble's configuration says of it behind {@code server.N=}. */
  String line() {
    return line(quorumPort, electionPort);
  }

  /** The same as another server reaches it. */
  String line(int quorumPort, int electionPort) {
    return "127.0.0.1:" + quorumPort + ":" + electionPort + ":participant;127.0.0.1:" + clientPort;
  }

  /** Returns the ports that it listens on. */
  public List<Integer> ports() {
    return adminPort == 0
        ? List.of(clientPort, quorumPort, electionPort)
        : List.of(clientPort, quorumPort, electionPort, adminPort);
  }

  static String connectString(List<EnsembleMember> members) {
    return members.stream()
        .map(member -> "127.0.0.1:" + member.clientPort())
        .collect(Collectors.joining(","));
  }
}
