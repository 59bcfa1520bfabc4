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
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
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
  /** Connections that may be without an owner at a time. */
  static final int GREETINGS_MAX = 256;

  private static final long GREETING_MILLIS_MAX = 5_000;
  private static final long END_MILLIS_MAX = 1_000;

  private static final System.Logger LOG = System.getLogger(NodePort.class.getName());

  private final HostPort address;
  private final IoKind kind;
  private final LinkListener listener;
  private final boolean clientsProve;
  private final GridSecret secret;
  private final SslContext serverTls;
  private final SslContext clientTls;
  private final Map<Name, Function<Hello, Verdict>> receptions = new ConcurrentHashMap<>();

  private final Object lock = new Object();

  // Guarded by the lock: there while somebody has the port open.
  private int users;
  private EventLoopGroup loops;
  private Channel listening;

  /** Whom a connection may be for. */
  private record Name(Hello.Kind kind, String cluster) {}

  private NodePort(HostPort address, PortSecurity security, IoKind kind, LinkListener listener)
      throws IOException {
    this.address = address;
    this.kind = kind;
    this.listener = listener;
    this.clientsProve = security.clients() == ClientAdmission.SECRET;
    this.secret = security.secretFile() == null ? null : GridSecret.read(security.secretFile());
    TlsSettings tls = security.tls();
    this.serverTls = tls == null ? null : tls.server();
    this.clientTls = tls == null ? null : tls.client();
  }

  /**
   * A port that does not listen yet.
   *
   * @param security of this port, and of the connections of this node to others
   * @param listener is told who was refused
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

  GridSecret secret() {
    return secret;
  }

  SslContext clientTls() {
    return clientTls;
  }

  // --- who is there ------------------------------------------------------------------------------

  /** Hands the connections of a grid's nodes to their workers, until {@link #withdrawPeers}. */
  void admitPeers(String cluster, Function<Hello, Verdict> reception) {
    admit(new Name(Hello.Kind.NODE, cluster), reception);
  }

  void withdrawPeers(String cluster) {
    receptions.remove(new Name(Hello.Kind.NODE, cluster));
  }

  /** Hands the connections of a grid's clients to an owner, until {@link #withdrawClients}. */
  public void admitClients(String cluster, ConnectionOwner owner) {
    Verdict admitted = new Verdict.Admitted(owner, 0);
    admit(new Name(Hello.Kind.CLIENT, cluster), hello -> admitted);
  }

  /** Tells a grid's clients that this node takes none, until {@link #withdrawClients}. */
  public void refuseClients(String cluster) {
    Verdict refused = new Verdict.Refused("this node takes no clients; see grid.clients");
    admit(new Name(Hello.Kind.CLIENT, cluster), hello -> refused);
  }

  /** A grid's clients are not there any more, or not yet. */
  public void withdrawClients(String cluster) {
    receptions.remove(new Name(Hello.Kind.CLIENT, cluster));
  }

  private void admit(Name name, Function<Hello, Verdict> reception) {
    if (receptions.putIfAbsent(name, reception) != null) {
      throw new IllegalStateException(
          "The port " + address + " has " + name.cluster() + " already, for " + name.kind());
    }
  }

  /**
   * Why a greeting is refused, whoever it is for; null if it is not. Where there is neither TLS nor
   * a secret, a node of another host may be anybody.
   */
  private String objection(Hello hello, boolean proves, InetSocketAddress from) {
    boolean isNode = hello.kind() == Hello.Kind.NODE;
    if (proves && secret == null) {
      return "it has a secret to prove, and this node has none; set grid.secret.file on both";
    }
    if (!proves && secret != null && (isNode || clientsProve)) {
      return "it has no secret, and this node asks for one; set grid.secret.file on both";
    }
    boolean isOpen = secret == null && serverTls == null;
    // Of a connection that has ended already the address is not known.
    boolean isFar = from == null || Channels.isFar(from);
    return isNode && isOpen && isFar ? PortSecurity.UNPROVED : null;
  }

  private Verdict judge(Hello hello) {
    Function<Hello, Verdict> reception = receptions.get(new Name(hello.kind(), hello.cluster()));
    if (reception != null) {
      return reception.apply(hello);
    }
    String names =
        receptions.keySet().stream()
            .filter(name -> name.kind() == hello.kind())
            .map(name -> "\"" + name.cluster() + "\"")
            .sorted()
            .collect(Collectors.joining(" and "));
    return names.isEmpty()
        ? new Verdict.NotYet("it is starting, or ending")
        : new Verdict.Refused(
            "it belongs to the grid \"" + hello.cluster() + "\", and this node to " + names);
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
    EventLoopGroup started =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("orca-grid-port-" + address.port(), true), kind.handlers());
    Greetings greetings = new Greetings(started.next());
    if (secret == null && serverTls == null && !local.getAddress().isLoopbackAddress()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "The port {0} has neither TLS nor a secret: nodes of other hosts are refused. Set"
              + " grid.tls.keystore or grid.secret.file on all nodes",
          address);
    }
    ChannelFuture bound =
        kind.listening(started)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    greetings.begin(channel);
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
      }
    }
  }

  /** The connections that have no owner yet; of the port's thread. */
  private final class Greetings {
    private final EventLoop loop;
    private final Map<Channel, Greeting> all = new LinkedHashMap<>();

    /** A connection, and what ends it if it does not greet. */
    private record Greeting(AcceptHandshake handshake, ScheduledFuture<?> deadline) {}

    Greetings(EventLoop loop) {
      this.loop = loop;
    }

    void begin(SocketChannel channel) {
      InetSocketAddress from = channel.remoteAddress();
      if (all.size() >= GREETINGS_MAX) {
        // Whoever means it greets at once: of many who do not, a newcomer is the likeliest to.
        giveUpOldest();
      }
      AcceptHandshake handshake =
          new AcceptHandshake(
              new AcceptHandshake.Judge() {
                @Override
                public String objection(Hello hello, boolean proves) {
                  return NodePort.this.objection(hello, proves, from);
                }

                @Override
                public Verdict verdict(Hello hello) {
                  return judge(hello);
                }
              },
              secret,
              listener,
              () -> onHandedOver(channel));
      ScheduledFuture<?> deadline =
          loop.schedule(
              () ->
                  handshake.giveUp(channel, "it has not greeted in " + GREETING_MILLIS_MAX + " ms"),
              GREETING_MILLIS_MAX,
              TimeUnit.MILLISECONDS);
      all.put(channel, new Greeting(handshake, deadline));
      channel.closeFuture().addListener(closed -> onHandedOver(channel));
      if (serverTls != null) {
        SslHandler tls = serverTls.newHandler(channel.alloc());
        // The time of a greeting has its bound already.
        tls.setHandshakeTimeoutMillis(0);
        channel.pipeline().addLast(tls);
      }
      channel.pipeline().addLast(handshake);
    }

    private void giveUpOldest() {
      for (Map.Entry<Channel, Greeting> each : all.entrySet()) {
        if (!each.getValue().handshake().isLeaving()) {
          each.getValue().deadline().cancel(false);
          all.remove(each.getKey());
          each.getValue()
              .handshake()
              .giveUp(
                  each.getKey(),
                  "it has not greeted, and " + GREETINGS_MAX + " others wait to do so");
          return;
        }
      }
    }

    /** It has its owner, or was closed; any thread. */
    private void onHandedOver(Channel channel) {
      if (loop.inEventLoop()) {
        forget(channel);
        return;
      }
      try {
        loop.execute(() -> forget(channel));
      } catch (RejectedExecutionException e) {
        // The port is closed, and has forgotten all.
        assert loop.isShuttingDown();
      }
    }

    private void forget(Channel channel) {
      Greeting greeting = all.remove(channel);
      if (greeting != null) {
        greeting.deadline().cancel(false);
      }
    }
  }
}
