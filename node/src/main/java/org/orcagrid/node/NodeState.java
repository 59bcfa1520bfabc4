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
package org.orcagrid.node;

import java.util.List;
import org.orcagrid.ddp.map.MapFigures;
import org.orcagrid.ddp.map.WorkerFigures;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.PeerLease;
import org.orcagrid.ddp.node.KeysFigures;
import org.orcagrid.ddp.transfer.Progress;

/**
 * What a node says of itself and of its grid at a moment: what the console and {@code orca grid
 * status} show.
 *
 * @param self who says it, and whether it serves
 * @param view the newest view that it knows, null for none
 * @param sinceMillis by place, the wall clock's time when this node first saw what the place is in
 *     the view; a node that has just started has just seen it
 * @param peers what it knows of the other members of the view that it is in
 * @param keys what it has of Kite's keys
 * @param counts what it has counted since it started
 * @param catchUp how far it is with catching up
 * @param workers those of its workers that have answered
 */
public record NodeState(
    Self self,
    GridView view,
    List<Long> sinceMillis,
    List<PeerLease> peers,
    KeysFigures keys,
    Counts counts,
    Progress catchUp,
    List<WorkerFigures> workers) {
  /** So many maps are told of; those with the greatest numbers are left out. */
  public static final int MAPS_MAX = 1000;

  /**
   * The node.
   *
   * @param grid the grid's name
   * @param place its place
   * @param address where it listens
   * @param serves whether it serves keys and maps
   * @param inView the view that it is in, 0 if it is in none
   * @param leaseMillis for how long it may serve without hearing from the others, 0 if it may not;
   *     {@link #ALONE} if it needs no lease
   * @param startedMillis when it was started, by its wall clock
   * @param workers how many it has; those that {@link NodeState#workers} lacks stand still
   * @param mapsLeftOut how many maps are not told of
   * @param failure what has ended it, null while it works
   */
  public record Self(
      String grid,
      int place,
      String address,
      boolean serves,
      int inView,
      long leaseMillis,
      long startedMillis,
      int workers,
      int mapsLeftOut,
      String failure) {
    /** In the place of a lease: all nodes that serve are in this process. */
    public static final long ALONE = -1;
  }

  /**
   * What a node has counted; the first two are numbers of now.
   *
   * @param clients clients that are connected, without the one that asks
   * @param peers other nodes that there is a link to
   * @param keyMessagesResent messages of keys that found no room in their link
   * @param mapFramesResent frames of maps that found no room in their link
   * @param linksLost links that were lost
   * @param badPackets packets that were damaged, or that no node can have sent
   * @param refused connections to its port that were refused or failed
   */
  public record Counts(
      int clients,
      int peers,
      long linksLost,
      long badPackets,
      long refused,
      long keyMessagesResent,
      long mapFramesResent) {}

  /** Copies the lists. */
  public NodeState {
    sinceMillis = List.copyOf(sinceMillis);
    peers = List.copyOf(peers);
    workers = List.copyOf(workers);
  }

  /** The maps of all workers that have answered. */
  public List<MapFigures> maps() {
    return workers.stream().flatMap(worker -> worker.maps().stream()).toList();
  }
}
