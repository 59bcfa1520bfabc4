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
package org.orcagrid.client;

import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.node.Node;
import org.orcagrid.ddp.transfer.Progress;
import org.orcagrid.node.CountedLinks;
import org.orcagrid.node.GridMember;

/**
 * What a node does at a moment, and what it has counted since it was started.
 *
 * @param serving whether it serves, by the last view that it knows
 * @param grid the grid, by the same view
 * @param catchUp how far it is with catching up
 * @param counts what happens to its keys and maps
 * @param links its connections
 */
public record NodeFigures(
    boolean serving, View grid, Progress catchUp, Counts counts, Links links) {
  /**
   * The grid as a view has it; zeros before the first one.
   *
   * @param nodes members that serve
   * @param maps its maps
   */
  public record View(int nodes, int maps) {}

  /**
   * What happens to keys and maps. The first three begin anew when the keys do.
   *
   * @param slowReleases releases that have not heard from all nodes in time, and went on with a
   *     majority
   * @param slowPaths how often the node's accesses went to the slow path
   * @param keyMessagesResent messages of keys that found no room in their link
   * @param mapFramesResent frames of maps that found no room in their link
   * @param zoneRecords records put into zones of peers; 0 without them
   */
  public record Counts(
      long slowReleases,
      long slowPaths,
      long keyMessagesResent,
      long mapFramesResent,
      long zoneRecords) {}

  /**
   * Connections of a node.
   *
   * @param peers other nodes that there is a link to
   * @param lost links that were lost: a node has several to each other one
   * @param badPackets packets that were damaged, or that no node can have sent
   * @param clients clients that are connected
   * @param forwarders other nodes that are connected to use maps of this one
   * @param homes other nodes that this one is connected to, for maps that it does not have
   * @param refused connections to its port that were refused or failed
   */
  public record Links(
      int peers,
      long lost,
      long badPackets,
      int clients,
      int forwarders,
      int homes,
      long refused) {}

  static NodeFigures of(GridMember member, boolean closed) {
    CountedLinks links = member.links();
    Node node = member.node();
    AgreedView view = node.maps().view();
    boolean serving =
        !closed
            && node.failure() == null
            && node.keysServe()
            && view != null
            && view.nodes().serves(node.maps().self());
    return new NodeFigures(
        serving,
        view == null
            ? new View(0, 0)
            : new View(Integer.bitCount(view.nodes().serving()), view.maps().size()),
        node.progress(),
        new Counts(
            node.slowReleases(),
            node.epoch(),
            node.droppedMessages(),
            node.maps().droppedFrames(),
            node.maps().recordsInZones()),
        new Links(
            links.peers(),
            links.lost(),
            links.badPackets(),
            member.clients(),
            member.forwarders(),
            member.homes(),
            member.refused()));
  }
}
