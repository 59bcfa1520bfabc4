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
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;

/** Which nodes of a grid are parts of servers of its ensemble, as the ensemble has it. */
final class HostedPlaces {
  /** ZooKeeper's sessions have the number of the server that has made them in their first byte. */
  private static final int SERVER_SHIFT = 56;

  private final GridRegistry registry;

  HostedPlaces(GridRegistry registry) {
    this.registry = registry;
  }

  private String node(int place) {
    return registry.path() + "/hosted/" + place;
  }

  /**
   * Notes whether the node of a place, whose registry this is, is part of a server, and of which: a
   * hosted node is connected to no other one.
   */
  void note(int place, boolean hosted) throws KeeperException, InterruptedException {
    long server = registry.client().getSessionId() >>> SERVER_SHIFT;
    byte[] number = Long.toString(server).getBytes(StandardCharsets.UTF_8);
    if (!hosted) {
      if (registry.client().exists(node(place), false) != null) {
        registry.client().delete(node(place), -1);
      }
    } else if (!registry.createIfAbsent(node(place), number, CreateMode.PERSISTENT)) {
      registry.client().setData(node(place), number, -1);
    }
  }

  /**
   * Refuses a node that is part of a server which is in the ensemble.
   *
   * @throws ServerInEnsembleException if it is
   */
  void requireNone(int place, String address)
      throws KeeperException, IOException, InterruptedException {
    Optional<byte[]> hosted = registry.readUnwatched(node(place));
    if (hosted.isEmpty()) {
      return;
    }
    int server = GridRegistry.number(new String(hosted.get(), StandardCharsets.UTF_8));
    if (server < 0) {
      throw new IOException(
          "The node at %s is part of a server that does not say its number: restart that server"
              .formatted(address));
    }
    EnsembleConfig config = EnsembleConfig.parse(registry.client().getConfig(false, null));
    if (config.servers().isEmpty() || config.has(server)) {
      throw new ServerInEnsembleException(
          ("The node at %s is part of server %d of the ensemble at %s, which carries a vote there."
                  + " Take the server out of the ensemble first ('reconfig -remove %d')")
              .formatted(address, server, registry, server),
          server);
    }
  }
}
