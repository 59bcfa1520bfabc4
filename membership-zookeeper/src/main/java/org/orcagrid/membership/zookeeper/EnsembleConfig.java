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
package org.orcagrid.membership.zookeeper;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The servers of an ensemble, as its {@code /zookeeper/config} names them.
 *
 * @param servers what follows {@code server.N=} there, by N; none of a server that is alone
 */
public record EnsembleConfig(SortedMap<Integer, String> servers) {
  private static final String KEY = "server.";

  /** Copies the map. */
  public EnsembleConfig {
    servers = Collections.unmodifiableSortedMap(new TreeMap<>(servers));
  }

  /** What an ensemble says; nothing where that cannot be read. */
  public static EnsembleConfig parse(byte[] text) {
    Properties lines = new Properties();
    try {
      lines.load(new StringReader(new String(text, StandardCharsets.UTF_8)));
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException("No configuration of an ensemble: " + e.getMessage(), e);
    }
    SortedMap<Integer, String> servers = new TreeMap<>();
    for (String name : lines.stringPropertyNames()) {
      int number = name.startsWith(KEY) ? GridRegistry.number(name.substring(KEY.length())) : -1;
      if (number >= 0) {
        servers.put(number, lines.getProperty(name).trim());
      }
    }
    return new EnsembleConfig(servers);
  }

  /** Whether a server is one of them, with a vote or as an observer. */
  public boolean has(int server) {
    return servers.containsKey(server);
  }

  /** Those whose votes count. */
  public SortedSet<Integer> voters() {
    SortedSet<Integer> voters = new TreeSet<>();
    for (Map.Entry<Integer, String> each : servers.entrySet()) {
      if (!each.getValue().split(";", 2)[0].endsWith(":observer")) {
        voters.add(each.getKey());
      }
    }
    return voters;
  }

  /** How many of the voters may be lost before there is no quorum. */
  public int losses() {
    return Math.max(0, (voters().size() - 1) / 2);
  }

  /** Host:port for clients, of those servers that tell it. */
  public List<String> clients() {
    List<String> clients = new ArrayList<>();
    for (String server : servers.values()) {
      String[] halves = server.split(";", 2);
      if (halves.length == 2) {
        String client = halves[1].trim();
        int colon = client.lastIndexOf(':');
        String host = colon < 0 ? "" : client.substring(0, colon);
        clients.add((isAny(host) ? host(halves[0]) : host) + ":" + client.substring(colon + 1));
      }
    }
    return clients;
  }

  /** Whether that is any address of the server, which nobody can connect to as such. */
  private static boolean isAny(String host) {
    return host.isEmpty() || host.equals("0.0.0.0") || host.matches("\\[[0:]*]");
  }

  private static String host(String peer) {
    String first = peer.trim();
    int end = first.startsWith("[") ? first.indexOf(']') + 1 : first.indexOf(':');
    return end <= 0 ? first : first.substring(0, end);
  }
}
