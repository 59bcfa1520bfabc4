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
package org.orcagrid.transport.tcp.remote;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.orcagrid.transport.tcp.Channels;
import org.orcagrid.transport.tcp.ConnectHandshake;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.IoKind;

/**
 * A client's line to a node: over one connection after the other. A connection that is lost is
 * replaced for some seconds, and what was said, on either side, arrives once. When there can be no
 * other one, since the node's process is gone, has forgotten the client or stays out of reach, the
 * line is lost.
 *
 * <p>All methods belong to the thread of {@link #loop}, except where they say so.
 */
final class Line {
  private static final int PING_SECONDS = 2;
  private static final int SILENCE_SECONDS_MAX = 10;

  /** So long another connection is tried for. A node keeps what it knows for longer. */
  private static final Duration TRIES = Duration.ofSeconds(4);

  /** The same for a node that has been silent before. */
  private static final Duration TRIES_OF_A_SILENT_ONE = Duration.ofSeconds(1);

  private static final long PAUSE_MILLIS = 50;

  /** As its name was looked up once: this thread must not wait for that. */
  private InetSocketAddress at;

  private final HostPort address;
  private final RemoteNode.Greeter greeter;
  private final SslContext tls;
  private final EventLoop loop;
  private final Owner owner;
  private final RecordStream stream = new RecordStream();

  /** By which the node knows this client; 0 before. */
  private long token;

  /** The connection on which the node knows this client; null while there is none. */
  private Connection attached;

  /** The one that is being made; null while there is none. */
  private Connection trying;

  /** Counts losses. */
  private int losses;

  /** Why the last connection was lost. */
  private String lostLast;

  private boolean over;

  /** Whose line it is; told by the line's thread. */
  interface Owner {
    /** There is a connection, for the first time or again, and room to send. */
    void onReady();

    /** The connection is lost, and another one is tried for. */
    void onAway();

    /** A record of the node, at its content. */
    void onRecord(ClientRecord type, int number, ByteBuf in) throws ClientRecord.MalformedException;

    /** The most bytes of a record. */
    int recordBytesMax();

    /** The line is lost; told once. */
    void onLost(String reason);
  }

  Line(HostPort address, RemoteNode.Greeter greeter, SslContext tls, EventLoop loop, Owner owner) {
    this.address = address;
    this.greeter = greeter;
    this.tls = tls;
    this.loop = loop;
    this.owner = owner;
  }

  /** Its thread; any thread. */
  EventLoop loop() {
    return loop;
  }

  // --- saying ------------------------------------------------------------------------------------

  /** Whether what is said goes out soon. */
  boolean isReady() {
    return attached != null && attached.channel.isWritable();
  }

  /** For records, to be handed to {@link #say}. */
  ByteBuf buffer() {
    return PooledByteBufAllocator.DEFAULT.directBuffer();
  }

  /** Says whole records, once; frees them some time. */
  void say(ByteBuf records) {
    if (over) {
      records.release();
      return;
    }
    ByteBuf out = stream.say(records);
    if (attached == null) {
      out.release();
    } else {
      Channels.writeAndFlush(attached.channel, out);
    }
  }

  /** Leaves the node, which forgets this client. */
  void close(String reason) {
    if (attached != null) {
      attached.sayBeside(ClientRecord.LEAVE, 0);
    }
    lose(reason);
  }

  // --- connections -------------------------------------------------------------------------------

  /** Connects for the first time, to the address as its name was looked up. */
  void connect(InetSocketAddress resolved) {
    at = resolved;
    connect();
  }

  /** Connects, if there is no connection and none is being made. */
  private void connect() {
    if (!over && attached == null && trying == null) {
      trying = new Connection();
      trying.begin();
    }
  }

  private void later(Runnable work, long millis) {
    try {
      Future<?> unused = loop.schedule(work, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      lose("the grid was left");
    }
  }

  private void giveUp(int loss) {
    if (attached == null && loss == losses) {
      lose(lostLast);
    }
  }

  private void lose(String reason) {
    if (!over) {
      over = true;
      stream.release();
      Connection last = attached == null ? trying : attached;
      attached = null;
      trying = null;
      if (last != null) {
        last.closeChannel();
      }
      owner.onLost(reason);
    }
  }

  /** One connection, of which there is one at a time. What it says later than that is no news. */
  private final class Connection extends RecordDecoder {
    private Channel channel;

    /** How often in a row nothing was heard in the time between pings. */
    private int silences;

    // --- its begin -------------------------------------------------------------------------------

    void begin() {
      ChannelFuture connecting = IoKind.NIO.connecting(loop).handler(initializer()).connect(at);
      channel = connecting.channel();
      connecting.addListener(
          done -> {
            if (!done.isSuccess()) {
              // Without a socket it is told by another thread.
              later(() -> onNotConnected(done.cause()), 0);
            }
          });
    }

    private ChannelInitializer<SocketChannel> initializer() {
      ConnectHandshake handshake =
          greeter.handshake(this::onAccepted, (context, refusal) -> onFailed(refusal.reason()));
      return new ChannelInitializer<>() {
        @Override
        protected void initChannel(SocketChannel opened) {
          if (tls != null) {
            opened
                .pipeline()
                .addLast(tls.newHandler(opened.alloc(), address.host(), address.port()));
          }
          opened.pipeline().addLast(handshake);
        }
      };
    }

    private void onNotConnected(Throwable cause) {
      boolean isRefused =
          cause instanceof ConnectException && !(cause instanceof ConnectTimeoutException);
      if (isRefused && token != 0 && trying == this) {
        // No process listens there: the one that knew this client is gone.
        lose(lostLast);
      } else {
        onFailed(String.valueOf(cause.getMessage()));
      }
    }

    /** There will be no connection: the first time that is all, later another one is tried for. */
    private void onFailed(String reason) {
      if (trying != this) {
        return;
      }
      trying = null;
      closeChannel();
      if (token == 0) {
        lose(reason);
      } else {
        later(Line.this::connect, PAUSE_MILLIS);
      }
    }

    private void onAccepted(ChannelHandlerContext context) {
      context.pipeline().addLast(new IdleStateHandler(PING_SECONDS, 0, 0)).addLast(this);
      sayBeside(ClientRecord.ATTACH, stream.report());
    }

    private void onAttached(long own, long position) throws ClientRecord.MalformedException {
      if (own == 0 || (token != 0 && own != token)) {
        throw new ClientRecord.MalformedException("a token that is not this client's");
      } else if (trying != this) {
        closeChannel();
        return;
      }
      token = own;
      trying = null;
      attached = this;
      for (ByteBuf each : stream.from(position)) {
        Channels.write(channel, each);
      }
      channel.flush();
      owner.onReady();
    }

    void sayBeside(ClientRecord type, long position) {
      ByteBuf out = buffer();
      ClientRecord.writePosition(out, type, token, position);
      Channels.writeAndFlush(channel, out);
    }

    // --- what the node says ----------------------------------------------------------------------

    @Override
    int recordBytesMax() {
      return owner.recordBytesMax();
    }

    @Override
    void onRecord(ByteBuf in, int bytes) throws ClientRecord.MalformedException {
      ClientRecord type = ClientRecord.readType(in);
      int number = in.readIntLE();
      if (type == ClientRecord.ATTACHED) {
        onAttached(in.readLongLE(), in.readLongLE());
      } else if (type == ClientRecord.FORGOTTEN) {
        if (trying == this) {
          lose("it " + in.toString(StandardCharsets.UTF_8));
        }
      } else if (attached == this) {
        onRecord(type, number, in, bytes);
      } else if (trying == this) {
        throw new ClientRecord.MalformedException(type + " before the client is attached");
      }
    }

    private void onRecord(ClientRecord type, int number, ByteBuf in, int bytes)
        throws ClientRecord.MalformedException {
      switch (type) {
        case RECEIVED, PING -> stream.told(ClientRecord.readPosition(in));
        default -> {
          owner.onRecord(type, number, in);
          stream.received(Integer.BYTES + bytes);
        }
      }
    }

    @Override
    void onBatchEnd() {
      silences = 0;
      if (attached == this && stream.isReportDue()) {
        sayBeside(ClientRecord.RECEIVED, stream.report());
      }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
      if (event instanceof IdleStateEvent && attached == this) {
        silences++;
        if (silences * PING_SECONDS < SILENCE_SECONDS_MAX) {
          // It may have nothing to answer, as when no majority of the nodes is there.
          sayBeside(ClientRecord.PING, stream.report());
        } else {
          goDown("nothing was heard for " + SILENCE_SECONDS_MAX + " s", TRIES_OF_A_SILENT_ONE);
        }
      }
      super.userEventTriggered(context, event);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
      if (attached == this && isReady()) {
        owner.onReady();
      }
      super.channelWritabilityChanged(context);
    }

    // --- its end ---------------------------------------------------------------------------------

    /** One that has got no socket has no thread and cannot be closed. */
    private void closeChannel() {
      if (channel.isRegistered()) {
        Channels.close(channel);
      }
    }

    private void goDown(String reason, Duration tries) {
      if (attached == this) {
        attached = null;
        lostLast = reason;
        losses++;
        int loss = losses;
        later(() -> giveUp(loss), tries.toMillis());
        closeChannel();
        owner.onAway();
        connect();
      } else {
        onFailed(reason);
      }
    }

    @Override
    void onDown(String reason) {
      goDown(reason, TRIES);
    }

    /** It would say the same again. */
    @Override
    void onMalformed(String reason) {
      if (attached == this || trying == this) {
        lose(reason);
      }
    }
  }
}
