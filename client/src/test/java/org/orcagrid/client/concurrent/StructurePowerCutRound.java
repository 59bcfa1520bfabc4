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
package org.orcagrid.client.concurrent;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.orcagrid.client.Codec;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridException;
import org.orcagrid.client.concurrent.StructureOperation.Kind;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.log.PoweredMedia;
import org.orcagrid.ddp.durable.segment.PoweredDevice;
import org.orcagrid.ddp.model.Ddp;

/**
 * A round: threads at all nodes use structures of one model, all nodes lose power in the middle of
 * it, come back on what has survived, and the histories are judged together with what is found
 * then.
 *
 * <p>Threads are real, so that the same seed is another run each time: a failure tells all that is
 * known.
 */
final class StructurePowerCutRound {
  private static final int NODES = 3;
  private static final int OPERATIONS = 12;
  private static final int CUT_AFTER_MAX = 160;
  private static final int ITEMS_OF_A_SET = 3;
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  /** What is used. */
  private enum Structure {
    QUEUE,
    STACK,
    SET,
    COUNTER
  }

  private final long seed;
  private final Ddp model;
  private final boolean keepsAll;
  private final Path folder;
  private final SplittableRandom random;
  private final List<PoweredDevice> devices = new ArrayList<>();
  private final Map<Structure, ConcurrentLinkedQueue<StructureOperation>> histories =
      new EnumMap<>(Structure.class);
  private final AtomicInteger items = new AtomicInteger();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /**
   * A round.
   *
   * @param keepsAll whether the model keeps what has completed; with another one it is only seen
   *     that the structures can be used afterwards, and invent nothing
   */
  StructurePowerCutRound(long seed, Ddp model, boolean keepsAll, Path folder) {
    this.seed = seed;
    this.keepsAll = keepsAll;
    this.model = model;
    this.folder = folder;
    this.random = new SplittableRandom(seed);
    for (int node = 0; node < NODES; node++) {
      devices.add(new PoweredDevice(random.nextLong(), PoweredDevice.Honesty.HONEST));
    }
    for (Structure each : Structure.values()) {
      histories.put(each, new ConcurrentLinkedQueue<>());
    }
  }

  private EmbeddedGrid start() {
    MediumKind powered =
        MediumKind.of(
            "powered",
            (journal, threads) -> {
              String node = journal.getParent().getFileName().toString();
              String worker = journal.getFileName().toString();
              return new PoweredMedia(devices.get(number(node)), threads).open(number(worker));
            });
    return Grid.embedded(
        EmbeddedGrid.Settings.DEFAULT.withNodes(NODES).withFolder(folder).withMedium(powered));
  }

  private static int number(String name) {
    return Integer.parseInt(name.substring(name.indexOf('-') + 1));
  }

  /** The structures as they are used at a place. */
  private final class User {
    private final int number;
    private final SplittableRandom random;
    private final GridQueue<Integer> queue;
    private final GridStack<Integer> stack;
    private final GridSet<Integer> set;
    private final GridCounter counter;

    User(int number, GridMaps place, SplittableRandom random) {
      Codec<Integer> codec = Codec.of((item, out) -> out.putInt(item), in -> in.getInt());
      this.number = number;
      this.random = random;
      this.queue = place.queue("q", codec, model);
      this.stack = place.stack("s", codec, model);
      this.set = place.set("t", codec, model);
      this.counter = place.counter("c", model);
    }

    /** Until it has done enough, or nobody answers any more. */
    void work() {
      try {
        for (int i = 0; i < OPERATIONS; i++) {
          once();
        }
      } catch (GridException | IllegalStateException e) {
        // The power is cut; what was under way stays without an end.
      } catch (RuntimeException | AssertionError e) {
        failures.add(e);
      }
    }

    private void once() {
      switch (random.nextInt(4)) {
        case 0 -> {
          if (random.nextInt(3) > 0) {
            int item = items.incrementAndGet();
            tell(Structure.QUEUE, Kind.OFFER, item, () -> done(() -> queue.offer(item)));
          } else {
            poll();
          }
        }
        case 1 -> {
          if (random.nextInt(3) > 0) {
            int item = items.incrementAndGet();
            tell(Structure.STACK, Kind.PUSH, item, () -> done(() -> stack.push(item)));
          } else {
            pop();
          }
        }
        case 2 -> {
          int item = 1 + random.nextInt(ITEMS_OF_A_SET);
          if (random.nextBoolean()) {
            tell(Structure.SET, Kind.ADD, item, () -> set.add(item) ? 1 : 0);
          } else {
            tell(Structure.SET, Kind.REMOVE, item, () -> set.remove(item) ? 1 : 0);
          }
        }
        default -> count();
      }
    }

    private int poll() {
      return tell(Structure.QUEUE, Kind.POLL, 0, () -> taken(queue.poll()));
    }

    private int pop() {
      return tell(Structure.STACK, Kind.POP, 0, () -> taken(stack.pop()));
    }

    private void count() {
      tell(Structure.COUNTER, Kind.COUNT, 0, () -> (int) counter.incrementAndGet());
    }

    /** What is put in afterwards comes out. */
    void useAgain() {
      for (int item = -1; item > -3; item--) {
        queue.offer(item);
        stack.push(item);
        Integer polled = queue.poll();
        Integer popped = stack.pop();
        if (!Integer.valueOf(item).equals(polled) || !Integer.valueOf(item).equals(popped)) {
          failures.add(new AssertionError("After the loss: " + polled + ", " + popped));
        }
      }
    }

    /** Looks at all that is there, and takes it out. */
    void drain() {
      while (poll() != 0) {
        // One after the other.
      }
      while (pop() != 0) {
        // One after the other.
      }
      for (int each = 1; each <= ITEMS_OF_A_SET; each++) {
        int item = each;
        tell(Structure.SET, Kind.CONTAINS, item, () -> set.contains(item) ? 1 : 0);
      }
      count();
    }

    private static int taken(Integer item) {
      return item == null ? 0 : item;
    }

    private static int done(Runnable operation) {
      operation.run();
      return 0;
    }

    private int tell(Structure of, Kind kind, int item, IntSupplier operation) {
      long begin = System.nanoTime();
      long end = StructureOperation.NEVER;
      int answer = 0;
      try {
        answer = operation.getAsInt();
        end = System.nanoTime();
      } finally {
        histories.get(of).add(new StructureOperation(number, kind, item, answer, begin, end));
      }
      return answer;
    }
  }

  /** Null if all is well. */
  String run() throws InterruptedException {
    try (EmbeddedGrid grid = start()) {
      List<User> users = new ArrayList<>();
      for (int node = 0; node < NODES; node++) {
        users.add(new User(node, grid.maps(node), random.split()));
      }
      devices.get(random.nextInt(NODES)).cutAfter(random.nextInt(CUT_AFTER_MAX));
      List<Thread> threads = new ArrayList<>();
      for (User user : users) {
        Thread thread = new Thread(user::work, "user " + user.number);
        threads.add(thread);
        thread.start();
      }
      awaitCut(threads);
      devices.forEach(PoweredDevice::cut);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    devices.forEach(PoweredDevice::restart);
    try (EmbeddedGrid grid = start()) {
      User last = new User(NODES, grid.maps(random.nextInt(NODES)), random.split());
      last.drain();
      last.useAgain();
    }
    return judged();
  }

  private void awaitCut(List<Thread> threads) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (devices.stream().noneMatch(PoweredDevice::isDead)
        && threads.stream().anyMatch(Thread::isAlive)) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("seed " + seed + ": nothing comes to an end");
      }
      LockSupport.parkNanos(100_000);
    }
  }

  private String judged() {
    if (!failures.isEmpty()) {
      return "seed " + seed + " " + model + ": " + failures;
    }
    for (Structure each : Structure.values()) {
      List<StructureOperation> history = List.copyOf(histories.get(each));
      String fault =
          keepsAll
              ? StructureChecker.fault(history)
              : history.stream().allMatch(operation -> isKnown(operation, history))
                  ? null
                  : "something that nobody has put in: " + history;
      if (fault != null) {
        return "seed " + seed + " " + model + " " + each + ": " + fault;
      }
    }
    return null;
  }

  /** Whether an item that was taken out was put in. */
  private static boolean isKnown(StructureOperation taken, List<StructureOperation> history) {
    return (taken.kind() != Kind.POLL && taken.kind() != Kind.POP)
        || taken.answer() == 0
        || history.stream().anyMatch(each -> each.item() == taken.answer());
  }

  /** How many operations have never been answered. */
  long unanswered() {
    return histories.values().stream()
        .mapToLong(history -> history.stream().filter(each -> !each.ended()).count())
        .sum();
  }
}
