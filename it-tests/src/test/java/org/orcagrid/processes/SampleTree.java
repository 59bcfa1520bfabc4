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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/** A tree with nodes of every kind that a server must find again in its files. */
final class SampleTree {
  private static final int LARGE_BYTES = 200_000;
  private static final String PASSWORD = "reader:secret";

  private SampleTree() {}

  /** Everything that a client can see of a node. */
  record Node(int contentHash, int contentLength, Stat stat, List<ACL> acl) {}

  /**
   * Writes a part of the tree below {@code /name}, with {@code count} small writes in it.
   *
   * @param owner whose session the ephemeral nodes belong to
   */
  static void write(ZooKeeper owner, String name, int count)
      throws KeeperException, InterruptedException {
    String root = "/" + name;
    authenticate(owner);
    create(owner, root, CreateMode.PERSISTENT);
    create(owner, root + "/ephemeral", CreateMode.EPHEMERAL);
    create(owner, root + "/container", CreateMode.CONTAINER);
    create(owner, root + "/container/child", CreateMode.PERSISTENT);
    create(owner, root + "/changing", CreateMode.PERSISTENT);
    byte[] large = new byte[LARGE_BYTES];
    new Random(name.hashCode()).nextBytes(large);
    owner.create(root + "/large", large, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    owner.create(
        root + "/mine", "secret".getBytes(UTF_8), Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);
    create(owner, root + "/readable", CreateMode.PERSISTENT);
    owner.setACL(
        root + "/readable",
        Arrays.asList(new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE), Ids.CREATOR_ALL_ACL.get(0)),
        -1);
    create(owner, root + "/queue", CreateMode.PERSISTENT);
    for (int i = 0; i < count; i++) {
      create(owner, root + "/queue/n", CreateMode.PERSISTENT_SEQUENTIAL);
      if (i % 3 == 0) {
        owner.setData(root + "/changing", Integer.toString(i).getBytes(UTF_8), -1);
      }
    }
    owner.multi(
        List.of(
            Op.create(root + "/multi", new byte[1], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT),
            Op.setData(root + "/multi", new byte[2], 0),
            Op.create(root + "/gone", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT),
            Op.delete(root + "/gone", 0)));
  }

  /** Changes a part of the tree that may have been written by another kind of server. */
  static void change(ZooKeeper client, String name) throws KeeperException, InterruptedException {
    String root = "/" + name;
    authenticate(client);
    List<String> queue = new ArrayList<>(client.getChildren(root + "/queue", false));
    Collections.sort(queue);
    for (String child : queue.subList(0, queue.size() / 2)) {
      client.delete(root + "/queue/" + child, 0);
    }
    client.setData(root + "/large", new byte[LARGE_BYTES / 2], -1);
    client.multi(
        List.of(
            Op.check(root + "/multi", 1),
            Op.delete(root + "/container/child", -1),
            Op.create(
                root + "/container/other", new byte[3], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT),
            Op.setData(root + "/mine", "other".getBytes(UTF_8), 0)));
    client.setACL(root + "/readable", Ids.CREATOR_ALL_ACL, 1);
  }

  /** Returns the number that the next sequential node of a part gets; makes that node. */
  static int nextInQueue(ZooKeeper client, String name)
      throws KeeperException, InterruptedException {
    String path = create(client, "/" + name + "/queue/n", CreateMode.PERSISTENT_SEQUENTIAL);
    return Integer.parseInt(path.substring(path.lastIndexOf('n') + 1));
  }

  /** Reads all nodes, except ZooKeeper's own, as the server shows them that it is connected to. */
  static Map<String, Node> read(ZooKeeper client) throws KeeperException, InterruptedException {
    authenticate(client);
    // A stock server shows what it has, which may be less than the leader's.
    client.sync("/");
    Map<String, Node> nodes = new TreeMap<>();
    for (String child : client.getChildren("/", false)) {
      if (!child.equals("zookeeper")) {
        read(client, "/" + child, nodes);
      }
    }
    return nodes;
  }

  private static void read(ZooKeeper client, String path, Map<String, Node> nodes)
      throws KeeperException, InterruptedException {
    Stat stat = new Stat();
    byte[] content = client.getData(path, false, stat);
    nodes.put(
        path,
        new Node(Arrays.hashCode(content), content.length, stat, client.getACL(path, new Stat())));
    for (String child : client.getChildren(path, false)) {
      read(client, path + "/" + child, nodes);
    }
  }

  private static void authenticate(ZooKeeper client) {
    client.addAuthInfo("digest", PASSWORD.getBytes(UTF_8));
  }

  private static String create(ZooKeeper client, String path, CreateMode mode)
      throws KeeperException, InterruptedException {
    return client.create(path, path.getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, mode);
  }
}
