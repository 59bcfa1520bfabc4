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
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.lang.invoke.VarHandle;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.orcagrid.ddp.node.SessionHost;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.transport.tcp.Channels;
import org.orcagrid.transport.tcp.LinkListener;

/** A client's connection and its sessions. */
final class GatewayConnection extends RecordDecoder {
  private static final int OUT_BYTES = 4096;
  private static final int OUT_BYTES_MAX = 64 * 1024;

  private final SessionHost node;
  private final LinkListener listener;
  private final IntObjectMap<GatewaySession> sessions = new IntObjectHashMap<>();
  private final Runnable signal = this::signal;
  private final GatewayMaps maps;
  private final AtomicBoolean signalled = new AtomicBoolean();
  private final Runnable answer = this::answer;

  private ChannelHandlerContext context;
  private ByteBuf out;

  GatewayConnection(SessionHost node, GatewayMaps.Host maps, LinkListener listener) {
    this.node = node;
    this.maps = new GatewayMaps(maps, signal);
    this.listener = listener;
  }

  @Override
  int recordBytesMax() {
    return ClientRecord.bytesMax(node.valueBytesMax());
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) throws Exception {
    super.handlerAdded(added);
    context = added;
  }

  private ByteBuf out() {
    if (out == null) {
      out = context.alloc().directBuffer(OUT_BYTES);
    }
    return out;
  }

  private void flush() {
    if (out != null && out.isReadable()) {
      ByteBuf full = out;
      out = null;
      Channels.writeAndFlush(context, full);
    }
  }

  @Override
  void onRecord(ByteBuf in, int bytes) throws ClientRecord.MalformedException {
    ClientRecord type = ClientRecord.readType(in);
    int id = in.readIntLE();
    switch (type) {
      case OPEN -> open(id);
      case CLOSE -> {
        GatewaySession closed = sessions.remove(id);
        if (closed != null) {
          closed.close();
        }
      }
      case REQUEST -> {
        GatewaySession session = sessions.get(id);
        if (session == null) {
          throw new ClientRecord.MalformedException(
              "an operation of session " + id + ", which is closed");
        }
        session.onRequest(in, out(), ReplicaStore.KEY_BYTES_MAX, node.valueBytesMax());
      }
      case PING -> ClientRecord.PING.write(out(), id);
      case PROGRESS -> ClientRecord.writeProgress(out(), id, node.progress());
      default -> {
        if (!maps.onRecord(type, id, in, out())) {
          throw new ClientRecord.MalformedException("a record that only nodes send");
        }
      }
    }
  }

  private void open(int id) throws ClientRecord.MalformedException {
    if (sessions.containsKey(id)) {
      throw new ClientRecord.MalformedException("session " + id + " is open already");
    }
    try {
      sessions.put(id, new GatewaySession(id, node.openSession(), signal));
      ClientRecord.writeOpened(out(), id, node.valueBytesMax());
    } catch (IllegalStateException e) {
      ClientRecord.writeRefusal(out(), id, e.getMessage());
    }
  }

  @Override
  void onBatchEnd() {
    flush();
  }

  /** Something has ended; by a worker's thread. */
  private void signal() {
    // What was published before this must not be overtaken by the look at who is told already.
    VarHandle.fullFence();
    if (!signalled.get() && signalled.compareAndSet(false, true)) {
      try {
        context.executor().execute(answer);
      } catch (RejectedExecutionException e) {
        // The gateway was closed, and with it the connection: nobody waits for an answer.
        assert context.executor().isShuttingDown();
      }
    }
  }

  private void answer() {
    signalled.set(false);
    for (GatewaySession session : sessions.values()) {
      session.answer(out());
    }
    // A client that does not read them has its answers wait where there is a bound on them.
    boolean more = context.channel().isWritable() && maps.answer(out(), OUT_BYTES_MAX);
    flush();
    if (more) {
      signal();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext changed) throws Exception {
    // Who does not read answers is not asked for more.
    changed.channel().config().setAutoRead(changed.channel().isWritable());
    if (changed.channel().isWritable()) {
      signal();
    }
    super.channelWritabilityChanged(changed);
  }

  @Override
  void onDown(String reason) {
    sessions.values().forEach(GatewaySession::close);
    sessions.clear();
    maps.close();
    if (out != null) {
      out.release();
      out = null;
    }
    listener.onDown(-1, 0, "client " + context.channel().remoteAddress() + ": " + reason);
  }
}
