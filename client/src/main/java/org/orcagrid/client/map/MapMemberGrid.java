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
package org.orcagrid.client.map;

import java.io.IOException;
import java.time.Duration;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridSession;
import org.orcagrid.ddp.map.MapMembership;
import org.orcagrid.ddp.node.SessionHost;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.member.MapMember;
import org.orcagrid.transport.tcp.member.MapMemberSettings;

/**
 * A grid of which this process is a node: it has a copy of each map, durable in a folder, and, if
 * its settings say so, of Kite's keys, in memory. The other nodes are other processes. Safe for use
 * by many threads.
 */
public final class MapMemberGrid implements Grid, NodeMaps {
  private final MapMember member;
  private final MapHost host;

  private MapMemberGrid(MapMember member) {
    this.member = member;
    this.host = new MapHost(member.node());
  }

  /**
   * Becomes a node of a grid whose views are agreed in an ensemble of ORCA or ZooKeeper servers.
   * Needs {@code org.orcagrid:membership-zookeeper} on the class path.
   *
   * @param ensemble host:port of some of its servers, with commas between them
   * @throws IllegalStateException as {@link #join(MapMemberSettings, MapMembership)}, or if the
   *     ensemble does not help
   */
  public static MapMemberGrid join(MapMemberSettings settings, String ensemble) {
    try {
      return join(settings, settings.membership(ensemble));
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while joining the grid", e);
    }
  }

  /**
   * Becomes a node. Returns when it has begun to join; maps are there, and operations go on, once
   * as many others are as the grid needs.
   *
   * @param membership closed with this
   * @throws IllegalStateException if the address cannot be listened at, the folder be used, or the
   *     transport be had
   */
  public static MapMemberGrid join(MapMemberSettings settings, MapMembership membership) {
    try {
      return new MapMemberGrid(
          // What ends the node, its operations say.
          MapMember.start(settings, membership, new Log(), reason -> {}, MapHost.wallClock()));
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while joining the grid", e);
    }
  }

  /** Waits until this node serves, with all that there is; whether it does. */
  public boolean awaitServing(Duration patience) throws InterruptedException {
    return member.awaitServing(patience.toNanos());
  }

  /**
   * Opens a session on Kite's keys.
   *
   * @throws IllegalStateException if all are in use, the node does not serve, or its settings say
   *     that it has no keys
   */
  @Override
  public GridSession openSession() {
    SessionHost sessions = member.sessions();
    if (sessions == null) {
      throw new IllegalStateException(
          "This node has maps and no keys; start all nodes with MapMemberSettings.withKeys");
    }
    return new GridSession(sessions.openSession(), sessions.valueBytesMax());
  }

  /** What has ended the node; null while it works. */
  public Throwable failure() {
    return member.node().failure();
  }

  @Override
  public MapGrid maps() {
    return host;
  }

  /** Leaves in good order: the others need not wait for this node's lease to end. */
  @Override
  public void close() {
    member.close();
  }

  private static final class Log implements LinkListener {
    @Override
    public void onTransport(String which) {
      System.getLogger(MapMemberGrid.class.getName())
          .log(System.Logger.Level.INFO, "The nodes of maps talk over {0}", which);
    }

    @Override
    public void onRefused(String address, String reason) {
      System.getLogger(MapMemberGrid.class.getName())
          .log(System.Logger.Level.WARNING, "{0}: {1}", address, reason);
    }
  }
}
