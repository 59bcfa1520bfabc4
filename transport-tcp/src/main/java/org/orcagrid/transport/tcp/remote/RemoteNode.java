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

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.orcagrid.ddp.map.MapWatcher;
import org.orcagrid.ddp.transfer.Progress;
import org.orcagrid.transport.tcp.Channels;
import org.orcagrid.transport.tcp.ConnectHandshake;
import org.orcagrid.transport.tcp.GridSecret;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.IoKind;
import org.orcagrid.transport.tcp.TlsSettings;

/** A connection to a node's {@link ClientGateway}, and the sessions on it. */
public final class RemoteNode implements AutoCloseable {
  private static final int OUT_BYTES_MAX = 64 * 1024;
  private static final int PING_SECONDS = 2;
  private static final int SILENCE_SECONDS_MAX = 10;

  private final HostPort address;
  private final CompletableFuture<RemoteNode> connected = new CompletableFuture<>();
  private final AtomicBoolean signalled = new AtomicBoolean();
  private final Runnable send = this::send;
  private final Channel channel;
  private volatile String lost;

  private final MapCalls calls = new MapCalls();

  // Of the connection's thread.
  private final Map<Integer, CompletableFuture<RemoteSession>> opening = new HashMap<>();
  private final Map<Integer, RemoteSession> sessions = new HashMap<>();
  private final List<RemoteSession> over = new ArrayList<>();
  private final List<CompletableFuture<Progress>> asking = new ArrayList<>();
  private int lastSession;

  /**
   * What a client shows to nodes.
   *
   * @param tls null for connections without it
   * @param secret null if it has none
   */
  public record Credentials(SslContext tls, GridSecret secret) {
    /** Of a client without TLS and without a secret. */
    public static final Credentials NONE = new Credentials(null, null);

    /**
     * As settings say.
     *
     * @param tls null for none
     * @param secretFile null for none
     * @throws IOException if there is no TLS or secret to be had with them, saying why
     */
    public static Credentials of(TlsSettings tls, Path secretFile) throws IOException {
      return new Credentials(
          tls == null ? null : tls.client(),
          secretFile == null ? null : GridSecret.read(secretFile));
    }
  }

  private RemoteNode(HostPort address, String gridName, Credentials shown, EventLoopGroup loops) {
    SslContext tls = shown.tls();
    this.address = address;
    Bootstrap bootstrap =
        IoKind.NIO
            .connecting(loops)
            .handler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel opened) {
                    if (tls != null) {
                      opened
                          .pipeline()
                          .addLast(tls.newHandler(opened.alloc(), address.host(), address.port()));
                    }
                    opened
                        .pipeline()
                        .addLast(
                            ConnectHandshake.ofClient(
                                gridName,
                                shown.secret(),
                                RemoteNode.this::onConnected,
                                (context, refusal) -> onLost(refusal.reason())));
                  }
                });
    ChannelFuture connecting = bootstrap.connect(address.resolve());
    channel = connecting.channel();
    connecting.addListener(
        done -> {
          if (!done.isSuccess()) {
            onLost(String.valueOf(done.cause().getMessage()));
          }
        });
  }

  /** A thread for the connections of a client; no native code. */
  public static EventLoopGroup newLoops(String threadName) {
    return new MultiThreadIoEventLoopGroup(
        1, new DefaultThreadFactory(threadName, true), IoKind.NIO.handlers());
  }

  /**
   * Connects.
   *
   * @param shown to the node
   * @return the node once it has accepted this client, or why it has not
   */
  public static CompletionStage<RemoteNode> connect(
      HostPort address, String gridName, Credentials shown, EventLoopGroup loops) {
    return new RemoteNode(address, gridName, shown, loops).connected;
  }

  /** Why there is no connection any more; null while there is. */
  public String lost() {
    return lost;
  }

  boolean isItsThread() {
    return channel.eventLoop().inEventLoop();
  }

  /** Opens a session; or says why there is none. */
  public CompletionStage<RemoteSession> openSession() {
    return ask(this::open);
  }

  /** Asks how far the node is with catching up. */
  public CompletionStage<Progress> progress() {
    return ask(this::askProgress);
  }

  private <T> CompletionStage<T> ask(Consumer<CompletableFuture<T>> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      channel.eventLoop().execute(() -> askOrFail(question, answer));
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(new IllegalStateException("The grid was left", e));
    }
    return answer;
  }

  /** What is asked about maps; to be followed by {@link #signal}. */
  MapCalls calls() {
    return calls;
  }

  /** Tells a watcher no more, some time after this returns. */
  void unwatch(MapWatcher watcher) {
    try {
      channel.eventLoop().execute(() -> unwatchNow(watcher));
    } catch (RejectedExecutionException e) {
      onLost("the grid was left");
    }
  }

  private void unwatchNow(MapWatcher watcher) {
    int watch = calls.unwatch(watcher);
    if (watch != 0) {
      calls.say(ClientRecord.UNWATCH, watch);
      signal();
    }
  }

  /** A session has something to send, or there is a request about maps. */
  void signal() {
    // What was published before this must not be overtaken by the look at who is told already.
    VarHandle.fullFence();
    if (!signalled.get() && signalled.compareAndSet(false, true)) {
      try {
        channel.eventLoop().execute(send);
      } catch (RejectedExecutionException e) {
        // The thread has ended, so that this one may do what is left to do.
        onLost("the grid was left");
      }
    }
  }

  // --- the connection's thread -------------------------------------------------------------------

  private void onConnected(ChannelHandlerContext context) {
    context.pipeline().addLast(new IdleStateHandler(PING_SECONDS, 0, 0)).addLast(new Decoder());
    connected.complete(this);
  }

  private <T> void askOrFail(Consumer<CompletableFuture<T>> question, CompletableFuture<T> answer) {
    if (lost == null) {
      question.accept(answer);
    } else {
      answer.completeExceptionally(
          new IllegalStateException("No connection to " + this + ": " + lost));
    }
  }

  private void open(CompletableFuture<RemoteSession> session) {
    lastSession++;
    opening.put(lastSession, session);
    send(ClientRecord.OPEN, lastSession);
  }

  private void askProgress(CompletableFuture<Progress> answer) {
    asking.add(answer);
    send(ClientRecord.PROGRESS, 0);
  }

  private void send(ClientRecord record, int session) {
    ByteBuf out = channel.alloc().directBuffer();
    record.write(out, session);
    Channels.writeAndFlush(channel, out);
  }

  private void send() {
    signalled.set(false);
    if (lost != null) {
      sessions.values().forEach(RemoteSession::onLost);
      calls.onLost(lost);
      return;
    }
    ByteBuf out = channel.alloc().directBuffer();
    boolean more = false;
    for (RemoteSession session : sessions.values()) {
      if (channel.isWritable()) {
        session.send(out, OUT_BYTES_MAX);
        more |= session.hasMore();
      }
      if (session.isOver()) {
        over.add(session);
      }
    }
    for (RemoteSession session : over) {
      sessions.remove(session.id());
      ClientRecord.CLOSE.write(out, session.id());
    }
    over.clear();
    if (channel.isWritable()) {
      calls.send(out, OUT_BYTES_MAX);
      more |= calls.hasMore();
    }
    if (out.isReadable()) {
      Channels.writeAndFlush(channel, out);
    } else {
      out.release();
    }
    if (more && channel.isWritable()) {
      signal();
    }
  }

  private void onLost(String reason) {
    if (lost == null) {
      lost = reason;
    }
    IllegalStateException failure =
        new IllegalStateException("No connection to " + this + ": " + lost);
    connected.completeExceptionally(failure);
    opening.values().forEach(each -> each.completeExceptionally(failure));
    opening.clear();
    asking.forEach(each -> each.completeExceptionally(failure));
    asking.clear();
    sessions.values().forEach(RemoteSession::onLost);
    calls.onLost(lost);
  }

  private final class Decoder extends RecordDecoder {
    private int valueBytesMax;

    /** How often in a row nothing was heard in the time between pings. */
    private int silences;

    @Override
    int recordBytesMax() {
      return ClientRecord.bytesMax(valueBytesMax);
    }

    @Override
    void onRecord(ByteBuf in, int bytes) throws ClientRecord.MalformedException {
      ClientRecord type = ClientRecord.readType(in);
      int id = in.readIntLE();
      switch (type) {
        case RESPONSE -> {
          RemoteSession session = sessions.get(id);
          if (session == null) {
            throw new ClientRecord.MalformedException(
                "an answer for session " + id + ", which is closed");
          }
          session.onResponse(in);
          if (session.isOver()) {
            signal();
          }
        }
        case OPENED -> opened(id, in.readIntLE());
        case REFUSED -> {
          CompletableFuture<RemoteSession> session = opening.remove(id);
          if (session != null) {
            String reason = in.toString(StandardCharsets.UTF_8);
            session.completeExceptionally(
                new IllegalStateException(RemoteNode.this + " refuses a session: " + reason));
          }
        }
        case PING -> {
          // Heard.
        }
        case PROGRESS -> {
          if (!asking.isEmpty()) {
            asking.remove(0).complete(ClientRecord.readProgress(in));
          }
        }
        default -> {
          if (!calls.onRecord(type, id, in)) {
            throw new ClientRecord.MalformedException("a record that only clients send");
          }
        }
      }
    }

    private void opened(int id, int bytesMax) throws ClientRecord.MalformedException {
      CompletableFuture<RemoteSession> session = opening.remove(id);
      if (session == null) {
        throw new ClientRecord.MalformedException("a session that nobody has asked for");
      }
      valueBytesMax = bytesMax;
      RemoteSession opened = new RemoteSession(RemoteNode.this, id, valueBytesMax);
      sessions.put(id, opened);
      session.complete(opened);
    }

    @Override
    void onBatchEnd() {
      silences = 0;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
      if (event instanceof IdleStateEvent) {
        silences++;
        if (silences * PING_SECONDS < SILENCE_SECONDS_MAX) {
          // It may have nothing to answer, as when no majority of the nodes is there.
          send(ClientRecord.PING, 0);
        } else {
          onLost("nothing was heard for " + SILENCE_SECONDS_MAX + " s");
          Channels.close(context);
        }
      }
      super.userEventTriggered(context, event);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
      if (context.channel().isWritable()) {
        signal();
      }
      super.channelWritabilityChanged(context);
    }

    @Override
    void onDown(String reason) {
      onLost(reason);
    }
  }

  /** Closes the connection; what is under way has an unknown outcome. */
  @Override
  public void close() {
    Channels.close(channel);
  }

  @Override
  public String toString() {
    return address.toString();
  }
}
