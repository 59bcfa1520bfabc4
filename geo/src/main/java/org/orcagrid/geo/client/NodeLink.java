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
package org.orcagrid.geo.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.geo.protocol.ClientAnswer;
import org.orcagrid.geo.protocol.ClientRequest;
import org.orcagrid.geo.protocol.Messages;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;
import org.orcagrid.transport.tcp.Channels;
import org.orcagrid.transport.tcp.ConnectHandshake;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.IoKind;

/**
 * A client's connection to a node, made when it is needed and again when it was lost. Requests that
 * a lost connection has not answered fail, and their callers try again.
 *
 * <p>Fields belong to the loop's thread.
 */
final class NodeLink {
  private static final int CONNECT_MILLIS_MAX = 3_000;
  private static final long PAUSE_NANOS = 100_000_000;
  private static final long SILENCE_NANOS_MAX = 3_000_000_000L;
  private static final long LOOK_MILLIS = 1_000;

  /** An answer has a value at most, and what is beside it. */
  private static final int ANSWER_BYTES_MAX = 1 << 20;

  private final HostPort address;
  private final GeoSettings settings;
  private final RemoteGeo.Shown shown;
  private final EventLoop loop;
  private final Map<Long, CompletableFuture<ClientAnswer>> waiting = new HashMap<>();

  private ChannelHandlerContext connection;
  private CompletableFuture<Void> connecting;
  private long numbers;
  private long failedNanos;
  private long heardNanos;
  private String failure;

  NodeLink(HostPort address, GeoSettings settings, RemoteGeo.Shown shown, EventLoop loop) {
    this.address = address;
    this.settings = settings;
    this.shown = shown;
    this.loop = loop;
  }

  HostPort address() {
    return address;
  }

  /** Asks; the answer, or a {@link LinkException}. Any thread. */
  CompletableFuture<ClientAnswer> ask(ClientRequest request) {
    CompletableFuture<ClientAnswer> answer = new CompletableFuture<>();
    Encoder out = new Encoder();
    ClientRequest.write(out, request);
    loop.execute(() -> ask(out, answer));
    return answer;
  }

  /** There is no answer, since the connection is lost or cannot be made. */
  static final class LinkException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LinkException(String message) {
      super(message);
    }
  }

  private void ask(Encoder request, CompletableFuture<ClientAnswer> answer) {
    if (connection != null) {
      numbers++;
      waiting.put(numbers, answer);
      Messages.write(connection, numbers, request);
      return;
    }
    if (connecting == null) {
      if (failure != null && System.nanoTime() - failedNanos < PAUSE_NANOS) {
        answer.completeExceptionally(new LinkException(failure));
        return;
      }
      connect();
    }
    Object unused =
        connecting.whenComplete(
            (done, reason) -> {
              if (reason == null) {
                ask(request, answer);
              } else {
                answer.completeExceptionally(reason);
              }
            });
  }

  private void connect() {
    CompletableFuture<Void> made = new CompletableFuture<>();
    connecting = made;
    Bootstrap bootstrap = IoKind.NIO.connecting(loop);
    bootstrap.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS_MAX);
    bootstrap.handler(
        new ChannelInitializer<Channel>() {
          @Override
          protected void initChannel(Channel channel) {
            if (shown.tls() != null) {
              channel
                  .pipeline()
                  .addLast(shown.tls().newHandler(channel.alloc(), address.host(), address.port()));
            }
            channel
                .pipeline()
                .addLast(
                    ConnectHandshake.ofClient(
                        settings.name(),
                        shown.secret(),
                        context -> accepted(context, made),
                        (context, refusal) -> refused(context, refusal.reason(), made)));
          }
        });
    ChannelFuture future = bootstrap.connect(address.resolve());
    Object unusedListening =
        future.addListener(
            done -> {
              if (!done.isSuccess()) {
                failed(String.valueOf(done.cause().getMessage()), made);
              }
            });
    Object unused =
        loop.schedule(
            () -> {
              if (!made.isDone()) {
                Channels.close(future.channel());
                failed("no answer in " + CONNECT_MILLIS_MAX + " ms", made);
              }
            },
            CONNECT_MILLIS_MAX,
            TimeUnit.MILLISECONDS);
  }

  private void accepted(ChannelHandlerContext context, CompletableFuture<Void> made) {
    context.pipeline().addLast(new Answers());
    connection = context.pipeline().lastContext();
    connecting = null;
    failure = null;
    heardNanos = System.nanoTime();
    look(connection);
    made.complete(null);
  }

  /** A node that does not answer while it is asked is taken for gone. */
  private void look(ChannelHandlerContext of) {
    if (!of.equals(connection)) {
      return;
    }
    if (waiting.isEmpty()) {
      heardNanos = System.nanoTime();
    } else if (System.nanoTime() - heardNanos > SILENCE_NANOS_MAX) {
      Channels.close(of);
      return;
    } else {
      Encoder out = new Encoder();
      ClientRequest.write(out, new ClientRequest.Describe());
      ask(out, new CompletableFuture<>());
    }
    Object unused = loop.schedule(() -> look(of), LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void refused(ChannelHandlerContext context, String reason, CompletableFuture<Void> made) {
    Channels.close(context);
    failed(reason, made);
  }

  private void failed(String reason, CompletableFuture<Void> made) {
    if (made.isDone()) {
      return;
    }
    connecting = null;
    failedNanos = System.nanoTime();
    failure = "No connection to " + address + ": " + reason;
    made.completeExceptionally(new LinkException(failure));
  }

  void close() {
    loop.execute(
        () -> {
          if (connection != null) {
            Channels.close(connection);
          }
        });
  }

  /** What the node answers. */
  private final class Answers extends Messages {
    Answers() {
      super(ANSWER_BYTES_MAX);
    }

    @Override
    protected void onMessage(long number, Decoder content) {
      heardNanos = System.nanoTime();
      CompletableFuture<ClientAnswer> answer = waiting.get(number);
      if (answer == null) {
        throw new MalformedPacketException("An answer to request " + number + ", which is none");
      }
      ClientAnswer read = ClientAnswer.read(content);
      waiting.remove(number);
      answer.complete(read);
    }

    @Override
    protected void onEnd(String reason) {
      connection = null;
      failure = "The connection to " + address + " was lost: " + reason;
      LinkException lost = new LinkException(failure);
      Map<Long, CompletableFuture<ClientAnswer>> all = new HashMap<>(waiting);
      waiting.clear();
      all.values().forEach(each -> each.completeExceptionally(lost));
    }
  }
}
