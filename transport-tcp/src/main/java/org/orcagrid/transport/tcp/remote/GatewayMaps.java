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
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.map.NotBegunException;
import org.orcagrid.ddp.map.NumberedMaps;
import org.orcagrid.ddp.map.Shown;
import org.orcagrid.ddp.map.ShownQueue;
import org.orcagrid.ddp.replica.consistency.Operation;

/**
 * What a client's connection does on maps. Of the connection's thread; what ends, ends in others,
 * and waits here for that thread.
 */
final class GatewayMaps {
  /** So many changes wait for a connection before those of a key become one. */
  private static final int WAITING_MAX = 1024;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(25);

  private final Host host;
  private final Runnable signal;
  private final IntObjectMap<MapSession> sessions = new IntObjectHashMap<>();
  private final IntObjectMap<Watch> watches = new IntObjectHashMap<>();
  private final Queue<End> ended = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  /** What has ended and is written in part; null if there is none. */
  private End first;

  private int underWay;
  private long bytesUnderWay;

  /** Of values that are on their way to the client. */
  private final AtomicLong answerBytes = new AtomicLong();

  /**
   * What a connection may have at most; more is refused.
   *
   * @param underWay operations that have not ended
   * @param bytesUnderWay their values, and those of their answers
   * @param sessions open sessions of maps
   * @param watches maps that are watched, each as often as it is
   */
  record Bounds(int underWay, long bytesUnderWay, int sessions, int watches) {
    /** Of one client. */
    static final Bounds CLIENT = new Bounds(MapCalls.CLIENT_MAX, 64L << 20, 1 << 17, 1 << 10);

    /** Of a node, which forwards what its clients and its own program do. */
    static final Bounds NODE = new Bounds(MapCalls.NODE_MAX, 256L << 20, 1 << 20, 1 << 14);
  }

  /**
   * What all connections share.
   *
   * @param maps what they use
   * @param bounds of each of them
   * @param patient runs what waits for others; refuses when too much does
   * @param foundBytes what reads of whole maps have on the heap
   * @param report what the node says of itself
   */
  record Host(
      NumberedMaps maps, Bounds bounds, Executor patient, AtomicLong foundBytes, Report report) {}

  /** Says what the node is at. */
  interface Report {
    /** A text, some time after it was asked for. */
    String get() throws InterruptedException;
  }

  /**
   * The end of a request.
   *
   * @param bytes of the request
   * @param answerBytes of the value in the answer
   * @param found what is freed when it is written, or nobody wants it
   */
  private record End(int bytes, int answerBytes, FoundVersions found, Answer answer) {}

  private interface Answer {
    void write(ByteBuf out);
  }

  private record Watch(MapDefinition map, ShownQueue changes) {}

  /**
   * A connection.
   *
   * @param signal tells it that there is something to {@link #answer}; any thread
   */
  GatewayMaps(Host host, Runnable signal) {
    this.host = host;
    this.signal = signal;
  }

  /** Handles a record; whether it is one about maps that a client sends. */
  boolean onRecord(ClientRecord type, int number, ByteBuf in)
      throws ClientRecord.MalformedException {
    int bytes = in.readableBytes();
    switch (type) {
      case DEFINE_MAP -> {
        MapDefinition wanted = MapWire.readDefinition(in);
        patiently(number, bytes, () -> define(number, wanted));
      }
      case REMOVE_MAP -> {
        String name = MapWire.readText(in);
        patiently(number, bytes, () -> remove(number, name));
      }
      case ASK_NODE -> patiently(number, bytes, () -> report(number));
      case LIST_MAPS -> list(number, bytes);
      case ASK_MAP -> ask(number, bytes, in.readIntLE());
      case OPERATE -> operate(number, bytes, in);
      case CLOSE_MAP_SESSION -> {
        MapSession closed = sessions.remove(number);
        if (closed != null) {
          closed.close();
        }
      }
      case WATCH -> watch(number, bytes, in.readIntLE());
      case UNWATCH -> unwatch(watches.remove(number));
      default -> {
        return false;
      }
    }
    return true;
  }

  // --- what waits for others ---------------------------------------------------------------------

  private interface Patient {
    Answer run() throws IOException, InterruptedException;
  }

  private void patiently(int request, int bytes, Patient work) {
    begin(bytes);
    try {
      host.patient().execute(() -> end(bytes, outcome(request, work)));
    } catch (RejectedExecutionException e) {
      end(
          bytes,
          failed(
              request,
              new RejectedExecutionException(
                  "Too much that takes long is asked of this node at once", e)));
    }
  }

  private Answer outcome(int request, Patient work) {
    try {
      return work.run();
    } catch (IOException | RuntimeException e) {
      return failed(request, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(request, new IllegalStateException("This node is closing", e));
    }
  }

  private Answer define(int request, MapDefinition wanted)
      throws IOException, InterruptedException {
    MapDefinition map =
        host.maps()
            .define(
                wanted.name(), wanted.model(), wanted.conflicts(), wanted.copies(), PATIENCE_NANOS);
    return out -> MapWire.writeText(out, ClientRecord.DEFINED, request, map.toText());
  }

  private Answer remove(int request, String name) throws IOException, InterruptedException {
    host.maps().remove(name, PATIENCE_NANOS);
    return out -> ClientRecord.DONE.write(out, request);
  }

  private Answer report(int request) throws InterruptedException {
    String text = host.report().get();
    return out -> MapWire.writeLongText(out, ClientRecord.NODE_STATE, request, text);
  }

  // --- what is known -----------------------------------------------------------------------------

  private void list(int request, int bytes) {
    begin(bytes);
    try {
      List<MapDefinition> all = host.maps().definitions();
      end(
          bytes,
          out -> {
            for (MapDefinition map : all) {
              MapWire.writeText(out, ClientRecord.DEFINED, request, map.toText());
            }
            ClientRecord.DONE.write(out, request);
          });
    } catch (IllegalStateException e) {
      end(bytes, failed(request, e));
    }
  }

  // --- operations --------------------------------------------------------------------------------

  private MapDefinition map(int id) {
    MapDefinition map = host.maps().definition(id);
    if (map == null) {
      throw new NotBegunException(
          "The node does not have the map "
              + id
              + ": it was removed, or the node is joining again");
    }
    return map;
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  private void ask(int request, int bytes, int map) {
    begin(bytes);
    try {
      host.maps()
          .state(map(map))
          .whenComplete(
              (state, reason) ->
                  end(
                      bytes,
                      reason == null
                          ? out -> MapWire.writeState(out, request, state)
                          : failed(request, reason)));
    } catch (RuntimeException e) {
      end(bytes, failed(request, e));
    }
  }

  // All that becomes of it is answered.
  @SuppressWarnings("FutureReturnValueIgnored")
  private void operate(int request, int bytes, ByteBuf in) throws ClientRecord.MalformedException {
    FoundVersions found = new FoundVersions(request, host.foundBytes());
    MapWire.Place place = MapWire.Place.read(in);
    Operation operation = MapWire.readOperation(in, found);
    begin(bytes);
    try {
      requireRoom();
      session(place)
          .submit(operation)
          .whenComplete(
              (done, reason) ->
                  end(
                      new End(
                          bytes, valueBytes(done), found, ended(request, found, done, reason))));
    } catch (RuntimeException e) {
      end(bytes, failed(request, e));
    }
  }

  private void requireRoom() {
    Bounds most = host.bounds();
    if (underWay > most.underWay() || bytesUnderWay + answerBytes.get() > most.bytesUnderWay()) {
      throw new RejectedExecutionException(
          "More than "
              + most.underWay()
              + " operations or "
              + (most.bytesUnderWay() >> 20)
              + " MB of one connection are under way at this node");
    }
  }

  private MapSession session(MapWire.Place place) {
    MapSession session = sessions.get(place.session());
    if (session == null) {
      int most = host.bounds().sessions();
      if (sessions.size() >= most) {
        throw new RejectedExecutionException("A connection has " + most + " sessions at most");
      }
      MapSession beside = sessions.get(place.beside());
      session = beside == null ? open(place.map()) : beside.openBeside();
      sessions.put(place.session(), session);
    }
    return session;
  }

  /**
   * What cannot be opened stays so: what follows must not overtake what was not begun. So it is at
   * a node that has ended, which loses its clients in a moment: they go on at another one.
   */
  private MapSession open(int map) {
    try {
      return host.maps().openSession(map(map));
    } catch (IllegalStateException e) {
      return new RefusedSession(e.getMessage());
    }
  }

  private static int valueBytes(Operation done) {
    boolean isRead = done != null && done.read() != null && done.read().value() != null;
    return isRead ? done.read().value().length : 0;
  }

  private static Answer ended(int request, FoundVersions found, Operation done, Throwable reason) {
    boolean hasWritten = done != null && done.batch() != null && done.hasWritten();
    // What was written is told, though what was there before may be too much.
    Throwable failure = reason == null && !hasWritten ? found.failure() : reason;
    return out -> {
      if (failure == null) {
        MapWire.writeEnd(out, request, done);
      } else {
        MapWire.writeFailure(out, request, failure);
      }
    };
  }

  private static Answer failed(int request, Throwable reason) {
    return out -> MapWire.writeFailure(out, request, reason);
  }

  // --- watching ----------------------------------------------------------------------------------

  // All that becomes of it is answered.
  @SuppressWarnings("FutureReturnValueIgnored")
  private void watch(int number, int bytes, int map) throws ClientRecord.MalformedException {
    if (watches.containsKey(number)) {
      throw new ClientRecord.MalformedException("the watch " + number + " is there already");
    }
    begin(bytes);
    try {
      int most = host.bounds().watches();
      if (watches.size() >= most) {
        throw new RejectedExecutionException("A connection watches " + most + " maps at most");
      }
      Watch watch = new Watch(map(map), new ShownQueue(WAITING_MAX, signal));
      watches.put(number, watch);
      host.maps()
          .watch(watch.map(), watch.changes())
          .whenComplete((done, reason) -> end(bytes, watched(number, reason)));
    } catch (RuntimeException e) {
      end(bytes, watched(number, e));
    }
  }

  private Answer watched(int number, Throwable reason) {
    return out -> {
      if (reason == null) {
        ClientRecord.DONE.write(out, number);
      } else {
        watches.remove(number);
        MapWire.writeFailure(out, number, reason);
      }
    };
  }

  private void unwatch(Watch gone) {
    if (gone != null) {
      host.maps().unwatch(gone.map(), gone.changes());
    }
  }

  // --- answers -----------------------------------------------------------------------------------

  private void begin(int bytes) {
    underWay++;
    bytesUnderWay += bytes;
  }

  private void end(int bytes, Answer answer) {
    end(new End(bytes, 0, null, answer));
  }

  private void end(End end) {
    answerBytes.addAndGet(end.answerBytes());
    ended.add(end);
    if (closed) {
      drop();
    } else {
      signal.run();
    }
  }

  /** Nobody wants what has ended. */
  private void drop() {
    for (End each = ended.poll(); each != null; each = ended.poll()) {
      free(each.found());
    }
  }

  private static void free(FoundVersions found) {
    if (found != null) {
      found.free();
    }
  }

  /** Writes what has ended while there is less than that in the buffer; whether more waits. */
  boolean answer(ByteBuf out, int bytesMax) {
    while (out.readableBytes() < bytesMax) {
      End next = first == null ? ended.poll() : first;
      if (next == null) {
        break;
      }
      first = next;
      if (next.found() != null && !next.found().write(out, bytesMax)) {
        return true;
      }
      first = null;
      underWay--;
      bytesUnderWay -= next.bytes();
      answerBytes.addAndGet(-next.answerBytes());
      next.answer().write(out);
      free(next.found());
    }
    tellWatches(out, bytesMax);
    return out.readableBytes() >= bytesMax;
  }

  private void tellWatches(ByteBuf out, int bytesMax) {
    for (IntObjectMap.PrimitiveEntry<Watch> each : watches.entries()) {
      ShownQueue changes = each.value().changes();
      Shown change = changes.poll();
      for (; change != null && out.readableBytes() < bytesMax; change = changes.poll()) {
        MapWire.writeShown(out, each.key(), change);
      }
      if (change != null) {
        MapWire.writeShown(out, each.key(), change);
      }
    }
    watches
        .entrySet()
        .removeIf(
            each -> {
              boolean isOver = each.getValue().changes().isOver();
              if (isOver) {
                ClientRecord.WATCH_ENDED.write(out, each.getKey());
              }
              return isOver;
            });
  }

  /** The connection is at its end. */
  void close() {
    sessions.values().forEach(MapSession::close);
    sessions.clear();
    watches.values().forEach(this::unwatch);
    watches.clear();
    closed = true;
    if (first != null) {
      free(first.found());
    }
    drop();
  }
}
