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
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.orcagrid.ddp.landing.ZoneMemory;
import org.orcagrid.ddp.membership.Beat;
import org.orcagrid.ddp.transport.Clock;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.PacketHandler;
import org.orcagrid.ddp.vital.VitalTask;

/**
 * The duty cycle of a worker of maps: takes packets in, does what other threads want, looks at the
 * media and the time, sends what has gathered, and tells clients what has ended. It sleeps when
 * there is nothing to do.
 *
 * <p>Clients and watchers are told last, and only if this node still serves then: what was read
 * from a copy that others go on without is told to nobody.
 */
final class MapWorker implements Runnable {
  private static final int PACKETS_AT_ONCE = 64;
  private static final int TASKS_AT_ONCE = 256;
  private static final int IDLE_CYCLES_BEFORE_SLEEP = 50;
  private static final long SLEEP_NANOS_MAX = 20_000_000;
  private static final long BUSY_SLEEP_NANOS_MAX = 500_000;
  private static final int FIRST_BUFFER_BYTES = 4 << 10;

  /** Frames of this map are beats; maps have numbers from 1. */
  private static final int BEATS = 0;

  private static final long LOOK_NANOS = 5_000_000;

  private final Endpoint endpoint;
  private final Clock clock;
  private final MapMembership membership;

  /** Whether this worker's links carry the beats. */
  private final boolean beats;

  private final Consumer<Throwable> failures;
  private final Frames[] frames;
  private final int self;

  /** Null if this node has no zones. */
  private final Landing landing;

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final Map<Integer, HostedMap> maps = new HashMap<>();
  private final Deque<Told> answers = new ArrayDeque<>();
  private final PacketHandler handler = this::onPacket;
  private final MapMembership.Beats sender = this::sendBeat;

  /** What a map encodes; the next one may use it when it is appended or sent. */
  private ByteBuffer record = buffer(FIRST_BUFFER_BYTES);

  private ByteBuffer packet = buffer(FIRST_BUFFER_BYTES);

  private long now;
  private long lookedNanos;
  private boolean faulty;
  private volatile Thread me;
  private volatile boolean stopping;
  private volatile boolean ended;
  private volatile long droppedFrames;

  /** Why the worker has ended, null if it was stopped. */
  private volatile Throwable failure;

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

  /**
   * A worker.
   *
   * @param zones that peers write into, by peer; none if this node has none
   * @param membership says up to when what was found out may be told
   * @param beats whether it is this worker that sends the membership's beats
   * @param failures is told what has ended the worker, before any client is
   */
  MapWorker(
      Endpoint endpoint,
      MapSizes sizes,
      List<ZoneMemory> zones,
      Clock clock,
      MapMembership membership,
      boolean beats,
      Consumer<Throwable> failures) {
    this.endpoint = endpoint;
    this.clock = clock;
    this.membership = membership;
    this.beats = beats;
    this.failures = failures;
    this.self = sizes.self();
    this.frames = new Frames[sizes.nodes()];
    for (int peer = 0; peer < frames.length; peer++) {
      frames[peer] = peer == self ? null : new Frames(endpoint, peer);
    }
    this.landing = zones.isEmpty() ? null : new Landing(zones, endpoint, self, () -> maps.values());
    this.now = clock.nanoTime();
    this.lookedNanos = now;
  }

  long landedRecords() {
    return landing == null ? 0 : landing.puts();
  }

  /** Null if this node has no zones. */
  Landing landing() {
    return landing;
  }

  // --- any thread --------------------------------------------------------------------------------

  boolean isMe() {
    return Thread.currentThread() == me;
  }

  /** Does something in the worker's thread, after all that was given before. */
  void execute(Runnable task) {
    tasks.add(task);
    if (ended) {
      runLeft();
    } else {
      wakeUp();
    }
  }

  /** What was given too late: there are no maps any more, and whoever waits is told so. */
  private synchronized void runLeft() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        // Those behind it wait, too.
        failures.accept(e);
      }
    }
  }

  /** Has workers do something, and waits until all have, or have ended. */
  static void awaitDone(List<MapWorker> by, Consumer<MapWorker> what) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(by.size());
    for (MapWorker worker : by) {
      worker.execute(
          () -> {
            try {
              what.accept(worker);
            } finally {
              done.countDown();
            }
          });
    }
    done.await();
  }

  /** Waits for the end of a worker's thread, unless it is this one; whether it was interrupted. */
  static boolean join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive() && thread != Thread.currentThread()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }

  void wakeUp() {
    if (!isMe()) {
      endpoint.wakeUp();
    }
  }

  void stop() {
    stopping = true;
    endpoint.wakeUp();
  }

  long droppedFrames() {
    return droppedFrames;
  }

  // --- tasks -------------------------------------------------------------------------------------

  /** Hosts a map from now on. */
  void add(HostedMap map) {
    if (stopping) {
      end(map, whyEnded());
      return;
    }
    maps.put(map.definition().id(), map);
  }

  /** Gives up a map. */
  void remove(int map, String reason) {
    HostedMap gone = maps.remove(map);
    if (gone != null) {
      end(gone, reason);
      if (landing != null) {
        landing.forget(map);
      }
    }
  }

  /** Whether that was done in order. */
  private boolean end(HostedMap map, String reason) {
    try {
      map.end(reason, !faulty);
      return !faulty;
    } catch (IOException | RuntimeException | Error e) {
      // The clients of the other maps wait, too.
      failures.accept(e);
      return false;
    }
  }

  /** Gives up all maps: this life of the node is over. */
  void removeAll(String reason) {
    boolean inOrder = !faulty;
    for (HostedMap map : maps.values()) {
      inOrder &= end(map, reason);
    }
    // Those that this life has not come to have what was found in zones still to take.
    inOrder &= landing == null || landing.isViewed();
    maps.clear();
    // What has ended, but was not told, was found out by a life that is over.
    answers.forEach(each -> each.lose(new SessionEndedException(reason)));
    answers.clear();
    if (landing != null) {
      try {
        landing.end(inOrder);
      } catch (IllegalStateException e) {
        failures.accept(e);
      }
    }
  }

  void onView(MapView view) {
    if (landing != null) {
      landing.onView(view);
    }
    maps.values().forEach(map -> map.onView(view));
  }

  // --- for the maps ------------------------------------------------------------------------------

  long nowNanos() {
    return now;
  }

  void send(int peer, int map, ByteBuffer sent) {
    frames[peer].send(map, sent);
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer cleared(ByteBuffer present, int bytes) {
    return present.capacity() < bytes ? buffer(Integer.highestOneBit(bytes) << 1) : present.clear();
  }

  /** Where a map encodes a record of so many bytes. */
  ByteBuffer recordBuffer(int bytes) {
    record = cleared(record, bytes);
    return record;
  }

  /** Where a map encodes a packet of so many bytes. */
  ByteBuffer packetBuffer(int bytes) {
    packet = cleared(packet, bytes);
    return packet;
  }

  /** Memory for what is appended has ended: all logs are to give back what they can. */
  void forceAll() {
    maps.values().forEach(HostedMap::force);
  }

  /** Whoever waits for it is told, if this node serves then. */
  <T> void answer(CompletableFuture<T> future, T value) {
    answers.add(new Answer<>(future, value));
  }

  /** The same of anything else. */
  void answer(Told told) {
    answers.add(told);
  }

  /** Waits, and does nothing else meanwhile. */
  void pause(long nanos) {
    LockSupport.parkNanos(this, nanos);
    now = clock.nanoTime();
  }

  // --- the duty cycle ----------------------------------------------------------------------------

  @Override
  public void run() {
    me = Thread.currentThread();
    try {
      new VitalTask("A worker of maps", this::cycle, this::die).run();
    } finally {
      end();
    }
  }

  /** The node is told before its clients are: what they ask next is refused with the reason. */
  private void die(Throwable reason) {
    faulty = true;
    failure = reason;
    failures.accept(reason);
  }

  private String whyEnded() {
    return failure == null ? "this node has ended" : "this node has failed: " + failure;
  }

  private void end() {
    stopping = true;
    try {
      removeAll(whyEnded());
    } finally {
      ended = true;
      try {
        endpoint.close();
      } finally {
        runLeft();
      }
    }
  }

  boolean isStopping() {
    return stopping;
  }

  private void cycle() {
    int idle = 0;
    while (!stopping) {
      int work = doWork();
      idle = work == 0 ? idle + 1 : 0;
      if (idle > IDLE_CYCLES_BEFORE_SLEEP) {
        endpoint.await(isBusy() ? BUSY_SLEEP_NANOS_MAX : SLEEP_NANOS_MAX);
      } else if (work == 0) {
        Thread.onSpinWait();
      }
    }
  }

  private int doWork() {
    now = clock.nanoTime();
    int work = endpoint.poll(handler, PACKETS_AT_ONCE);
    for (int done = 0; done < TASKS_AT_ONCE; done++) {
      Runnable task = tasks.poll();
      if (task == null) {
        break;
      }
      task.run();
      work++;
    }
    for (HostedMap map : maps.values()) {
      work += map.look() ? 1 : 0;
    }
    if (landing != null) {
      landing.look();
      landing.flush();
    }
    if (beats && now - lookedNanos >= LOOK_NANOS) {
      lookedNanos = now;
      membership.tick(sender);
    }
    flush();
    return work + tell();
  }

  private void onPacket(int from, ByteBuffer packet, int length) {
    frames[from].receive(
        packet,
        length,
        (map, bytes) -> {
          if (map == BEATS) {
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

  private void sendBeat(int peer, Beat beat) {
    ByteBuffer bytes = packetBuffer(BeatCodec.BYTES);
    BeatCodec.encode(beat, bytes);
    frames[peer].send(BEATS, bytes.flip());
  }

  private void flush() {
    long dropped = 0;
    for (Frames each : frames) {
      if (each != null) {
        each.flush();
        dropped += each.dropped();
      }
    }
    droppedFrames = dropped;
  }

  private int tell() {
    if (answers.isEmpty()) {
      return 0;
    }
    if (clock.nanoTime() - membership.servesUntilNanos() >= 0) {
      // The membership sees the same, and ends this life of the node.
      return 0;
    }
    int told = answers.size();
    for (int i = 0; i < told; i++) {
      answers.poll().tell();
    }
    return told;
  }

  private boolean isBusy() {
    for (Frames each : frames) {
      if (each != null && each.isWaiting()) {
        return true;
      }
    }
    for (HostedMap map : maps.values()) {
      if (map.isBusy()) {
        return true;
      }
    }
    return !answers.isEmpty();
  }
}
