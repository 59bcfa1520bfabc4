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

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.orcagrid.ddp.transport.Endpoint;

/** A node's way to the others over TCP. */
public final class TcpTransport implements NodeTransport {
  private final TcpSettings settings;
  private final NodePort port;
  private final LinkListener listener;

  /** The workers' endpoints that can take connections. */
  private final AtomicReferenceArray<TcpEndpoint> endpoints;

  /** What runs the connections of each worker whose endpoint was opened. */
  private final AtomicReferenceArray<EventLoop> loops;

  private final Map<HostPort, InetSocketAddress> resolved = new ConcurrentHashMap<>();
  private final Set<HostPort> lookedUp = ConcurrentHashMap.newKeySet();
  private final Executor lookUps;

  private final AtomicLong badPackets = new AtomicLong();

  private volatile List<HostPort> addresses;

  /** How often it was said where nodes are, also if nothing has changed. */
  private final AtomicInteger tellings = new AtomicInteger();

  /**
   * A transport among places whose nodes come and go, and say in every packet which life they are:
   * whoever belongs to the grid may connect.
   *
   * @param settings with where the nodes are at first; nobody connects to one that is {@link
   *     HostPort#NOWHERE}
   * @param port where this node is connected to; open while the transport has an endpoint. Its
   *     listener is told of refusals
   */
  public TcpTransport(TcpSettings settings, NodePort port, LinkListener listener) {
    this.settings = settings;
    this.addresses = settings.nodes();
    // A thread while there is something to look up: the common pool may be full of who knows what.
    this.lookUps =
        new ThreadPoolExecutor(
            0,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory("orca-grid-" + settings.self() + "-names", true));
    this.port = port;
    this.listener = listener;
    // The last one is beside the workers.
    this.endpoints = new AtomicReferenceArray<>(settings.workers() + 1);
    this.loops = new AtomicReferenceArray<>(settings.workers());
    port.admitPeers(settings.gridName(), this::judge);
  }

  /** Packets that were damaged or that no node can have sent; each has ended its connection. */
  public long badPackets() {
    return badPackets.get();
  }

  void countBadPacket() {
    badPackets.incrementAndGet();
  }

  @Override
  public void change(List<String> next) {
    if (next.size() != settings.nodes().size()) {
      throw new IllegalArgumentException(
          "This node has room for "
              + settings.nodes().size()
              + " nodes, and is told of "
              + next.size()
              + " places");
    }
    addresses = next.stream().map(HostPort::parse).toList();
    tellings.incrementAndGet();
  }

  int tellings() {
    return tellings.get();
  }

  /**
   * Where to connect to; null while the name is looked up, which can take long and is done by
   * another thread than the asking worker.
   */
  InetSocketAddress resolved(HostPort address) {
    InetSocketAddress known = resolved.get(address);
    if (known == null && lookedUp.add(address)) {
      lookUps.execute(
          () -> {
            resolved.put(address, address.resolve());
            lookedUp.remove(address);
          });
    }
    return known;
  }

  /** An address has not led to its node: it is looked up again next time. */
  void forget(HostPort address) {
    resolved.remove(address);
  }

  /** Where a node listens; null if that is not known. */
  public HostPort address(int node) {
    HostPort address = addresses.get(node);
    return address.equals(HostPort.NOWHERE) ? null : address;
  }

  TcpSettings settings() {
    return settings;
  }

  NodePort port() {
    return port;
  }

  LinkListener listener() {
    return listener;
  }

  /** What a worker of this node says of itself. */
  Hello hello(int to, int worker) {
    Hello.Shape shape =
        new Hello.Shape(
            settings.nodes().size(),
            settings.workers(),
            settings.sessions(),
            settings.packetBytesMax());
    return new Hello(
        Hello.VERSION,
        Hello.Kind.NODE,
        settings.gridName(),
        settings.self(),
        to,
        worker,
        settings.grid(),
        shape);
  }

  /** Whom a peer's connection is for; called in the port's thread. */
  private Verdict judge(Hello hello) {
    String refusal = hello(settings.self(), 0).refusal(hello);
    if (refusal != null) {
      return new Verdict.Refused(refusal);
    }
    TcpEndpoint endpoint = endpoints.get(hello.worker());
    return endpoint == null
        ? new Verdict.NotYet("its worker " + hello.worker() + " is starting, or ending")
        : new Verdict.Admitted(endpoint.ownerFor(hello), settings.grid());
  }

  /** A worker's endpoint can take connections from now on; or cannot any more, if it is null. */
  void onEndpoint(int worker, TcpEndpoint endpoint) {
    endpoints.set(worker, endpoint);
  }

  /**
   * What runs a worker's connections: of the worker's thread, from {@link #open} until the worker
   * ends. Whoever else has connections run by it needs no other thread for them.
   */
  public EventLoop loop(int worker) {
    return loops.get(worker);
  }

  /**
   * Opens a worker's endpoint, which can be connected to as soon as it is polled.
   *
   * @throws IOException if nothing can listen at this node's address
   */
  @Override
  public Endpoint open(int worker) throws IOException {
    port.open();
    try {
      TcpEndpoint endpoint = new TcpEndpoint(this, worker, settings.packetBytesMax());
      loops.set(worker, endpoint.loop());
      return endpoint;
    } catch (RuntimeException | Error e) {
      // Memory may have ended: nobody else gives the port back.
      port.close();
      throw e;
    }
  }

  @Override
  public Endpoint openBeside() throws IOException {
    port.open();
    try {
      return new TcpEndpoint(this, settings.workers(), BESIDE_BYTES_MAX);
    } catch (RuntimeException | Error e) {
      // Memory may have ended: nobody else gives the port back.
      port.close();
      throw e;
    }
  }

  /** Endpoints close their own connections. */
  @Override
  public void close() {
    port.withdrawPeers(settings.gridName());
  }
}
