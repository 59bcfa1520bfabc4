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
import java.util.concurrent.atomic.AtomicReference;
import org.orcagrid.ddp.node.Membership;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.member.GridMember;
import org.orcagrid.transport.tcp.member.MemberSettings;

/**
 * A grid of which this process is a node: relaxed accesses touch its own copy. The other nodes are
 * other processes, started with the same addresses.
 */
public final class MemberGrid implements Grid {
  private final GridMember member;
  private final AtomicReference<String> refused = new AtomicReference<>();

  private MemberGrid(MemberSettings settings, Membership membership)
      throws IOException, InterruptedException {
    // Whatever ends the node, its sessions say so.
    this.member =
        membership == null
            ? GridMember.start(settings, new Refusals(), reason -> {})
            : GridMember.join(
                settings, membership, new Refusals(), reason -> {}, MemberGrid::logWaiting);
  }

  private static void logWaiting(String waitsFor) {
    System.getLogger(MemberGrid.class.getName())
        .log(System.Logger.Level.DEBUG, "Waits for a place in the grid: {0}", waitsFor);
  }

  /**
   * Becomes node {@code self} of a grid, from 0.
   *
   * @param nodes where all nodes are, as in {@code host:7200,host:7200,other:7200}
   * @throws IllegalStateException if this node's address cannot be listened at
   */
  public static MemberGrid join(int self, String nodes) {
    return join(MemberSettings.of(self, HostPort.parseAll(nodes)));
  }

  /** Becomes a node of a grid of fixed nodes. */
  public static MemberGrid join(MemberSettings settings) {
    return join(settings, null);
  }

  /**
   * Becomes a node of a grid whose nodes find each other; returns when it has a place. Sessions
   * wait until it has caught up, if it follows another node.
   *
   * @param membership such as orca-server's {@code EnsembleMembership}; null for fixed nodes
   */
  public static MemberGrid join(MemberSettings settings, Membership membership) {
    try {
      return new MemberGrid(settings, membership);
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for a place in the grid", e);
    }
  }

  @Override
  public GridSession openSession() {
    return new GridSession(member.openSession(), member.node().valueBytesMax());
  }

  /**
   * Why another node was refused last, or has refused this one: usually a setting that differs.
   * Null if there was nothing of that kind.
   */
  public String lastRefusal() {
    return refused.get();
  }

  @Override
  public void close() {
    member.close();
  }

  private final class Refusals implements LinkListener {
    private static final System.Logger LOG = System.getLogger(MemberGrid.class.getName());

    @Override
    public void onTransport(String which) {
      LOG.log(System.Logger.Level.INFO, "The nodes of the grid talk over {0}", which);
    }

    @Override
    public void onUp(int peer, int worker) {
      LOG.log(System.Logger.Level.DEBUG, "Connected to node {0}", peer);
    }

    @Override
    public void onDown(int peer, int worker, String reason) {
      LOG.log(System.Logger.Level.DEBUG, "No connection to node {0}: {1}", peer, reason);
    }

    @Override
    public void onRefused(String address, String reason) {
      refused.set(address + ": " + reason);
      LOG.log(System.Logger.Level.WARNING, "{0}: {1}", address, reason);
    }
  }
}
