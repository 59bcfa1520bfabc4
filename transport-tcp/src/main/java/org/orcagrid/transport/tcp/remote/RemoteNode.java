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
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
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
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.orcagrid.ddp.map.MapWatcher;
import org.orcagrid.ddp.transfer.Progress;
import org.orcagrid.transport.tcp.ConnectHandshake;
import org.orcagrid.transport.tcp.GridSecret;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.IoKind;
import org.orcagrid.transport.tcp.TlsSettings;

/**
 * A node's {@link ClientGateway} as its client sees it, and the sessions there. A connection that
 * is lost is replaced for some seconds, in which sessions go on and nothing is done twice.
 */
public final class RemoteNode implements AutoCloseable {
  private static final int OUT_BYTES_MAX = 64 * 1024;

  private final HostPort address;
  private final CompletableFuture<RemoteNode> connected = new CompletableFuture<>();
  private final AtomicBoolean signalled = new AtomicBoolean();
  private final Runnable send = this::send;
  private final Line line;
  private volatile String lost;
  private volatile boolean away;

  private final MapCalls calls;

  // Of the line's thread.
  private final Map<Integer, CompletableFuture<RemoteSession>> opening = new HashMap<>();
  private final Map<Integer, RemoteSession> sessions = new HashMap<>();
  private final List<RemoteSession> over = new ArrayList<>();
  private final List<CompletableFuture<Progress>> asking = new ArrayList<>();
  private int valueBytesMax;
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

  /** Says who connects. */
  interface Greeter {
    /** A handshake, and who is told of its end. */
    ConnectHandshake handshake(
        Consumer<ChannelHandlerContext> accepted,
        BiConsumer<ChannelHandlerContext, ConnectHandshake.Refusal> refused);
  }

  /** Not connected yet: what is submitted waits for that. */
  RemoteNode(HostPort address, Greeter greeter, SslContext tls, EventLoop loop, int underWayMax) {
    this.address = address;
    this.calls = new MapCalls(underWayMax);
    this.line = new Line(address, greeter, tls, loop, new Answers());
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
    return connect(address, address.resolve(), gridName, shown, loops);
  }

  /** The same with the address as its name was looked up. */
  public static CompletionStage<RemoteNode> connect(
      HostPort address,
      InetSocketAddress at,
      String gridName,
      Credentials shown,
      EventLoopGroup loops) {
    RemoteNode node =
        new RemoteNode(
            address,
            (accepted, refused) ->
                ConnectHandshake.ofClient(gridName, shown.secret(), accepted, refused),
            shown.tls(),
            loops.next(),
            MapCalls.CLIENT_MAX);
    node.connect(at);
    return node.connected;
  }

  /** Connects, once. */
  void connect(InetSocketAddress at) {
    try {
      line.loop().execute(() -> line.connect(at));
    } catch (RejectedExecutionException e) {
      onLost("the grid was left");
    }
  }

  /** Why the node cannot be reached any more; null while it can, or may be again. */
  public String lost() {
    return lost;
  }

  /** Whether there is no connection at the moment, and one is tried for. */
  public boolean isAway() {
    return away;
  }

  /** Whether there has been a connection. */
  boolean wasConnected() {
    return connected.isDone() && !connected.isCompletedExceptionally();
  }

  boolean isItsThread() {
    return line.loop().inEventLoop();
  }

  /** Opens a session; or says why there is none. */
  public CompletionStage<RemoteSession> openSession() {
    return ask(this::open);
  }

  /** Asks how far the node is with catching up. */
  public CompletionStage<Progress> progress() {
    return ask(this::askProgress);
  }

  /** Asks what the node says of itself and of the grid: a text, which who has made it can read. */
  public CompletionStage<String> state() {
    StateCall call = new StateCall();
    calls.submit(call);
    signal();
    return call;
  }

  private static final class StateCall extends RemoteMaps.OneAnswer<String> {
    @Override
    public void write(ByteBuf out, int number) {
      ClientRecord.ASK_NODE.write(out, number);
    }

    @Override
    String read(ClientRecord type, ByteBuf in) throws ClientRecord.MalformedException {
      RemoteMaps.requireType(type, ClientRecord.NODE_STATE);
      return MapWire.readText(in);
    }
  }

  private <T> CompletionStage<T> ask(Consumer<CompletableFuture<T>> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      line.loop().execute(() -> askOrFail(question, answer));
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
      line.loop().execute(() -> unwatchNow(watcher));
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
        line.loop().execute(send);
      } catch (RejectedExecutionException e) {
        // The thread has ended, so that this one may do what is left to do.
        onLost("the grid was left");
      }
    }
  }

  // --- the line's thread -------------------------------------------------------------------------

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
    ByteBuf out = line.buffer();
    record.write(out, session);
    line.say(out);
  }

  private void send() {
    signalled.set(false);
    if (lost != null) {
      sessions.values().forEach(RemoteSession::onLost);
      calls.onLost(lost);
      return;
    }
    ByteBuf out = line.buffer();
    boolean more = false;
    for (RemoteSession session : sessions.values()) {
      if (line.isReady()) {
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
    if (line.isReady()) {
      calls.send(out, OUT_BYTES_MAX);
      more |= calls.hasMore();
    }
    if (out.isReadable()) {
      line.say(out);
    } else {
      out.release();
    }
    if (more && line.isReady()) {
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

  /** What comes over the line. */
  private final class Answers implements Line.Owner {
    @Override
    public void onAway() {
      away = true;
    }

    @Override
    public void onReady() {
      away = false;
      connected.complete(RemoteNode.this);
      signal();
    }

    @Override
    public int recordBytesMax() {
      return ClientRecord.bytesMax(valueBytesMax);
    }

    @Override
    public void onRecord(ClientRecord type, int id, ByteBuf in)
        throws ClientRecord.MalformedException {
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
    public void onLost(String reason) {
      RemoteNode.this.onLost(reason);
    }
  }

  /** Leaves the node; what is under way has an unknown outcome. */
  @Override
  public void close() {
    leave("the grid was left");
  }

  /** The same for a reason of its own. */
  void leave(String reason) {
    try {
      line.loop().execute(() -> line.close(reason));
    } catch (RejectedExecutionException e) {
      onLost("the grid was left");
    }
  }

  @Override
  public String toString() {
    return address.toString();
  }
}
