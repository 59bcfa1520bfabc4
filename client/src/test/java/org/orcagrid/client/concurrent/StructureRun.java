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

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Input;
import org.orcagrid.client.OutcomeUnknownException;
import org.orcagrid.client.concurrent.SimulatedCells.Fault;
import org.orcagrid.client.concurrent.StructureOperation.Kind;

/**
 * A run of a structure's own code by several clients, of which one at a time does one operation on
 * one variable; a seed says which, and what becomes of it. Clients have threads, since the code
 * waits; only one of them ever runs, so that a seed is always the same run.
 */
final class StructureRun {
  private static final int STEPS_MAX = 20_000;

  /** What is looked at. */
  enum Structure {
    QUEUE,
    STACK,
    SET
  }

  private final AtomicLong salt = new AtomicLong();

  /** Writes an item in another way each time, as one that encrypts does. */
  private final Codec<Integer> codec =
      Codec.of((item, out) -> out.putInt(item).putLong(salt.incrementAndGet()), Input::getInt);

  private final Structure structure;
  private final SplittableRandom random;
  private final SimulatedCells cells;
  private final int keptMax;
  private final List<StructureOperation> history = new ArrayList<>();
  private final Semaphore back = new Semaphore(0);
  private final List<Player> clients = new ArrayList<>();
  private long now;
  private int items;

  /** A client has crashed. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1;

    Crash() {
      super("crashed", null, false, false);
    }
  }

  private StructureRun(long seed, Structure structure, Fault fault) {
    this.structure = structure;
    this.random = new SplittableRandom(seed);
    this.cells = new SimulatedCells(random, fault, random.nextBoolean() ? 0 : 3);
    this.keptMax = random.nextBoolean() ? 0 : 1 + random.nextInt(3);
  }

  /** Null if the history of the seed's run can be explained. */
  static String fault(long seed, Structure structure, Fault fault) throws InterruptedException {
    StructureRun run = new StructureRun(seed, structure, fault);
    try {
      run.play();
    } catch (IllegalStateException e) {
      return "seed " + seed + ": " + e.getMessage();
    }
    String found = StructureChecker.fault(run.history);
    return found == null ? null : "seed " + seed + ": " + found;
  }

  private void play() throws InterruptedException {
    int count = 2 + random.nextInt(3);
    for (int number = 0; number < count; number++) {
      clients.add(new Player(number, 2 + random.nextInt(4), random.nextInt(10) == 0));
    }
    try {
      run();
      // In the end one client takes out whatever is left.
      clients.clear();
      clients.add(new Player(count, 0, false));
      run();
    } finally {
      clients.forEach(each -> each.crashes = true);
      while (clients.stream().anyMatch(each -> !each.over)) {
        clients.stream().filter(each -> !each.over).findFirst().orElseThrow().go();
      }
    }
  }

  private void run() throws InterruptedException {
    for (int step = 0; clients.stream().anyMatch(each -> !each.over); step++) {
      if (step == STEPS_MAX) {
        throw new IllegalStateException("does not come to an end: " + history);
      }
      List<Player> there = clients.stream().filter(each -> !each.over).toList();
      cells.happen();
      there.get(random.nextInt(there.size())).go();
    }
  }

  private final class Player implements Runnable, SimulatedCells.Turn {
    private final int number;
    private final int operations;
    private final boolean mayCrash;
    private final Semaphore turn = new Semaphore(0);
    private boolean begun;
    private boolean crashes;
    private volatile boolean over;
    private volatile Throwable failure;

    Player(int number, int operations, boolean mayCrash) {
      this.number = number;
      this.operations = operations;
      this.mayCrash = mayCrash;
    }

    /** Lets it do what it does up to its next operation on a variable. */
    void go() throws InterruptedException {
      if (!begun) {
        begun = true;
        Thread thread = new Thread(this, "client " + number);
        thread.setDaemon(true);
        thread.start();
      } else {
        turn.release();
      }
      back.acquire();
      if (failure != null) {
        throw new IllegalStateException("A client has failed: " + failure, failure);
      }
    }

    @Override
    public void await() {
      back.release();
      turn.acquireUninterruptibly();
      if (crashes || (mayCrash && random.nextInt(40) == 0)) {
        throw new Crash();
      }
    }

    @Override
    public void run() {
      try {
        work();
      } catch (Crash e) {
        crashes = true;
      } catch (Throwable e) {
        failure = e;
      } finally {
        over = true;
        back.release();
      }
    }

    private void work() {
      Cells<Cell> own = cells.new Client(this, keptMax);
      switch (structure) {
        case QUEUE -> {
          GridQueue<Integer> queue = opened(() -> new GridQueue<>(own, "", codec));
          for (int i = 0; i < operations; i++) {
            if (random.nextBoolean()) {
              int item = ++items;
              tell(Kind.OFFER, item, () -> put(() -> queue.offer(item)));
            } else {
              tell(Kind.POLL, 0, () -> taken(queue.poll()));
            }
          }
          while (operations == 0 && tell(Kind.POLL, 0, () -> taken(queue.poll())) != 0) {}
        }
        case STACK -> {
          GridStack<Integer> stack = opened(() -> new GridStack<>(own, "", codec));
          for (int i = 0; i < operations; i++) {
            if (random.nextBoolean()) {
              int item = ++items;
              tell(Kind.PUSH, item, () -> put(() -> stack.push(item)));
            } else {
              tell(Kind.POP, 0, () -> taken(stack.pop()));
            }
          }
          while (operations == 0 && tell(Kind.POP, 0, () -> taken(stack.pop())) != 0) {}
        }
        case SET -> {
          GridSet<Integer> set = opened(() -> new GridSet<>(own, "", codec));
          for (int i = 0; i < operations; i++) {
            int item = 1 + random.nextInt(4);
            switch (random.nextInt(5)) {
              case 0, 1 -> tell(Kind.ADD, item, () -> told(set.add(item)));
              case 2, 3 -> tell(Kind.REMOVE, item, () -> told(set.remove(item)));
              default -> tell(Kind.CONTAINS, item, () -> told(set.contains(item)));
            }
          }
          for (int item = 1; operations == 0 && item <= 4; item++) {
            int last = item;
            tell(Kind.CONTAINS, last, () -> told(set.toList().contains(last)));
          }
        }
      }
    }

    private static <T> T opened(java.util.function.Supplier<T> opening) {
      while (true) {
        try {
          return opening.get();
        } catch (OutcomeUnknownException e) {
          // It opens it again, as a program would.
        }
      }
    }

    private static int put(Runnable putting) {
      putting.run();
      return 0;
    }

    private static int taken(Integer item) {
      return item == null ? 0 : item;
    }

    private static int told(boolean yes) {
      return yes ? 1 : 0;
    }

    private int tell(Kind kind, int item, java.util.function.IntSupplier operation) {
      long begin = ++now;
      int at = history.size();
      history.add(new StructureOperation(number, kind, item, 0, begin, StructureOperation.NEVER));
      try {
        int answer = operation.getAsInt();
        history.set(at, new StructureOperation(number, kind, item, answer, begin, ++now));
        return answer;
      } catch (OutcomeUnknownException e) {
        // It stays without an end.
        return -1;
      }
    }
  }
}
