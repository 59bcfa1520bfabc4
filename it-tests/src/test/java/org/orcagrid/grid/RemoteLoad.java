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
package org.orcagrid.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.orcagrid.client.Codec;
import org.orcagrid.client.GridException;
import org.orcagrid.client.NotDoneException;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.client.concurrent.GridCounter;
import org.orcagrid.client.concurrent.GridQueue;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.ddp.model.Ddp;

/**
 * Threads of clients from outside that use a durable queue, map and counter, each for itself, and a
 * judge of what they were told: whatever was acknowledged is there, once, and in order, and is seen
 * by whoever reads later.
 */
final class RemoteLoad implements AutoCloseable {
  static final Ddp DURABLE = Ddp.parse("linearizable/synchronous");

  private static final long KEYS = 100;
  private static final int THREADS = 5;

  /** After what was not done, as there is no node. */
  private static final long PAUSE_NANOS = 5_000_000;

  /**
   * After what was done, so that processes which start beside the load have a processor. {@code
   * -Dbetween.micros=0} is for clients that ask as fast as they can.
   */
  private static final long BETWEEN_NANOS =
      TimeUnit.MICROSECONDS.toNanos(Long.getLong("between.micros", 1_000));

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicBoolean stop = new AtomicBoolean();
  private final Ddp model;
  private final String name;

  /** How often each thread has done something. */
  private final Map<String, Long> done = new TreeMap<>();

  /** How often it does not know whether. */
  private final Map<String, Long> unknown = new TreeMap<>();

  private final List<Long> polled = new ArrayList<>();
  private final List<Long> sums = new ArrayList<>();

  /** What was acknowledged last of each key. */
  private final Map<String, Long> written = new ConcurrentHashMap<>();

  /** What may be written to a key at any later time, or never. */
  private final Set<Long> setsInDoubt = ConcurrentHashMap.newKeySet();

  private final Map<String, Long> read = new HashMap<>();
  private final List<String> stale = new ArrayList<>();

  private final CompletableFuture<Tally> offers;
  private final CompletableFuture<Tally> polls;
  private final CompletableFuture<Tally> sets;
  private final CompletableFuture<Tally> additions;
  private final CompletableFuture<Tally> reads;

  /** Something that is done again and again, for the n-th time. */
  private interface Step {
    void run(long n);
  }

  /** How often a thread has done something, and of which times it does not know whether. */
  private record Tally(long last, TreeSet<Long> inDoubt, TreeSet<Long> notDone) {
    private boolean isCertain(long n) {
      return !inDoubt.contains(n) && !notDone.contains(n);
    }

    private long certain() {
      return last - inDoubt.size() - notDone.size();
    }
  }

  /** Begins to use a grid through one client. */
  RemoteLoad(RemoteGrid grid) {
    this(grid, grid, DURABLE, "load");
  }

  /**
   * Begins to use a grid.
   *
   * @param reading another client, which reads the map
   * @param model of all that is used
   * @param name of it
   */
  RemoteLoad(RemoteGrid grid, RemoteGrid reading, Ddp model, String name) {
    this.model = model;
    this.name = name;
    GridQueue<Long> queue = queue(grid);
    GridMap<String, Long> map = map(grid);
    GridMap<String, Long> shown = map(reading);
    GridCounter counter = counter(grid);
    offers = start("offers", queue::offer);
    polls = start("polls", n -> poll(queue));
    sets = start("sets", n -> set(map, n));
    additions = start("additions", n -> sums.add(counter.addAndGet(1)));
    reads = start("reads", n -> read(shown, n));
  }

  private GridQueue<Long> queue(RemoteGrid grid) {
    return grid.queue(name + "-jobs", Codec.LONG, model);
  }

  private GridMap<String, Long> map(RemoteGrid grid) {
    return grid.map(name + "-values", Codec.STRING, Codec.LONG, model);
  }

  private GridCounter counter(RemoteGrid grid) {
    return grid.counter(name + "-total", model);
  }

  private static String key(long n) {
    return "key" + n % KEYS;
  }

  private void poll(GridQueue<Long> queue) {
    Long item = queue.poll();
    if (item != null) {
      polled.add(item);
    }
  }

  private void set(GridMap<String, Long> map, long n) {
    boolean isInDoubt = true;
    try {
      map.set(key(n), n);
      isInDoubt = false;
      written.put(key(n), n);
    } catch (NotDoneException e) {
      isInDoubt = false;
      throw e;
    } finally {
      if (isInDoubt) {
        setsInDoubt.add(n);
      }
    }
  }

  /** Numbers grow: nobody sees an older one than was acknowledged, or read, before. */
  private void read(GridMap<String, Long> map, long n) {
    String key = key(n);
    long least = Math.max(written.getOrDefault(key, 0L), read.getOrDefault(key, 0L));
    Long found = map.get(key);
    long value = found == null ? 0 : found;
    if (value < least && !setsInDoubt.contains(value)) {
      stale.add(key + " was " + value + " after " + least);
    }
    read.put(key, value);
  }

  private CompletableFuture<Tally> start(String what, Step step) {
    CompletableFuture<Tally> tally = CompletableFuture.supplyAsync(() -> run(what, step), threads);
    return tally.whenComplete((done, failure) -> wake());
  }

  private synchronized void wake() {
    notifyAll();
  }

  private Tally run(String what, Step step) {
    Tally tally = new Tally(0, new TreeSet<>(), new TreeSet<>());
    long n = 0;
    while (!stop.get()) {
      n++;
      try {
        step.run(n);
        note(done, what);
        LockSupport.parkNanos(BETWEEN_NANOS);
      } catch (NotDoneException e) {
        tally.notDone().add(n);
        LockSupport.parkNanos(PAUSE_NANOS);
      } catch (GridException e) {
        tally.inDoubt().add(n);
        note(unknown, what);
      }
    }
    return new Tally(n, tally.inDoubt(), tally.notDone());
  }

  private synchronized void note(Map<String, Long> in, String what) {
    in.merge(what, 1L, Long::sum);
    notifyAll();
  }

  /** Waits until each thread has done so much more; fails if one has failed. */
  synchronized void awaitSteps(long more) throws InterruptedException {
    Map<String, Long> before = new HashMap<>(done);
    while (done.size() < THREADS
        || !done.entrySet().stream()
            .allMatch(each -> each.getValue() - before.getOrDefault(each.getKey(), 0L) >= more)) {
      all().stream().filter(CompletableFuture::isDone).forEach(CompletableFuture::join);
      wait();
    }
  }

  private List<CompletableFuture<Tally>> all() {
    return List.of(offers, polls, sets, additions, reads);
  }

  /** Nothing is begun any more; waits for what is under way. */
  void stop() throws Exception {
    stop.set(true);
    for (CompletableFuture<Tally> each : all()) {
      each.get(Ports.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** Looks at a grid, through any of its nodes, after {@link #stop}. */
  void judge(RemoteGrid grid) {
    assertEquals(List.of(), stale, "what was acknowledged is seen");
    Tally added = additions.join();
    assertEquals(sums.stream().sorted().distinct().toList(), sums, "each sum once, and in order");
    long total = counter(grid).get();
    assertTrue(
        total >= added.certain() && total <= added.certain() + added.inDoubt().size(),
        () -> total + " of " + added);
    assertEquals(List.of(), wrong(map(grid), sets.join()));
    judge(queue(grid));
  }

  /** The keys whose value is neither what was certainly written last nor in doubt. */
  private static List<String> wrong(GridMap<String, Long> map, Tally written) {
    Map<String, Long> last = new HashMap<>();
    for (long n = 1; n <= written.last(); n++) {
      if (written.isCertain(n)) {
        last.put(key(n), n);
      }
    }
    List<String> wrong = new ArrayList<>();
    last.forEach(
        (key, n) -> {
          Long value = map.get(key);
          if (!n.equals(value) && (value == null || !written.inDoubt().contains(value))) {
            wrong.add(key + " is " + value + " and not " + n);
          }
        });
    return wrong;
  }

  /**
   * Each item once and in order. Those whose offer is in doubt may be missing; of those that were
   * offered, as many as polls are in doubt.
   */
  private void judge(GridQueue<Long> queue) {
    for (Long item = queue.poll(); item != null; item = queue.poll()) {
      polled.add(item);
    }
    Tally offered = offers.join();
    assertEquals(polled.stream().sorted().distinct().toList(), polled, "once, and in order");
    TreeSet<Long> missing = new TreeSet<>();
    for (long n = 1; n <= offered.last(); n++) {
      if (offered.isCertain(n)) {
        missing.add(n);
      }
    }
    TreeSet<Long> wrong = new TreeSet<>(polled);
    wrong.removeAll(missing);
    wrong.removeAll(offered.inDoubt());
    assertEquals(new TreeSet<Long>(), wrong, "what was offered");
    missing.removeAll(polled);
    assertTrue(
        missing.size() <= polls.join().inDoubt().size(),
        () -> "lost: " + missing + ", polls in doubt: " + polls.join().inDoubt().size());
  }

  /** What the threads have done so far, in words. */
  @Override
  public synchronized String toString() {
    return "done " + done + ", outcome unknown " + unknown;
  }

  @Override
  public void close() {
    stop.set(true);
    threads.shutdownNow();
  }
}
