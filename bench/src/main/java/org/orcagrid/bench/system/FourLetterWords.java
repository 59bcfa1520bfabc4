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
package org.orcagrid.bench.system;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks servers with ZooKeeper's four-letter words. Each question is a connection of its own. */
public final class FourLetterWords {
  private static final int TIMEOUT_MS = 2_000;

  private FourLetterWords() {}

  /**
   * Returns the whole answer of one server to one word.
   *
   * @throws IOException if the server cannot be reached or stays silent for two seconds
   */
  public static String ask(ServerAddress server, String word) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(server.host(), server.port()), TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Returns a server's {@code mntr} values by key. */
  public static Map<String, String> monitor(ServerAddress server) throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    for (String line : ask(server, "mntr").lines().toList()) {
      int tab = line.indexOf('\t');
      if (tab > 0) {
        values.put(line.substring(0, tab), line.substring(tab + 1).trim());
      }
    }
    return values;
  }

  /**
   * Returns what a server says its part is, such as {@code leader}; empty while it takes no part in
   * a quorum.
   */
  public static Optional<String> mode(ServerAddress server) throws IOException {
    return ask(server, "srvr")
        .lines()
        .filter(line -> line.startsWith("Mode: "))
        .map(line -> line.substring("Mode: ".length()).trim())
        .findFirst();
  }

  /**
   * Returns the server that leads; a lone standalone server counts as its own leader.
   *
   * @throws IOException if none does
   */
  public static ServerAddress leader(List<ServerAddress> servers) throws IOException {
    for (ServerAddress server : servers) {
      String mode = mode(server).orElse("");
      if (mode.equals("leader") || mode.equals("standalone")) {
        return server;
      }
    }
    throw new IOException("None of " + servers + " says it leads; wait until the quorum is there.");
  }
}
