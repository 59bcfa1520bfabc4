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
package org.orcagrid.ratis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.orcagrid.geo.log.LogNode;
import org.orcagrid.transport.tcp.HostPort;

/** What Ratis calls the nodes and the partitions' groups. */
final class Groups {
  private static final String PREFIX = "n";

  private final LogNode node;

  Groups(LogNode node) {
    this.node = node;
  }

  static RaftPeerId peer(int number) {
    return RaftPeerId.valueOf(PREFIX + number);
  }

  /** The node's number, -1 for none. */
  static int number(RaftPeerId peer) {
    return peer == null ? -1 : Integer.parseInt(peer.toString().substring(PREFIX.length()));
  }

  HostPort own() {
    return node.nodes().get(node.number());
  }

  RaftGroup of(int partition, List<Integer> members) {
    String name = node.storeId() + "/" + partition + "/" + members;
    UUID id = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    List<RaftPeer> peers = new ArrayList<>();
    for (int each : members) {
      HostPort address = node.nodes().get(each);
      peers.add(
          RaftPeer.newBuilder()
              .setId(peer(each))
              .setAddress(address.host() + ":" + (address.port() + RatisKind.PORT_OFFSET))
              .build());
    }
    return RaftGroup.valueOf(RaftGroupId.valueOf(id), peers);
  }
}
