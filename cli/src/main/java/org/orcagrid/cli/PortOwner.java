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
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the process that listens on a TCP port, where the system lets us look. */
final class PortOwner {
  private static final String LISTEN = "0A";

  private PortOwner() {}

  /** Returns words such as "pid 4711 (java)", or how to find out. */
  static String describe(int port) {
    return find(port)
        .map(owner -> "pid " + owner.pid() + owner.info().command().map(PortOwner::name).orElse(""))
        .orElse("a process of another user ('ss -ltnp sport = :" + port + "' as root names it)");
  }

  /** Returns the listener; empty if there is none, it is another user's, or there is no /proc. */
  static Optional<ProcessHandle> find(int port) {
    Set<String> sockets = new HashSet<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      sockets.addAll(listening(Path.of(table), port));
    }
    if (sockets.isEmpty()) {
      return Optional.empty();
    }
    return ProcessHandle.allProcesses().filter(process -> holds(process, sockets)).findFirst();
  }

  /** Lines are: slot, local address:port in hex, remote address, state, ..., inode as the tenth. */
  private static Set<String> listening(Path table, int port) {
    String suffix = String.format(":%04X", port);
    Set<String> sockets = new HashSet<>();
    try {
      for (String line : Files.readAllLines(table)) {
        String[] fields = line.trim().split("\\s+");
        if (fields.length > 9 && fields[1].endsWith(suffix) && fields[3].equals(LISTEN)) {
          sockets.add("socket:[" + fields[9] + "]");
        }
      }
    } catch (IOException e) {
      // Not Linux, or no IPv6: nothing to be found here.
      return Set.of();
    }
    return sockets;
  }

  private static boolean holds(ProcessHandle process, Set<String> sockets) {
    Path descriptors = Path.of("/proc", Long.toString(process.pid()), "fd");
    try (DirectoryStream<Path> links = Files.newDirectoryStream(descriptors)) {
      for (Path link : links) {
        if (links(link, sockets)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      // Another user's process, or one that has just ended: not ours to know.
      return false;
    }
  }

  private static boolean links(Path link, Set<String> sockets) throws IOException {
    try {
      return sockets.contains(Files.readSymbolicLink(link).toString());
    } catch (NoSuchFileException e) {
      // Closed between listing and reading.
      return false;
    }
  }

  private static String name(String command) {
    return " (" + Path.of(command).getFileName() + ")";
  }
}
