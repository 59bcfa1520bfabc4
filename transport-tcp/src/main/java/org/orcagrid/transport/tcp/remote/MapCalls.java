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
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.orcagrid.ddp.map.MapWatcher;
import org.orcagrid.ddp.map.NotBegunException;
import org.orcagrid.ddp.map.SessionEndedException;

/**
 * What a client has asked a node about maps, on one connection. Requests come from any thread; the
 * connection's sends them, and tells what has come of them.
 */
final class MapCalls {
  /** As many operations of a client as a node takes. */
  static final int CLIENT_MAX = 1 << 13;

  /** As many operations of a node that forwards as a node takes. */
  static final int NODE_MAX = 1 << 16;

  private final int underWayMax;
  private final Queue<Call> unsent = new ConcurrentLinkedQueue<>();
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger lastSession = new AtomicInteger();
  private volatile String lost;

  // Of the connection's thread.
  private int lastNumber;
  private final IntObjectMap<Call> sent = new IntObjectHashMap<>();
  private final IntObjectMap<MapWatcher> watches = new IntObjectHashMap<>();

  /** A request. */
  interface Call {
    /** Whether it is still wanted; from then on it is not taken back. */
    default boolean begin() {
      return true;
    }

    /** Writes it, under its number. */
    void write(ByteBuf out, int number);

    /** Part of its answer; whether it was the last one. */
    boolean onAnswer(ClientRecord type, ByteBuf in) throws ClientRecord.MalformedException;

    /** There is no answer. */
    void fail(Exception reason);
  }

  /** What needs no answer. */
  private record Notice(ClientRecord type, int number) implements Call {
    @Override
    public void write(ByteBuf out, int ignored) {
      type.write(out, number);
    }

    @Override
    public boolean onAnswer(ClientRecord answer, ByteBuf in) {
      return true;
    }

    @Override
    public void fail(Exception reason) {
      // The node has given it up with the connection.
    }
  }

  /**
   * Requests to a node.
   *
   * @param underWayMax how many may be there without an answer
   */
  MapCalls(int underWayMax) {
    this.underWayMax = underWayMax;
  }

  // --- any thread --------------------------------------------------------------------------------

  /** Has a request sent. The connection is to be told that there is something to send. */
  void submit(Call call) {
    if (underWay.incrementAndGet() > underWayMax) {
      underWay.decrementAndGet();
      call.fail(
          new RejectedExecutionException(
              underWayMax + " operations are under way at the same node already"));
      return;
    }
    unsent.add(call);
    if (lost != null) {
      failUnsent();
    }
  }

  /** Says something that needs no answer. */
  void say(ClientRecord type, int number) {
    if (lost == null) {
      unsent.add(new Notice(type, number));
    }
  }

  /** A new number for a session. */
  int nextSession() {
    return lastSession.incrementAndGet();
  }

  private void failUnsent() {
    for (Call each = unsent.poll(); each != null; each = unsent.poll()) {
      end(each);
      if (each.begin()) {
        each.fail(new NotBegunException("It was not sent: " + lost));
      }
    }
  }

  private void end(Call call) {
    if (!(call instanceof Notice)) {
      underWay.decrementAndGet();
    }
  }

  // --- the connection's thread -------------------------------------------------------------------

  /** Writes what was submitted, as long as there is less than that in the buffer. */
  void send(ByteBuf out, int bytesMax) {
    while (out.readableBytes() < bytesMax) {
      Call next = unsent.poll();
      if (next == null) {
        return;
      }
      if (!next.begin()) {
        end(next);
        continue;
      }
      int number = ++lastNumber;
      if (!(next instanceof Notice)) {
        sent.put(number, next);
      }
      next.write(out, number);
    }
  }

  boolean hasMore() {
    return !unsent.isEmpty();
  }

  /** Handles a record; whether it is one about maps that a node sends. */
  boolean onRecord(ClientRecord type, int number, ByteBuf in)
      throws ClientRecord.MalformedException {
    switch (type) {
      case DEFINED, MAP_STATE, NODE_STATE, FOUND, OPERATED, DONE, FAILED ->
          onAnswer(type, number, in);
      case SHOWN -> {
        MapWatcher watcher = watches.get(number);
        if (watcher != null) {
          watcher.onShown(MapWire.readShown(in));
        }
      }
      case WATCH_ENDED -> {
        MapWatcher watcher = watches.remove(number);
        if (watcher != null) {
          watcher.onEnded();
        }
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void onAnswer(ClientRecord type, int number, ByteBuf in)
      throws ClientRecord.MalformedException {
    Call call = sent.get(number);
    if (call == null) {
      throw new ClientRecord.MalformedException("an answer that nobody has asked for");
    }
    if (type == ClientRecord.FAILED) {
      sent.remove(number);
      end(call);
      call.fail(MapWire.readFailure(in));
    } else if (call.onAnswer(type, in)) {
      sent.remove(number);
      end(call);
    }
  }

  /** Tells a watcher from now on of what is shown under this number. */
  void watch(int number, MapWatcher watcher) {
    watches.put(number, watcher);
  }

  /** Tells a watcher no more; its number, 0 if it was told of nothing. */
  int unwatch(MapWatcher watcher) {
    for (IntObjectMap.PrimitiveEntry<MapWatcher> each : watches.entries()) {
      if (each.value() == watcher) {
        int number = each.key();
        watches.remove(number);
        return number;
      }
    }
    return 0;
  }

  /** The connection is lost. */
  void onLost(String reason) {
    lost = reason;
    List<Call> open = new ArrayList<>(sent.values());
    sent.clear();
    for (Call each : open) {
      end(each);
      each.fail(
          new SessionEndedException(
              "It was sent, and the connection was lost before an answer came: " + reason));
    }
    failUnsent();
    List<MapWatcher> watchers = new ArrayList<>(watches.values());
    watches.clear();
    watchers.forEach(MapWatcher::onEnded);
  }
}
