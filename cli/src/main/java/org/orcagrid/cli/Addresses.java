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

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** Socket addresses as a zoo.cfg writes them. */
final class Addresses {
  private static final int PORT_MAX = 65_535;

  private Addresses() {}

  /** Returns the address of {@code host} (null: every interface) and {@code port}. */
  static InetSocketAddress of(Path file, String key, String host, String port)
      throws CommandFailure {
    int number = port(file, key, port);
    return host == null
        ? new InetSocketAddress(number)
        : new InetSocketAddress(unbracketed(host), number);
  }

  static int port(Path file, String key, String port) throws CommandFailure {
    int number;
    try {
      number = Integer.parseInt(port.trim());
    } catch (NumberFormatException e) {
      throw notAPort(file, key, port, e);
    }
    if (number < 1 || number > PORT_MAX) {
      throw notAPort(file, key, port, null);
    }
    return number;
  }

  /** Returns where a client on this machine reaches a server that listens on {@code listening}. */
  static InetSocketAddress reachable(InetSocketAddress listening) {
    boolean everywhere =
        listening.getAddress() != null && listening.getAddress().isAnyLocalAddress();
    return everywhere
        ? new InetSocketAddress(InetAddress.getLoopbackAddress(), listening.getPort())
        : listening;
  }

  static String text(InetSocketAddress address) {
    String host = address.getHostString();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  private static String unbracketed(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  private static CommandFailure notAPort(Path file, String key, String port, Exception cause) {
    return new CommandFailure(
        key + "=" + port + " in " + file + " is not a port; use a number from 1 to 65535.", cause);
  }
}
