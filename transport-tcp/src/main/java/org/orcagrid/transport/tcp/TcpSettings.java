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

import java.util.List;

/**
 * The links of a grid's nodes. All nodes must have the same, but for {@code self}.
 *
 * @param gridName the grid's name; nodes of another name are refused
 * @param self this node's place in {@code nodes}
 * @param nodes where each node listens, {@link HostPort#NOWHERE} if that is not known yet
 * @param workers workers of a node
 * @param sessions sessions of a worker
 * @param packetBytesMax bytes of a packet at most
 * @param grid tells the grid from others of the same name
 */
public record TcpSettings(
    String gridName,
    int self,
    List<HostPort> nodes,
    int workers,
    int sessions,
    int packetBytesMax,
    long grid) {
  /** Links of a grid that is told from others by its name alone. */
  public TcpSettings(
      String gridName,
      int self,
      List<HostPort> nodes,
      int workers,
      int sessions,
      int packetBytesMax) {
    this(gridName, self, nodes, workers, sessions, packetBytesMax, 0);
  }

  /** Refuses settings that cannot work. */
  public TcpSettings {
    nodes = List.copyOf(nodes);
    if (gridName.isBlank() || gridName.length() > Hello.NAME_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "A grid's name has 1 to " + Hello.NAME_LENGTH_MAX + " characters: \"" + gridName + "\"");
    }
    if (self < 0 || self >= nodes.size()) {
      throw new IllegalArgumentException("There is no node " + self + " among " + nodes);
    }
    for (int i = 0; i < nodes.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (nodes.get(i).equals(nodes.get(j)) && !nodes.get(i).equals(HostPort.NOWHERE)) {
          throw new IllegalArgumentException(
              "Node " + j + " and node " + i + " have the same address, " + nodes.get(i));
        }
      }
    }
  }
}
