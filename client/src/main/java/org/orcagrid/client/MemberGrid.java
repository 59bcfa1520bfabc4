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

import java.io.IOException;
import java.time.Duration;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.client.map.MapHost;
import org.orcagrid.client.map.NodeMaps;
import org.orcagrid.ddp.map.Views;
import org.orcagrid.node.GridMember;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkLog;

/**
 * A grid of which this process is a node: it has a copy of Kite's keys, in memory, and of each map,
 * durable in a folder. The other nodes are other processes. Safe for use by many threads.
 */
public final class MemberGrid implements Grid, NodeMaps {
  private final GridMember member;
  private final MapHost host;
  private final LinkLog links;
  private final NodeSettings.Home home;
  private final Deadlines deadlines = new Deadlines();
  private final SharedViews views;
  private volatile boolean closed;

  private MemberGrid(GridMember member, LinkLog links, NodeSettings.Home home) {
    this.member = member;
    this.links = links;
    this.home = home;
    this.host = new MapHost(member.maps(), deadlines);
    this.views = SharedViews.of(member.node(), deadlines);
  }

  /**
   * Becomes a node of a grid whose views are agreed in an ensemble of ORCA or ZooKeeper servers.
   * Needs {@code org.orcagrid:membership-zookeeper} on the class path.
   *
   * @throws IllegalArgumentException if the settings have no ensemble, or ask for a console
   * @throws IllegalStateException as {@link #join(NodeSettings, Views)}, or if the ensemble does
   *     not help
   */
  static MemberGrid join(NodeSettings settings) {
    if (settings.links().console() != null) {
      throw noConsole();
    }
    try {
      return join(settings, settings.membership());
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while joining the grid", e);
    }
  }

  /**
   * Becomes a node. Returns when it has begun to join; sessions and maps are there once as many
   * others are as the grid needs: {@link #awaitServing} waits for that.
   *
   * @param membership closed with this
   * @throws IllegalArgumentException if the settings ask for a console
   * @throws IllegalStateException if the address cannot be listened at, the folder be used, or the
   *     transport be had
   */
  static MemberGrid join(NodeSettings settings, Views membership) {
    if (settings.links().console() != null) {
      membership.close();
      throw noConsole();
    }
    LinkLog links = new LinkLog();
    try {
      return new MemberGrid(
          // What ends the node, its operations say.
          GridMember.start(settings, membership, links, reason -> {}), links, settings.home());
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while joining the grid", e);
    }
  }

  private static IllegalArgumentException noConsole() {
    return new IllegalArgumentException(
        "grid.console.port: a program that joins a grid serves no console; leave it out, and look"
            + " at that of another node, which shows this one, too");
  }

  /** Waits until this node serves, with all that there is; whether it does. */
  public boolean awaitServing(Duration patience) throws InterruptedException {
    return member.node().awaitServing(patience.toNanos());
  }

  /**
   * Opens a session on Kite's keys.
   *
   * @throws IllegalStateException if all are in use, or the node does not serve
   */
  @Override
  public GridSession openSession() {
    return new GridSession(member.node().openSession(), member.node().valueBytesMax(), deadlines);
  }

  @Override
  public <K, V> KeyView<K, V> view(Codec<K> keys, Codec<V> values) {
    return views.view(keys, values);
  }

  @Override
  public MemberGrid sharedSessions(int most) {
    views.sessionsMax(most);
    return this;
  }

  /** What has ended the node; null while it works. */
  public Throwable failure() {
    return member.node().failure();
  }

  /** The grid's name. */
  public String gridName() {
    return home.grid();
  }

  /** Where this node listens, as others reach it. */
  public HostPort address() {
    return home.address();
  }

  /** What this node does and has counted, as it is now; cheap, any thread. */
  public NodeFigures figures() {
    return NodeFigures.of(member, closed);
  }

  @Override
  public DeadlineFigures deadlines() {
    return deadlines.figures();
  }

  @Override
  public GridMaps maps() {
    return host;
  }

  /**
   * Why another node was refused last, or has refused this one: usually a setting that differs.
   * Null if there was nothing of that kind.
   */
  public String lastRefusal() {
    return links.lastRefusal();
  }

  /** Leaves in good order: the others need not wait for this node's lease to end. */
  @Override
  public void close() {
    closed = true;
    member.close();
  }
}
