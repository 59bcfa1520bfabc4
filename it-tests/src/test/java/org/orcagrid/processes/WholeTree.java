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
package org.orcagrid.processes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** All nodes that a server has, as its super user sees them. */
final class WholeTree {
  /** Lets {@link #PASSWORD} see everything. */
  static final String SUPER_FLAG =
      "-Dzookeeper.DigestAuthenticationProvider.superDigest=super:D/InIHSb7yEEbrWz8b9l71RjZJU=";

  private static final String PASSWORD = "super:test";

  private WholeTree() {}

  /** Returns what a client can see of each node, by its path. */
  static Map<String, String> read(ZooKeeper client) throws KeeperException, InterruptedException {
    client.addAuthInfo("digest", PASSWORD.getBytes(UTF_8));
    client.sync("/");
    Map<String, String> nodes = new TreeMap<>();
    read(client, "/", nodes);
    return nodes;
  }

  private static void read(ZooKeeper client, String path, Map<String, String> nodes)
      throws KeeperException, InterruptedException {
    if (path.equals(ZooDefs.CONFIG_NODE)) {
      return; // Each server writes it when it starts.
    }
    Stat stat = new Stat();
    byte[] data = client.getData(path, false, stat);
    nodes.put(
        path,
        Arrays.hashCode(data)
            + " "
            + stat.toString().trim()
            + " "
            + client.getACL(path, new Stat()));
    for (String child : client.getChildren(path, false)) {
      read(client, path.equals("/") ? "/" + child : path + "/" + child, nodes);
    }
  }
}
