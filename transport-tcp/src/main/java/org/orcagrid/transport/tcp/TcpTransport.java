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

import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.orcagrid.ddp.kite.View;
import org.orcagrid.ddp.node.Roster;
import org.orcagrid.ddp.transport.Endpoint;

/** A node's way to the others over TCP. */
public final class TcpTransport implements NodeTransport {
  /** The address of a node that has none yet. */
  public static final String NOWHERE = "-";

  private final TcpSettings settings;
  private final IoKind kind;
  private final LinkListener listener;
  private final long incarnation;
  private final Admission admission;

  private final Map<HostPort, InetSocketAddress> resolved = new ConcurrentHashMap<>();
  private final Set<HostPort> lookedUp = ConcurrentHashMap.newKeySet();
  private final Executor lookUps;

  private final AtomicLong badPackets = new AtomicLong();

  private volatile Roster roster;

  private final SslContext serverTls;
  private final SslContext clientTls;

  /**
   * A transport among fixed nodes.
   *
   * @throws IOException if there is no TLS to be had with the settings
   */
  public TcpTransport(TcpSettings settings, IoKind kind, LinkListener listener) throws IOException {
    this(settings, null, kind, listener);
  }

  /**
   * A transport among the nodes of a roster, which may be followed by others.
   *
   * @param roster as it is now; null for the fixed nodes of the settings
   * @throws IOException if there is no TLS to be had with the settings
   */
  public TcpTransport(TcpSettings settings, Roster roster, IoKind kind, LinkListener listener)
      throws IOException {
    this(settings, roster, null, kind, listener);
  }

  private TcpTransport(
      TcpSettings settings, Roster roster, Admission admission, IoKind kind, LinkListener listener)
      throws IOException {
    this.settings = settings;
    this.roster = roster == null ? fixed(settings) : roster;
    // A thread while there is something to look up: the common pool may be full of who knows what.
    this.lookUps =
        new ThreadPoolExecutor(
            0,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory("orca-grid-" + settings.self() + "-names", true));
    this.kind = kind;
    this.listener = listener;
    this.incarnation =
        roster == null || admission != null
            ? new SplittableRandom().nextLong() | 1
            : Admission.incarnation(roster, settings.self());
    this.admission = admission == null ? admission(roster) : admission;
    this.serverTls = settings.tls() == null ? null : settings.tls().server();
    this.clientTls = settings.tls() == null ? null : settings.tls().client();
  }

  /** Packets that were damaged or that no node can have sent; each has ended its connection. */
  public long badPackets() {
    return badPackets.get();
  }

  void countBadPacket() {
    badPackets.incrementAndGet();
  }

  private Admission admission(Roster given) {
    return given == null
        ? Admission.ofFirstIncarnations(settings.nodes().size())
        : Admission.ofRoster(this::roster);
  }

  /**
   * A transport among places whose nodes come and go and say in every packet which life they are:
   * whoever has the grid's name may connect.
   *
   * @param settings with this node's address; those of the others are not looked at
   * @throws IOException if there is no TLS to be had with the settings
   */
  public static TcpTransport ofPlaces(TcpSettings settings, IoKind kind, LinkListener listener)
      throws IOException {
    List<String> addresses = new ArrayList<>(Collections.nCopies(settings.nodes().size(), NOWHERE));
    addresses.set(settings.self(), settings.nodes().get(settings.self()).toString());
    return new TcpTransport(
        settings, fixed(addresses, settings.self()), Admission.ANYONE, kind, listener);
  }

  @Override
  public void changePlaces(List<String> addresses) {
    roster = fixed(addresses, settings.self());
  }

  private static Roster fixed(List<String> addresses, int self) {
    return new Roster(0, View.first(addresses.size()), addresses, self);
  }

  /** Fixed nodes: a roster that stays as it is. */
  private static Roster fixed(TcpSettings settings) {
    List<String> addresses = settings.nodes().stream().map(HostPort::toString).toList();
    return fixed(addresses, settings.self());
  }

  @Override
  public void change(Roster next) {
    roster = next;
  }

  Roster roster() {
    return roster;
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

  /** Where a worker of a node listens; null if that is not known. */
  public HostPort address(int node, int worker) {
    String first = roster.addresses().get(node);
    return first.equals(NOWHERE) ? null : HostPort.parse(first).plus(worker);
  }

  TcpSettings settings() {
    return settings;
  }

  long incarnation() {
    return incarnation;
  }

  Admission admission() {
    return admission;
  }

  IoKind kind() {
    return kind;
  }

  LinkListener listener() {
    return listener;
  }

  SslContext serverTls() {
    return serverTls;
  }

  SslContext clientTls() {
    return clientTls;
  }

  static String cannotListen(HostPort address) {
    return "Nothing can listen at "
        + address
        + ": the port may be in use, or the host not be this machine's";
  }

  /**
   * Opens a worker's endpoint, which listens as soon as it is polled.
   *
   * @throws IOException if nothing can listen at its address
   */
  @Override
  public Endpoint open(int worker) throws IOException {
    requireFree(address(settings.self(), worker));
    return new TcpEndpoint(this, worker);
  }

  /**
   * Tells whoever starts a node that nothing can listen at an address, before a worker would find
   * out.
   */
  public static void requireFree(HostPort own) throws IOException {
    InetSocketAddress address = own.resolve();
    if (address.isUnresolved()) {
      throw new IOException("The host of " + own + " is not known");
    }
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(address);
    } catch (IOException e) {
      throw new IOException(cannotListen(own) + " (" + e.getMessage() + ")", e);
    }
  }

  @Override
  public void close() {
    // Endpoints close their own connections.
  }
}
