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
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.lang.invoke.VarHandle;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.orcagrid.ddp.node.SessionHost;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.transport.tcp.Channels;

/**
 * What a node has of a client: its sessions, what it has asked about maps, and what it was told. A
 * lost connection does not end it. Of the gateway's thread; what ends in others waits here for
 * that.
 */
final class GatewayClient {
  private static final int OUT_BYTES_MAX = 64 * 1024;

  /** With more than that said and not told to have come, answers about maps wait. */
  private static final long KEPT_BYTES_USUAL = 16L << 20;

  /** More than a client that works leaves untold, beside what its sessions may ask for at once. */
  private static final long KEPT_BYTES_MAX = 256L << 20;

  private static final int HEADER_BYTES = 64;

  private final long token;
  private final SessionHost node;
  private final EventExecutor thread;
  private final IntObjectMap<GatewaySession> sessions = new IntObjectHashMap<>();
  private final Runnable signal = this::signal;
  private final GatewayMaps maps;
  private final RecordStream stream = new RecordStream();
  private final AtomicBoolean signalled = new AtomicBoolean();
  private final Runnable answer = this::answer;

  private ByteBuf out;

  /** How many sessions were open at once. */
  private int sessionsMost;

  /** Null while it is away. */
  private ChannelHandlerContext connection;

  /** What ends it if it stays away; null while it is there. */
  private Future<?> end;

  private boolean over;

  GatewayClient(long token, SessionHost node, GatewayMaps.Host maps, EventExecutor thread) {
    this.token = token;
    this.node = node;
    this.thread = thread;
    this.maps = new GatewayMaps(maps, signal);
  }

  long token() {
    return token;
  }

  /** Up to where everything has come from it. */
  long received() {
    return stream.received();
  }

  /** Where it is connected; null while it is away. */
  ChannelHandlerContext connection() {
    return connection;
  }

  // --- its connections ---------------------------------------------------------------------------

  /**
   * It is there, for the first time or again, and has got everything up to a position.
   *
   * @throws ClientRecord.MalformedException if it cannot have
   */
  void attach(ChannelHandlerContext at, long position) throws ClientRecord.MalformedException {
    if (end != null) {
      end.cancel(false);
      end = null;
    }
    connection = at;
    ByteBuf first = PooledByteBufAllocator.DEFAULT.directBuffer();
    ClientRecord.writePosition(first, ClientRecord.ATTACHED, token, stream.report());
    Channels.write(at, first);
    for (ByteBuf each : stream.from(position)) {
      Channels.write(at, each);
    }
    at.flush();
    signal();
  }

  /** It has lost its connection, and may come back until this is done. */
  void detach(Future<?> ending) {
    connection = null;
    end = ending;
  }

  /** It has got everything up to a position. */
  void told(long position) throws ClientRecord.MalformedException {
    boolean hadRoom = hasRoom();
    stream.told(position);
    if (!hadRoom) {
      signal();
    }
  }

  /** Whether it takes answers and never says that they came. */
  boolean isKeptTooMuch() {
    long ofSessions =
        (long) sessionsMost * GatewaySession.DEPTH * (node.valueBytesMax() + HEADER_BYTES);
    return stream.untoldBytes() > KEPT_BYTES_MAX + ofSessions;
  }

  /** It is at its end. */
  void close() {
    if (over) {
      return;
    }
    over = true;
    if (end != null) {
      end.cancel(false);
    }
    connection = null;
    sessions.values().forEach(GatewaySession::close);
    sessions.clear();
    maps.close();
    stream.release();
    if (out != null) {
      out.release();
      out = null;
    }
  }

  // --- what it asks ------------------------------------------------------------------------------

  /** Handles a record, of which {@code in} is at the content. */
  void onRecord(ClientRecord type, int id, ByteBuf in, int bytes)
      throws ClientRecord.MalformedException {
    if (over) {
      return;
    }
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
      case PROGRESS -> ClientRecord.writeProgress(out(), id, node.progress());
      default -> {
        if (!maps.onRecord(type, id, in)) {
          throw new ClientRecord.MalformedException("a record that only nodes send");
        }
      }
    }
    stream.received(Integer.BYTES + bytes);
  }

  private void open(int id) throws ClientRecord.MalformedException {
    if (sessions.containsKey(id)) {
      throw new ClientRecord.MalformedException("session " + id + " is open already");
    }
    try {
      sessions.put(id, new GatewaySession(id, node.openSession(), signal));
      sessionsMost = Math.max(sessionsMost, sessions.size());
      ClientRecord.writeOpened(out(), id, node.valueBytesMax());
    } catch (IllegalStateException e) {
      ClientRecord.writeRefusal(out(), id, e.getMessage());
    }
  }

  // --- what it is told ---------------------------------------------------------------------------

  private ByteBuf out() {
    if (out == null) {
      out = PooledByteBufAllocator.DEFAULT.directBuffer();
    }
    return out;
  }

  /** Says what is ready, and how much has come if that is due. */
  void flush() {
    if (out != null && out.isReadable()) {
      ByteBuf full = stream.say(out);
      out = null;
      if (connection == null) {
        full.release();
      } else if (stream.isReportDue()) {
        Channels.write(connection, full);
      } else {
        Channels.writeAndFlush(connection, full);
      }
    }
    if (stream.isReportDue()) {
      report(ClientRecord.RECEIVED);
    }
  }

  /** Says how much has come, if the client is there. */
  void report(ClientRecord as) {
    if (connection == null) {
      return;
    }
    ByteBuf told = PooledByteBufAllocator.DEFAULT.directBuffer();
    ClientRecord.writePosition(told, as, token, stream.report());
    Channels.writeAndFlush(connection, told);
  }

  /** Something has ended, or there is room again; any thread. */
  void signal() {
    // What was published before this must not be overtaken by the look at who is told already.
    VarHandle.fullFence();
    if (!signalled.get() && signalled.compareAndSet(false, true)) {
      try {
        thread.execute(answer);
      } catch (RejectedExecutionException e) {
        // The gateway was closed, and with it the connection: nobody waits for an answer.
        assert thread.isShuttingDown();
      }
    }
  }

  private void answer() {
    signalled.set(false);
    if (over) {
      return;
    }
    for (GatewaySession session : sessions.values()) {
      session.answer(out());
    }
    // A client that does not read them has its answers wait where there is a bound on them.
    boolean more = hasRoom() && maps.answer(out(), OUT_BYTES_MAX);
    flush();
    if (more) {
      signal();
    }
  }

  private boolean hasRoom() {
    return connection != null
        && connection.channel().isWritable()
        && stream.untoldBytes() < KEPT_BYTES_USUAL;
  }
}
