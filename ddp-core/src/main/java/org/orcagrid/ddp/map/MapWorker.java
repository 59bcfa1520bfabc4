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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.orcagrid.ddp.landing.ZoneMemory;
import org.orcagrid.ddp.replica.Operation;
import org.orcagrid.ddp.transport.Clock;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.PacketHandler;

/**
 * The duty cycle of a worker of maps: takes packets in, does what other threads want, looks at the
 * media and the time, sends what has gathered, and tells clients what has ended. It sleeps when
 * there is nothing to do.
 *
 * <p>Clients are told last, and only if this node still serves then: what was read from a copy that
 * others go on without is told to nobody.
 */
final class MapWorker implements Runnable {
  private static final int PACKETS_AT_ONCE = 64;
  private static final int TASKS_AT_ONCE = 256;
  private static final int IDLE_CYCLES_BEFORE_SLEEP = 50;
  private static final long SLEEP_NANOS_MAX = 20_000_000;
  private static final long BUSY_SLEEP_NANOS_MAX = 500_000;

  private final Endpoint endpoint;
  private final Clock clock;
  private final LongSupplier servesUntil;
  private final Consumer<Throwable> failures;
  private final Frames[] frames;
  private final int self;

  /** Null if this node has no zones. */
  private final Landing landing;

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final Map<Integer, HostedMap> maps = new HashMap<>();
  private final Deque<Answer> answers = new ArrayDeque<>();
  private final PacketHandler handler = this::onPacket;

  private long now;
  private boolean faulty;
  private volatile Thread me;
  private volatile boolean stopping;
  private volatile boolean ended;
  private volatile long droppedFrames;

  private record Answer(CompletableFuture<Operation> future, Operation operation) {}

  /**
   * A worker.
   *
   * @param zones that peers write into, by peer; none if this node has none
   * @param servesUntil up to when what was found out may be told
   * @param failures is told what has ended the worker
   */
  MapWorker(
      Endpoint endpoint,
      MapSizes sizes,
      List<ZoneMemory> zones,
      Clock clock,
      LongSupplier servesUntil,
      Consumer<Throwable> failures) {
    this.endpoint = endpoint;
    this.clock = clock;
    this.servesUntil = servesUntil;
    this.failures = failures;
    this.self = sizes.self();
    this.frames = new Frames[sizes.nodes()];
    for (int peer = 0; peer < frames.length; peer++) {
      frames[peer] = peer == self ? null : new Frames(endpoint, peer);
    }
    this.landing = zones.isEmpty() ? null : new Landing(zones, endpoint, self, () -> maps.values());
    this.now = clock.nanoTime();
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
      task.run();
    }
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
      end(map, "this node has ended");
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
    } catch (IOException | RuntimeException e) {
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
    answers.forEach(each -> each.future().completeExceptionally(new SessionEndedException(reason)));
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

  void send(int peer, int map, ByteBuffer packet) {
    frames[peer].send(map, packet);
  }

  /** An operation has ended. */
  void answer(CompletableFuture<Operation> future, Operation operation) {
    answers.add(new Answer(future, operation));
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
      cycle();
    } catch (RuntimeException | Error e) {
      faulty = true;
      failures.accept(e);
    } finally {
      stopping = true;
      try {
        removeAll("this node has ended");
      } finally {
        ended = true;
        endpoint.close();
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
    flush();
    return work + tell();
  }

  private void onPacket(int from, ByteBuffer packet, int length) {
    frames[from].receive(
        packet,
        length,
        (map, bytes) -> {
          HostedMap hosted = maps.get(map);
          // One that is not known here yet, or not any more: it is sent again.
          if (hosted != null) {
            hosted.onPacket(from, bytes);
          }
        });
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
    if (clock.nanoTime() - servesUntil.getAsLong() >= 0) {
      // The membership sees the same, and ends this life of the node.
      return 0;
    }
    int told = answers.size();
    for (int i = 0; i < told; i++) {
      Answer each = answers.poll();
      each.future().complete(each.operation());
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
