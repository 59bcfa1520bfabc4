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
package org.orcagrid.transport.tcp;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Where somebody listens.
 *
 * @param host a name or an address
 * @param port 1 to 65535
 */
public record HostPort(String host, int port) {
  /** Where a node is that has no address yet; written as a dash. */
  public static final HostPort NOWHERE = new HostPort("-", 1);

  private static final int PORT_MAX = 65535;

  /** Refuses what is no address. */
  public HostPort {
    if (host.isBlank() || port < 1 || port > PORT_MAX) {
      throw new IllegalArgumentException(
          "An address is a host and a port from 1 to 65535, as in localhost:7200, not "
              + host
              + ":"
              + port);
    }
  }

  /** Reads {@code host:port}, with brackets around an IPv6 address. */
  public static HostPort parse(String text) {
    String trimmed = text.trim();
    if (trimmed.equals(NOWHERE.host)) {
      return NOWHERE;
    }
    int colon = trimmed.lastIndexOf(':');
    String host = colon < 0 ? "" : trimmed.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    try {
      return new HostPort(host, Integer.parseInt(trimmed.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no address; write host:port, as in localhost:7200", e);
    }
  }

  /** Reads several, with commas between them. */
  public static List<HostPort> parseAll(String text) {
    List<HostPort> all = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      all.add(parse(each));
    }
    return List.copyOf(all);
  }

  /** As the JDK has it, looked up now. */
  public InetSocketAddress resolve() {
    return new InetSocketAddress(host, port);
  }

  @Override
  public String toString() {
    if (equals(NOWHERE)) {
      return host;
    }
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
