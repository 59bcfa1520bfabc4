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
package org.orcagrid.transport.rdma;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.NodePort;
import org.orcagrid.transport.tcp.NodeTransport;
import org.orcagrid.transport.tcp.TcpSettings;
import org.orcagrid.transport.tcp.TcpTransport;

/**
 * A node's way to the others over RDMA. They must all have it: nodes that do not refuse each other.
 *
 * <p>Peers are found, authenticated and watched over TCP, at the addresses and by the port that
 * {@link TcpTransport} has; only what they say about themselves there is believed.
 */
public final class RdmaTransport implements NodeTransport {
  /** What grids over RDMA have after their names, so that no other node takes them for its own. */
  private static final String MARK = " over RDMA";

  private final TcpSettings settings;
  private final RdmaSettings rdma;
  private final NodePort port;
  private final LinkListener listener;
  private final TcpTransport control;
  private final AtomicReferenceArray<RdmaEndpoint> endpoints;
  private final Object lock = new Object();

  // Guarded by the lock: open while an endpoint is.
  private RdmaDevice device;
  private int users;

  /**
   * A transport among places whose nodes come and go, as {@link TcpTransport} is one.
   *
   * @param settings as for TCP, of which the grid's name may have 54 characters
   * @param port where this node is connected to; open while the transport has an endpoint
   */
  public RdmaTransport(
      TcpSettings settings, RdmaSettings rdma, NodePort port, LinkListener listener) {
    this.settings = settings;
    this.rdma = rdma;
    this.port = port;
    this.listener = listener;
    this.endpoints = new AtomicReferenceArray<>(settings.workers());
    TcpSettings greetings =
        new TcpSettings(
            settings.gridName() + MARK,
            settings.self(),
            settings.nodes(),
            settings.workers(),
            settings.sessions(),
            PeerHello.BYTES,
            settings.grid());
    this.control = new TcpTransport(greetings, port, new Ups());
  }

  /**
   * Why there is no RDMA with these settings in this process, in one sentence; null if there is.
   */
  public static String problem(RdmaSettings rdma) {
    try {
      RdmaDevice.open(rdma).close();
      return null;
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  @Override
  public void change(List<String> addresses) {
    control.change(addresses);
  }

  TcpSettings settings() {
    return settings;
  }

  RdmaSettings rdma() {
    return rdma;
  }

  LinkListener listener() {
    return listener;
  }

  /** Tells of a peer that cannot be talked to, by the port, as of all that are refused. */
  void onRefused(int peer, String reason) {
    port.onPeerRefused(String.valueOf(address(peer)), reason);
  }

  HostPort address(int node) {
    return control.address(node);
  }

  /**
   * Opens a worker's endpoint, which can be connected to as soon as it is polled.
   *
   * @throws IOException if nothing can listen at this node's address, or there is no device
   */
  @Override
  public Endpoint open(int worker) throws IOException {
    Endpoint greetings = control.open(worker);
    try {
      RdmaEndpoint opened = new RdmaEndpoint(this, use(), greetings, worker);
      endpoints.set(worker, opened);
      return opened;
    } catch (IOException | RuntimeException | Error e) {
      greetings.close();
      release();
      throw e;
    }
  }

  private RdmaDevice use() throws IOException {
    synchronized (lock) {
      users++;
      if (device == null) {
        device = RdmaDevice.open(rdma);
      }
      return device;
    }
  }

  private void release() throws IOException {
    synchronized (lock) {
      users--;
      if (users == 0 && device != null) {
        RdmaDevice last = device;
        device = null;
        last.close();
      }
    }
  }

  void onClosed(int worker) throws IOException {
    endpoints.set(worker, null);
    release();
  }

  @Override
  public void close() {
    control.close();
  }

  /** Passes on what the links over TCP say to the worker's endpoint; by its thread. */
  private final class Ups implements LinkListener {
    @Override
    public void onUp(int peer, int worker) {
      RdmaEndpoint endpoint = endpoints.get(worker);
      if (endpoint != null) {
        endpoint.onReachable(peer);
      }
    }

    @Override
    public void onDown(int peer, int worker, String reason) {
      RdmaEndpoint endpoint = endpoints.get(worker);
      if (endpoint != null) {
        endpoint.onUnreachable(peer, reason);
      }
    }
  }
}
