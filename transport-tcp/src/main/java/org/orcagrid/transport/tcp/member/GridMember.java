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
package org.orcagrid.transport.tcp.member;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.orcagrid.ddp.kite.View;
import org.orcagrid.ddp.node.GridNode;
import org.orcagrid.ddp.node.LocalSession;
import org.orcagrid.ddp.node.Membership;
import org.orcagrid.ddp.node.RequestQueue;
import org.orcagrid.ddp.node.Roster;
import org.orcagrid.transport.tcp.ClientAdmission;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.IoKind;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.NodePort;
import org.orcagrid.transport.tcp.NodeTransport;
import org.orcagrid.transport.tcp.NodeTransports;
import org.orcagrid.transport.tcp.remote.ClientGateway;

/**
 * A node of a grid whose nodes are in processes of their own. The nodes are fixed: each is given
 * the addresses of all. A node that has gone must not come back under its number: it has forgotten
 * what it had promised (see docs/protocols/kite.md).
 */
public final class GridMember implements AutoCloseable {
  private final GridNode node;
  private final ClientGateway gateway;
  private final MemberSettings settings;
  private final NodePort port;
  private final NodeTransport transport;
  private final Membership membership;
  private final Consumer<Throwable> failures;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  private GridMember(
      MemberSettings settings,
      Roster roster,
      Membership membership,
      NodePort port,
      NodeTransports transports,
      LinkListener listener,
      Consumer<Throwable> failures)
      throws IOException {
    this.settings = settings;
    this.port = port;
    this.membership = membership;
    this.failures = failures;
    this.transport = transports.ofNodes(settings.links(), roster, port, listener);
    View view = roster == null ? View.first(settings.nodes().size()) : roster.view();
    this.node =
        GridNode.start(
            settings.kite(),
            settings.limits(),
            view,
            new GridNode.Surroundings(
                transport,
                System::nanoTime,
                new DefaultThreadFactory("orca-grid-" + settings.self() + "-worker", true),
                this::fail));
    try {
      this.gateway =
          settings.security().clients() == ClientAdmission.NONE ? null : gateway(listener);
    } catch (IOException | RuntimeException e) {
      node.close();
      throw e;
    }
    if (gateway == null) {
      port.refuseClients(settings.cluster());
    }
  }

  private ClientGateway gateway(LinkListener listener) throws IOException {
    return new ClientGateway(
        settings.cluster(),
        port,
        node,
        new DefaultThreadFactory("orca-grid-" + settings.self() + "-clients", true),
        listener);
  }

  private static NodePort port(MemberSettings settings, LinkListener listener) throws IOException {
    return NodePort.of(settings.address(), settings.security(), IoKind.best(), listener);
  }

  private void fail(Throwable reason) {
    failure.set(reason);
    failures.accept(reason);
  }

  /**
   * Starts a node among fixed others. It serves as soon as a majority of the nodes does.
   *
   * @param failures is told what has ended a worker: a fault of this program
   * @throws IOException if an address cannot be listened at, or there is no TLS or transport to be
   *     had
   */
  public static GridMember start(
      MemberSettings settings, LinkListener listener, Consumer<Throwable> failures)
      throws IOException {
    NodeTransports transports = settings.transport().open(listener);
    NodePort port = port(settings, listener);
    port.open();
    try {
      return new GridMember(settings, null, null, port, transports, listener, failures);
    } catch (IOException | RuntimeException e) {
      port.close();
      throw e;
    }
  }

  /**
   * Starts a node that finds the others. Returns when it has a place; it serves as soon as a
   * majority does and, if it follows another node, it has caught up.
   *
   * @param membership closed with the node
   * @param failures is told what has ended the node, be it that another one has its place
   * @param progress is told what is waited for
   */
  public static GridMember join(
      MemberSettings settings,
      Membership membership,
      LinkListener listener,
      Consumer<Throwable> failures,
      Consumer<String> progress)
      throws IOException, InterruptedException {
    Arrivals arrivals = new Arrivals();
    GridMember member;
    NodePort opened = null;
    try {
      // Before a place is taken: one that cannot be used would be lost to the others.
      NodeTransports transports = settings.transport().open(listener);
      NodePort port = port(settings, listener);
      port.open();
      opened = port;
      Roster roster = membership.join(settings.address().toString(), arrivals, progress);
      List<HostPort> addresses = roster.addresses().stream().map(HostPort::parse).toList();
      member =
          new GridMember(
              settings.at(roster.self(), addresses),
              roster,
              membership,
              port,
              transports,
              listener,
              failures);
    } catch (IOException | InterruptedException | RuntimeException e) {
      if (opened != null) {
        opened.close();
      }
      membership.close();
      throw e;
    }
    arrivals.tell(member);
    return member;
  }

  /** Keeps what the membership tells until the member is there. */
  private static final class Arrivals implements Membership.Listener {
    private Roster last;
    private String lost;
    private GridMember member;

    @Override
    public synchronized void onRoster(Roster next) {
      last = next;
      tell();
    }

    @Override
    public synchronized void onPlaceLost(String reason) {
      lost = reason;
      tell();
    }

    @Override
    public synchronized boolean isServing() {
      return member != null && member.node.isServing();
    }

    synchronized void tell(GridMember started) {
      member = started;
      tell();
    }

    private void tell() {
      if (member == null) {
        return;
      }
      if (last != null) {
        member.transport.change(last);
        member.node.offer(last.view());
      }
      if (lost != null) {
        member.fail(new IllegalStateException(lost));
        member.node.close();
      }
    }
  }

  /** The settings, with the place that the node has and where the others are. */
  public MemberSettings settings() {
    return settings;
  }

  /** The node. */
  public GridNode node() {
    return node;
  }

  /** What has ended a worker; null if nothing has. */
  public Throwable failure() {
    return failure.get();
  }

  /**
   * Opens a session at this node.
   *
   * @throws IllegalStateException if all are in use, or a worker has failed
   */
  public LocalSession openSession() {
    return openSession(RequestQueue.DEPTH);
  }

  /**
   * Opens a session at this node that has fewer operations under way at most, as {@link
   * GridNode#openSession(int)} does.
   *
   * @throws IllegalStateException if all are in use, or a worker has failed
   */
  public LocalSession openSession(int depth) {
    Throwable reason = failure.get();
    if (reason != null) {
      throw new IllegalStateException("A worker of the node has failed: " + reason, reason);
    }
    return node.openSession(depth);
  }

  /** Ends the node. What was under way has an unknown outcome. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (gateway != null) {
      gateway.close();
    }
    node.close();
    port.close();
    if (membership != null) {
      membership.close();
    }
  }
}
