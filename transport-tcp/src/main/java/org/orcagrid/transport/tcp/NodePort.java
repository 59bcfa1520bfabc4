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

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The one address of a node: the workers of its peers connect here, and so do clients. A connection
 * says first whom it is for, within a bound of bytes and time; then it moves to the event loop of
 * its owner, which is a worker or the clients' gateway.
 *
 * <p>It listens while it is open; whoever opens it closes it again, and the last one ends it. Safe
 * for use by many threads.
 */
public final class NodePort implements AutoCloseable {
  private static final long END_MILLIS_MAX = 1_000;

  private final HostPort address;
  private final IoKind kind;
  private final LinkListener listener;
  private final PortSecurity security;
  private final GridSecret secret;
  private final SslContext serverTls;
  private final SslContext clientTls;
  private final Map<Name, Function<Hello, Verdict>> receptions = new ConcurrentHashMap<>();
  private final Refusals refusals = new Refusals();

  private final LinkListener strangers =
      new LinkListener() {
        @Override
        public void onRefused(String stranger, String reason) {
          tell(refusals.add(stranger, reason));
        }
      };

  private final Object lock = new Object();

  // Guarded by the lock: there while somebody has the port open.
  private int users;
  private EventLoopGroup loops;
  private Channel listening;

  /** The port's thread; there before anybody can be refused. */
  private volatile EventLoop loop;

  /** Whom a connection may be for. */
  private record Name(Hello.Kind kind, String gridName) {}

  private NodePort(HostPort address, PortSecurity security, IoKind kind, LinkListener listener)
      throws IOException {
    this.address = address;
    this.kind = kind;
    this.listener = listener;
    this.security = security;
    this.secret = security.secretFile() == null ? null : GridSecret.read(security.secretFile());
    TlsSettings tls = security.tls();
    this.serverTls = tls == null ? null : tls.server();
    this.clientTls = tls == null ? null : tls.client();
  }

  /**
   * A port that does not listen yet.
   *
   * @param security of this port, and of the connections of this node to others
   * @param listener is told who was refused; how often is bounded, see {@link Refusals}
   * @throws IOException if there is no TLS to be had with the settings, or no secret
   */
  public static NodePort of(
      HostPort address, PortSecurity security, IoKind kind, LinkListener listener)
      throws IOException {
    return new NodePort(address, security, kind, listener);
  }

  /** Where it listens while it is open. */
  public HostPort address() {
    return address;
  }

  /** How this node waits for its sockets. */
  public IoKind kind() {
    return kind;
  }

  /** What nodes of the grid prove to know; null if there is no secret. */
  public GridSecret secret() {
    return secret;
  }

  /** Of connections of this node to others; null if they have no TLS. */
  public SslContext clientTls() {
    return clientTls;
  }

  // --- who is there ------------------------------------------------------------------------------

  /** Hands the connections of a grid's nodes to their workers, until {@link #withdrawPeers}. */
  void admitPeers(String gridName, Function<Hello, Verdict> reception) {
    admit(new Name(Hello.Kind.NODE, gridName), reception);
  }

  void withdrawPeers(String gridName) {
    receptions.remove(new Name(Hello.Kind.NODE, gridName));
  }

  /** Hands the connections of a grid's clients to an owner, until {@link #withdrawClients}. */
  public void admitClients(String gridName, ConnectionOwner owner) {
    admit(new Name(Hello.Kind.CLIENT, gridName), hello -> new Verdict.Admitted(owner.next(), 0));
  }

  /** Tells a grid's clients that this node takes none, until {@link #withdrawClients}. */
  public void refuseClients(String gridName) {
    Verdict refused = new Verdict.Refused("this node takes no clients; see grid.clients");
    admit(new Name(Hello.Kind.CLIENT, gridName), hello -> refused);
  }

  /** A grid's clients are not there any more, or not yet. */
  public void withdrawClients(String gridName) {
    receptions.remove(new Name(Hello.Kind.CLIENT, gridName));
  }

  /**
   * Hands the connections of nodes that forward to this one to an owner, until {@link
   * #withdrawForwarders}: whichever clients are admitted, nodes prove that they are of the grid.
   *
   * @param place of this node
   * @param grid tells the grid from others of the same name
   */
  public void admitForwarders(String gridName, int place, long grid, ConnectionOwner owner) {
    Verdict admitted = new Verdict.Admitted(owner, grid);
    admit(
        new Name(Hello.Kind.FORWARDER, gridName),
        hello -> {
          String refusal = hello.forwarderRefusal(place, grid);
          return refusal == null ? admitted : new Verdict.Refused(refusal);
        });
  }

  /** Nobody forwards to this node any more. */
  public void withdrawForwarders(String gridName) {
    receptions.remove(new Name(Hello.Kind.FORWARDER, gridName));
  }

  private void admit(Name name, Function<Hello, Verdict> reception) {
    if (receptions.putIfAbsent(name, reception) != null) {
      throw new IllegalStateException(
          "The port " + address + " has " + name.gridName() + " already, for " + name.kind());
    }
  }

  /** What a connection may be told, and where it goes. */
  private final class Judge implements AcceptHandshake.Judge {
    private final Greetings greetings;
    private final Channel channel;

    Judge(Greetings greetings, Channel channel) {
      this.greetings = greetings;
      this.channel = channel;
    }

    /** Where there is neither TLS nor a secret, only this host can connect: see {@link #listen}. */
    @Override
    public String objection(Hello hello, boolean proves) {
      if (proves && secret == null) {
        return "it has a secret to prove, and this node has none; set grid.secret.file on both";
      }
      boolean isToProve =
          hello.kind().isOfGrid() ? secret != null : security.clients() == ClientAdmission.SECRET;
      return isToProve && !proves
          ? "it has no secret, and this node asks for one; set grid.secret.file on both"
          : null;
    }

    @Override
    public Verdict verdict(Hello hello, boolean proved) {
      Function<Hello, Verdict> reception = receptions.get(new Name(hello.kind(), hello.gridName()));
      if (reception == null) {
        // Who has a certificate has shown it already.
        return nobody(hello, proved || serverTls != null || secret == null);
      }
      Verdict verdict = reception.apply(hello);
      return verdict instanceof Verdict.Admitted admitted
              && !greetings.leave(channel, admitted.owner().loop())
          ? new Verdict.NotYet("it has too much to do")
          : verdict;
    }
  }

  /**
   * Nobody here has that name.
   *
   * @param isTold which names there are; strangers are not
   */
  private Verdict nobody(Hello hello, boolean isTold) {
    String names =
        receptions.keySet().stream()
            .filter(name -> name.kind() == hello.kind())
            .map(name -> "\"" + name.gridName() + "\"")
            .sorted()
            .collect(Collectors.joining(" and "));
    if (names.isEmpty()) {
      return new Verdict.NotYet("it is starting, or ending");
    }
    String its = PrintableText.quoted(hello.gridName());
    return new Verdict.Refused(
        "it belongs to the grid "
            + its
            + ", and this node to "
            + (isTold ? names : "another one; check grid.name"));
  }

  // --- who was refused ---------------------------------------------------------------------------

  /** Connections that were refused or failed so far, of which not all were told of. */
  public long refused() {
    return refusals.total();
  }

  /** Tells of a peer that was refused or has refused this node, if not too often; any thread. */
  public void onPeerRefused(String address, String reason) {
    tell(refusals.addPeer(address, reason));
  }

  private void tell(Refusals.Added added) {
    if (added.beginsSecond()) {
      beginSecond();
    }
    if (added.told() != null) {
      tell(List.of(added.told()));
    }
  }

  private void tell(List<Refusals.Line> lines) {
    lines.forEach(line -> listener.onRefused(line.address(), line.reason()));
  }

  // The listener's own exceptions are of no use to the port.
  @SuppressWarnings("FutureReturnValueIgnored")
  private void beginSecond() {
    try {
      loop.schedule(this::endSecond, 1, TimeUnit.SECONDS);
    } catch (RejectedExecutionException e) {
      // It is closed, and tells what is left.
      assert loop.isShuttingDown();
    }
  }

  private void endSecond() {
    Refusals.Second ended = refusals.endSecond();
    if (ended.goesOn()) {
      beginSecond();
    }
    tell(ended.told());
  }

  // --- listening ---------------------------------------------------------------------------------

  /**
   * Listens, if nobody else has opened it already.
   *
   * @throws IOException if nothing can listen at the address
   */
  public void open() throws IOException {
    synchronized (lock) {
      if (users == 0) {
        listen();
      }
      users++;
    }
  }

  private void listen() throws IOException {
    InetSocketAddress local = address.resolve();
    if (local.isUnresolved()) {
      throw new IOException("The host of " + address + " is not known");
    }
    if (!security.permits(local)) {
      throw new IOException("Cannot listen at " + address + ": " + PortSecurity.UNPROVED);
    }
    EventLoopGroup started =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("orca-grid-port-" + address.port(), true), kind.handlers());
    loop = started.next();
    tell(refusals.end());
    Greetings greetings = new Greetings(loop);
    ChannelFuture bound =
        kind.listening(started)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    begin(greetings, channel);
                  }
                })
            .bind(local)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      end(started);
      throw new IOException(
          "Nothing can listen at "
              + address
              + ": the port may be in use, or the host not be this machine's ("
              + bound.cause().getMessage()
              + ")",
          bound.cause());
    }
    loops = started;
    listening = bound.channel();
  }

  private void begin(Greetings greetings, SocketChannel channel) {
    AcceptHandshake handshake =
        new AcceptHandshake(
            new Judge(greetings, channel), secret, strangers, () -> greetings.end(channel));
    greetings.begin(channel, handshake);
    if (serverTls != null) {
      SslHandler tls = serverTls.newHandler(channel.alloc());
      // The time of a greeting has its bound already.
      tls.setHandshakeTimeoutMillis(0);
      channel.pipeline().addLast(tls);
    }
    channel.pipeline().addLast(handshake);
  }

  private static void end(EventLoopGroup loops) {
    loops
        .shutdownGracefully(0, END_MILLIS_MAX, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(END_MILLIS_MAX);
  }

  /** Ends it, if nobody else has it open still. Connections that have an owner go on. */
  @Override
  public void close() {
    synchronized (lock) {
      users--;
      if (users == 0) {
        listening.close().awaitUninterruptibly();
        end(loops);
        tell(refusals.end());
      }
    }
  }
}
