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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.orcagrid.client.OutcomeUnknownException;

/**
 * Variables with no more than what {@link Cells} promises, which a seed decides: a relaxed read may
 * show any version that the client need not know to be replaced, what was given up may take place
 * later, and what nobody waits for takes place some time or never.
 */
final class SimulatedCells {

  /** What is broken on purpose. */
  enum Fault {
    NONE,
    /** A compare-and-set does not show what its client had written before. */
    NO_RELEASE,
    /** An acquire may show an old version. */
    STALE_ACQUIRE,
    /** A compare-and-set may take place though the variable has changed. */
    LOST_UPDATE,
    /** What is used or set again cannot be told from what it was. */
    NO_COUNTS,
    /** What was taken out may be taken out again. */
    NO_MARKS
  }

  private static final int LATER_PERCENT = 30;

  /** What a thread of control does between two of its operations: waits for its turn. */
  interface Turn {
    void await();
  }

  /** A version, and which versions of others whoever acquires it knows of. */
  private record Version(Cell value, Map<Part, Integer> known) {}

  private final SplittableRandom random;
  private final Fault fault;
  private final int unknownPercent;
  private final Map<Part, List<Version>> variables = new HashMap<>();
  private final List<Runnable> later = new ArrayList<>();

  SimulatedCells(SplittableRandom random, Fault fault, int unknownPercent) {
    this.random = random;
    this.fault = fault;
    this.unknownPercent = unknownPercent;
  }

  /** What takes place by itself, before somebody's turn. */
  void happen() {
    while (!later.isEmpty() && random.nextInt(100) < LATER_PERCENT) {
      later.remove(random.nextInt(later.size())).run();
    }
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private List<Version> versions(Part part) {
    return variables.computeIfAbsent(
        part, unused -> new ArrayList<>(List.of(new Version(null, Map.of()))));
  }

  private static Version last(List<Version> versions) {
    return versions.get(versions.size() - 1);
  }

  /** What a client has of the variables. */
  final class Client implements Cells<Cell> {
    private final Turn turn;
    private final int keptMax;
    private final Map<Part, Integer> known = new HashMap<>();

    Client(Turn turn, int keptMax) {
      this.turn = turn;
      this.keptMax = keptMax;
    }

    private void know(Part part, int version) {
      known.merge(part, version, Math::max);
    }

    /** Nobody may ever hear of it; and it may take place now, later or never. */
    private void mayFail(Runnable effect) {
      if (chance(unknownPercent)) {
        switch (random.nextInt(3)) {
          case 0 -> effect.run();
          case 1 -> later.add(effect);
          default -> {}
        }
        throw OutcomeUnknownException.ofMap("The simulator has it so");
      }
    }

    @Override
    public Cell get(Part part) {
      turn.await();
      mayFail(() -> {});
      List<Version> versions = versions(part);
      int oldest = known.getOrDefault(part, 0);
      int shown =
          random.nextBoolean()
              ? versions.size() - 1
              : oldest + random.nextInt(versions.size() - oldest);
      know(part, shown);
      return versions.get(shown).value();
    }

    @Override
    public Cell getAcquire(Part part) {
      turn.await();
      mayFail(() -> {});
      List<Version> versions = versions(part);
      int shown = versions.size() - 1;
      if (fault == Fault.STALE_ACQUIRE && shown > 0 && chance(20)) {
        shown--;
      }
      acquire(part, shown);
      return versions.get(shown).value();
    }

    private void acquire(Part part, int shown) {
      know(part, shown);
      versions(part).get(shown).known().forEach(this::know);
    }

    private void write(Part part, Cell value, boolean releases) {
      List<Version> versions = versions(part);
      know(part, versions.size());
      boolean tells = releases && fault != Fault.NO_RELEASE;
      versions.add(new Version(broken(value), tells ? Map.copyOf(known) : Map.of()));
    }

    private Cell broken(Cell value) {
      if (value == null) {
        return null;
      } else if (fault == Fault.NO_COUNTS) {
        Pointer next = value.next();
        return new Cell(
            0, new Pointer(next.handle(), next.number(), 0), value.marked(), value.item());
      } else if (fault == Fault.NO_MARKS) {
        return new Cell(value.count(), value.next(), false, value.item());
      }
      return value;
    }

    @Override
    public void prepare(Part part, Cell value) {
      turn.await();
      mayFail(() -> write(part, value, false));
      write(part, value, false);
    }

    private boolean change(Part part, Cell expected, Cell value) {
      int shown = versions(part).size() - 1;
      acquire(part, shown);
      boolean same =
          Objects.equals(last(versions(part)).value(), expected == null ? null : broken(expected));
      if (same || (fault == Fault.LOST_UPDATE && chance(20))) {
        write(part, value, true);
        return true;
      }
      return false;
    }

    @Override
    public boolean compareAndSet(Part part, Cell expected, Cell value) {
      turn.await();
      mayFail(() -> change(part, expected, value));
      return change(part, expected, value);
    }

    @Override
    public boolean weakCompareAndSet(Part part, Cell expected, Cell value) {
      return !chance(10) && compareAndSet(part, expected, value);
    }

    @Override
    public void hint(Part part, Cell expected, Cell value) {
      begin(() -> change(part, expected, value));
    }

    @Override
    public void remove(Part part) {
      begin(() -> write(part, null, false));
    }

    private void begin(Runnable effect) {
      switch (random.nextInt(4)) {
        case 0 -> effect.run();
        case 1 -> {}
        default -> later.add(effect);
      }
    }

    @Override
    public boolean isKept(Part part, Predicate<Cell> written) {
      return chance(80);
    }

    @Override
    public boolean keepsAll() {
      // Nothing is lost here, and what looks for losses must find none.
      return false;
    }

    @Override
    public int keptMax() {
      return keptMax;
    }
  }
}
