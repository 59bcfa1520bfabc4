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
package org.orcagrid.ddp.map;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.log.LogCodec;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.store.DirectMemory;
import org.orcagrid.ddp.transfer.Budget;
import org.orcagrid.ddp.worker.Engine;
import org.orcagrid.ddp.worker.Frames;
import org.orcagrid.ddp.worker.PacketHeader;
import org.orcagrid.ddp.worker.Packets;
import org.orcagrid.ddp.worker.Worker;
import org.orcagrid.ddp.zone.ZoneMemory;

/**
 * The maps of a worker: hands them what arrives, has them look at their journal and the time, sends
 * what has gathered, and tells clients what has ended. What other threads want of it they give to
 * the worker as tasks.
 *
 * <p>Clients and watchers are told last, and only if this node still serves then: what was read
 * from a copy that others go on without is told to nobody.
 */
final class MapsEngine implements Engine {
  private static final long SLEEP_NANOS_MAX = 20_000_000;
  private static final long BUSY_SLEEP_NANOS_MAX = 500_000;
  private static final int FIRST_BUFFER_BYTES = 4 << 10;

  private final Worker worker;
  private final Views membership;
  private final DirectMemory direct;
  private final Budget budget;

  /** Null if other links carry the beats than this worker's. */
  private final Beats beats;

  private final Consumer<Throwable> failures;
  private final Frames[] frames;
  private final int self;

  /** Null if this node has no zones. */
  private final WorkerZones zones;

  private final Map<Integer, HostedMap> maps = new HashMap<>();

  /** Those that have something to send. */
  private final List<HostedMap> flushing = new ArrayList<>();

  /** Those of the maps that have something to do, or will have at some time. */
  private final Timers timers = new Timers();

  /** Where they are durable; null before and after a life of the node. */
  private WorkerJournal journal;

  private final Deque<Told> answers = new ArrayDeque<>();

  /** What a map encodes; the next one may use it when it is appended or sent. */
  private ByteBuffer record = buffer(FIRST_BUFFER_BYTES);

  private ByteBuffer packet = buffer(FIRST_BUFFER_BYTES);

  /** Whether something was not done that was begun here. */
  private boolean faulty;

  /** Why there are no maps here any more, null while there are. */
  private String ended;

  private volatile long droppedFrames;

  /** What somebody is to be told, while this node serves. */
  interface Told {
    void tell();

    /** This life of the node is over: it is told to nobody. */
    void lose(SessionEndedException reason);
  }

  private record Answer<T>(CompletableFuture<T> future, T value) implements Told {
    @Override
    public void tell() {
      future.complete(value);
    }

    @Override
    public void lose(SessionEndedException reason) {
      future.completeExceptionally(reason);
    }
  }

  private record Ended(Operation operation) implements Told {
    @Override
    public void tell() {
      operation.tell();
    }

    @Override
    public void lose(SessionEndedException reason) {
      operation.fail(reason);
    }
  }

  /**
   * An engine without maps.
   *
   * @param memories that peers write into, by peer; none if this node has none
   * @param direct where the maps' entries are
   * @param membership says up to when what was found out may be told
   * @param budget bounds what the maps tell other nodes that catch up
   * @param carriesBeats whether beats go over this worker's links, and are sent by its thread
   * @param failures takes what ends the node
   */
  MapsEngine(
      Worker worker,
      Packets packets,
      MapSizes sizes,
      List<ZoneMemory> memories,
      DirectMemory direct,
      Views membership,
      Budget budget,
      boolean carriesBeats,
      Consumer<Throwable> failures) {
    this.worker = worker;
    this.membership = membership;
    this.direct = direct;
    this.budget = budget;
    this.failures = failures;
    this.self = sizes.self();
    this.frames = Frames.toPeers(packets, sizes.nodes(), self);
    this.beats = carriesBeats ? Beats.waiting(membership, frames, worker.nowNanos()) : null;
    this.zones =
        memories.isEmpty()
            ? null
            : new WorkerZones(memories, worker.endpoint(), self, this::hasWhatWasFound);
  }

  private boolean hasWhatWasFound() {
    return journal == null || journal.hasWhatWasFound();
  }

  long recordsInZones() {
    return zones == null ? 0 : zones.puts();
  }

  /** Null if this node has no zones. */
  WorkerZones zones() {
    return zones;
  }

  // --- any thread --------------------------------------------------------------------------------

  /** The worker's number. */
  int number() {
    return worker.number();
  }

  /** Where the maps' entries are. */
  DirectMemory direct() {
    return direct;
  }

  boolean isMe() {
    return worker.isMe();
  }

  /** Does something in the worker's thread, after all that was given before. */
  void execute(Runnable task) {
    worker.execute(task);
  }

  /** Has engines do something in their workers, and waits until all have, or have ended. */
  static void awaitDone(List<MapsEngine> by, Consumer<MapsEngine> what)
      throws InterruptedException {
    CountDownLatch done = new CountDownLatch(by.size());
    for (MapsEngine each : by) {
      each.execute(
          () -> {
            try {
              what.accept(each);
            } finally {
              done.countDown();
            }
          });
    }
    done.await();
  }

  void wakeUp() {
    worker.wakeUp();
  }

  long droppedFrames() {
    return droppedFrames;
  }

  // --- tasks -------------------------------------------------------------------------------------

  /** A life of the node begins, in which the maps are durable there. */
  void begin(WorkerJournal where) {
    journal = where;
    if (ended != null) {
      endJournal(false);
    }
  }

  /** Hosts a map from now on. */
  void add(HostedMap map) {
    if (ended != null) {
      map.end(ended, false);
      return;
    }
    map.on(journal);
    maps.put(map.definition().id(), map);
  }

  /** Gives up a map; the journal keeps what it has of it until it is to {@link #forget} that. */
  void remove(int map, String reason) {
    HostedMap gone = maps.remove(map);
    if (gone != null) {
      gone.end(reason, false);
      if (zones != null) {
        zones.forget(map);
      }
    }
  }

  /** Maps are known to be gone, of which none is here. */
  void forget(IntPredicate isGone) {
    if (journal != null) {
      journal.forget(isGone);
    }
  }

  /** Gives up all maps: this life of the node is over. */
  void removeAll(String reason, boolean goesOn) {
    boolean inOrder = !faulty;
    for (HostedMap map : maps.values()) {
      try {
        map.end(reason, goesOn);
      } catch (RuntimeException | Error e) {
        // The clients of the other maps wait, too.
        inOrder = false;
        failures.accept(e);
      }
    }
    inOrder = endJournal(inOrder);
    // Those that this life has not come to have what was found in zones still to take.
    inOrder &= zones == null || zones.isViewed();
    maps.clear();
    // What has ended, but was not told, was found out by a life that is over.
    answers.forEach(each -> each.lose(new SessionEndedException(reason)));
    answers.clear();
    if (zones != null) {
      try {
        zones.end(inOrder);
      } catch (IllegalStateException e) {
        failures.accept(e);
      }
    }
  }

  /** Whether all that was appended is durable. */
  private boolean endJournal(boolean inOrder) {
    if (journal == null) {
      return inOrder;
    }
    try {
      journal.end(inOrder);
      return inOrder;
    } catch (IOException | RuntimeException | Error e) {
      failures.accept(e);
      return false;
    } finally {
      journal = null;
    }
  }

  void onView(AgreedView view) {
    if (zones != null) {
      zones.onView(view);
    }
    maps.values().forEach(map -> map.onView(view));
  }

  /** What is here at this moment. */
  WorkerFigures figures() {
    long durable = journal == null ? 0 : journal.durable();
    return new WorkerFigures(
        number(),
        journal == null ? null : journal.figures(),
        maps.values().stream().map(map -> map.figures(durable)).toList());
  }

  // --- for the maps ------------------------------------------------------------------------------

  long nowNanos() {
    return worker.nowNanos();
  }

  Budget budget() {
    return budget;
  }

  /** Has a map send what has gathered when this cycle ends. */
  void flushLater(HostedMap map) {
    flushing.add(map);
  }

  Timers timers() {
    return timers;
  }

  void send(int peer, int map, ByteBuffer sent) {
    frames[peer].send(map, sent);
  }

  private static ByteBuffer buffer(int bytes) {
    try {
      return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    } catch (OutOfMemoryError e) {
      // Direct memory has ended: what other nodes have written is taken all the same.
      return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  private static ByteBuffer cleared(ByteBuffer present, int bytes) {
    return present.capacity() < bytes ? buffer(Integer.highestOneBit(bytes) << 1) : present.clear();
  }

  /** A record as bytes, until the next one. */
  ByteBuffer encoded(LogRecord of) {
    record = cleared(record, LogCodec.bytes(of));
    LogCodec.encode(of, record);
    return record.flip();
  }

  /** The same of a journal's record. */
  ByteBuffer encoded(int map, LogRecord of) {
    record = cleared(record, LogCodec.MAP_BYTES + LogCodec.bytes(of));
    LogCodec.encode(map, of, record);
    return record.flip();
  }

  /** Where a map encodes a packet of so many bytes. */
  ByteBuffer packetBuffer(int bytes) {
    packet = cleared(packet, bytes);
    return packet;
  }

  /** The journal is too long, and a map needs its oldest part; whether the map is here. */
  boolean makeRoom(int map) {
    HostedMap there = maps.get(map);
    if (there == null) {
      return false;
    }
    there.makeRoom();
    return true;
  }

  /** Whoever waits for it is told, if this node serves then. */
  <T> void answer(CompletableFuture<T> future, T value) {
    answers.add(new Answer<>(future, value));
  }

  /** The same of an operation that has ended. */
  void answer(Operation ended) {
    answers.add(new Ended(ended));
  }

  /** The same of anything else. */
  void answer(Told told) {
    answers.add(told);
  }

  /** Something that takes long has got on. */
  void progressed() {
    worker.progressed();
  }

  /** Waits, and does nothing else meanwhile. */
  void pause(long nanos) {
    worker.pause(nanos);
  }

  // --- the duty cycle ----------------------------------------------------------------------------

  @Override
  public int part() {
    return PacketHeader.MAPS;
  }

  @Override
  public void end(Throwable reason, boolean inOrder) {
    faulty = !inOrder;
    ended = reason == null ? "this node has ended" : "this node has failed: " + reason;
    removeAll(ended, false);
  }

  @Override
  public int work(long nowNanos) {
    int work = journal != null && journal.look() ? 1 : 0;
    timers.run(nowNanos);
    direct.tick(nowNanos);
    if (journal != null) {
      journal.force();
    }
    if (zones != null) {
      zones.look();
      zones.flush();
    }
    if (beats != null) {
      // The worker that looks is at work.
      beats.look(nowNanos, 0);
    }
    return work;
  }

  @Override
  public void onPacket(int from, ByteBuffer packet, int length, long nowNanos) {
    frames[from].receive(
        packet,
        length,
        (map, bytes) -> {
          if (map == Beats.FRAMES) {
            membership.onBeat(from, BeatCodec.decode(bytes));
            return;
          }
          HostedMap hosted = maps.get(map);
          // One that is not known here yet, or not any more: it is sent again.
          if (hosted != null) {
            hosted.onPacket(from, bytes);
          }
        });
  }

  @Override
  public void flush() {
    for (int i = 0; i < flushing.size(); i++) {
      flushing.get(i).flush(worker.nowNanos());
    }
    flushing.clear();
    long dropped = 0;
    for (Frames each : frames) {
      if (each != null) {
        each.flush();
        dropped += each.dropped();
      }
    }
    droppedFrames = dropped;
  }

  @Override
  public int tell() {
    if (answers.isEmpty()) {
      return 0;
    }
    if (!servesNow()) {
      // The membership sees the same, and ends this life of the node.
      return 0;
    }
    int told = answers.size();
    for (int i = 0; i < told; i++) {
      answers.poll().tell();
    }
    return told;
  }

  /** Whether this node serves; any thread. */
  boolean servesNow() {
    return worker.clock().nanoTime() - membership.servesUntilNanos() < 0;
  }

  @Override
  public long sleepNanosMax() {
    long most = isBusy() ? BUSY_SLEEP_NANOS_MAX : SLEEP_NANOS_MAX;
    return Math.max(BUSY_SLEEP_NANOS_MAX, timers.nanosToFirst(worker.nowNanos(), most));
  }

  private boolean isBusy() {
    for (Frames each : frames) {
      if (each != null && each.isWaiting()) {
        return true;
      }
    }
    boolean isFlushing = zones != null && zones.isFlushing();
    return (journal != null && journal.isBusy()) || isFlushing || !answers.isEmpty();
  }
}
