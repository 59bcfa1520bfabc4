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
package org.orcagrid.simulator.checker;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Looks for an order of one key's operations that explains all answers: the algorithm of Wing and
 * Gong (<i>Testing and verifying concurrent objects</i>, 1993), with the memory of Lowe (<i>Testing
 * for linearizability</i>, 2017): a set of operations that have taken effect, together with the
 * value that they left, is tried once.
 *
 * <p>An operation that ended takes effect between its begin and its end; one that never ended takes
 * effect at any time after its begin, or not at all. What cannot matter is not tried: an operation
 * that changes nothing takes effect as soon as the value explains its answer, and a write whose
 * value nobody finds as soon as it replaces another such value; neither is ever taken back, since
 * whatever order exists without it exists with it there.
 */
final class LinearizationSearch {
  private static final int NONE = -1;

  /** What came of a search. */
  enum Outcome {
    /** There is such an order. */
    FOUND,
    /** There is none. */
    NONE_EXISTS,
    /** So many were tried that the search was given up. */
    GIVEN_UP
  }

  /** What has taken effect, and the value after it. */
  private record Configuration(long value, BitSet done) {}

  /** A step that may have to be taken back. */
  private record Step(int operation, long valueBefore, boolean forced) {}

  private final KeyOperation[] operations;
  private final int configurationsMax;
  private final ValueNeeds needs;

  // The begins and ends that are left, in the order of time, as a list: event 2i is the begin of
  // operation i and 2i + 1 its end; the last one is the head.
  private final int[] next;
  private final int[] previous;
  private final int head;

  private final BitSet done;
  private final Set<Configuration> tried = new HashSet<>();
  private final ArrayDeque<Step> steps = new ArrayDeque<>();
  private final Set<Long> lastValues = new TreeSet<>();

  private long value = Access.ABSENT;
  private int endsLeft;
  private int lastEnd = NONE;

  /**
   * A search.
   *
   * @param skipping whether what cannot matter is not tried; otherwise {@link #lastValues} is
   *     complete, if the search is not given up
   */
  LinearizationSearch(List<KeyOperation> history, int configurationsMax, boolean skipping) {
    this.operations = history.toArray(KeyOperation[]::new);
    this.configurationsMax = configurationsMax;
    this.needs = new ValueNeeds(operations, skipping);
    this.head = 2 * operations.length;
    this.next = new int[head + 1];
    this.previous = new int[head + 1];
    this.done = new BitSet(operations.length);
    link();
  }

  private void link() {
    Integer[] events = new Integer[head];
    Arrays.setAll(events, event -> event);
    // Of a begin and an end at one time, the begin is first: then the two overlap.
    Arrays.sort(events, Comparator.comparingLong(this::nanos).thenComparingInt(event -> event & 1));
    int last = head;
    for (int event : events) {
      if (isEnd(event)) {
        if (!operations[event / 2].ended()) {
          continue;
        }
        endsLeft++;
        lastEnd = event;
      }
      next[last] = event;
      previous[event] = last;
      last = event;
    }
    next[last] = head;
    previous[head] = last;
  }

  private long nanos(int event) {
    KeyOperation operation = operations[event / 2];
    return isEnd(event) ? operation.endNanos() : operation.beginNanos();
  }

  private static boolean isEnd(int event) {
    return (event & 1) != 0;
  }

  /** Searches; to be called once. */
  Outcome run() {
    takeWhatCannotMatter();
    int event = next[head];
    // What never ended is tried when nothing else will do: mostly it has taken no effect.
    boolean withoutEnd = false;
    while (endsLeft > 0) {
      if (event != head && !isEnd(event)) {
        if (operations[event / 2].ended() == withoutEnd || !tryNow(event / 2)) {
          event = next[event];
          continue;
        }
        if (tried.size() > configurationsMax) {
          return Outcome.GIVEN_UP;
        }
        withoutEnd = false;
        event = next[head];
        continue;
      }
      if (!withoutEnd) {
        withoutEnd = true;
        event = next[head];
        continue;
      }
      // What ends here has not taken effect: some step before was wrong.
      if (endsLeft == 1 && event == lastEnd) {
        lastValues.add(value);
      }
      int back = takeBack();
      if (back == NONE) {
        return Outcome.NONE_EXISTS;
      }
      withoutEnd = !operations[back].ended();
      event = next[2 * back];
    }
    return Outcome.FOUND;
  }

  /** The values that the key could have when only the operation that ended last was left. */
  Set<Long> lastValues() {
    return lastValues;
  }

  private boolean tryNow(int operation) {
    if (!operations[operation].explainedBy(value)) {
      return false;
    }
    long after = operations[operation].after(value);
    if (after == value ? !operations[operation].ended() : isInVain(operation, after)) {
      return false;
    }
    done.flip(operation);
    if (!tried.add(new Configuration(after, (BitSet) done.clone()))) {
      done.flip(operation);
      return false;
    }
    take(operation, after, false);
    takeWhatCannotMatter();
    return true;
  }

  /** Whether it takes away a value that is still to be found, or need not take effect at all. */
  private boolean isInVain(int operation, long after) {
    needs.done(operation);
    boolean inVain =
        needs.isLastChance(value) || (!operations[operation].ended() && needs.isDead(after));
    needs.undone(operation);
    return inVain;
  }

  private void takeWhatCannotMatter() {
    boolean taken = true;
    while (taken) {
      taken = false;
      int event = next[head];
      while (event != head && !isEnd(event)) {
        KeyOperation operation = operations[event / 2];
        if (operation.ended() && cannotMatter(operation)) {
          done.flip(event / 2);
          take(event / 2, operation.after(value), true);
          taken = true;
        }
        event = next[event];
      }
    }
  }

  private boolean cannotMatter(KeyOperation operation) {
    return operation.changesNothing()
        ? operation.explainedBy(value)
        : operation.kind() == KeyOperation.Kind.WRITE
            && needs.isDead(value)
            && needs.isDead(operation.argument());
  }

  private void take(int operation, long after, boolean forced) {
    steps.push(new Step(operation, value, forced));
    needs.done(operation);
    value = after;
    unlink(2 * operation);
    if (operations[operation].ended()) {
      unlink(2 * operation + 1);
      endsLeft--;
    }
  }

  /** Takes steps back up to one that had alternatives; {@link #NONE} if there was no such step. */
  private int takeBack() {
    while (!steps.isEmpty()) {
      Step step = steps.pop();
      int operation = step.operation();
      if (operations[operation].ended()) {
        relink(2 * operation + 1);
        endsLeft++;
      }
      relink(2 * operation);
      done.flip(operation);
      needs.undone(operation);
      value = step.valueBefore();
      if (!step.forced()) {
        return operation;
      }
    }
    return NONE;
  }

  private void unlink(int event) {
    next[previous[event]] = next[event];
    previous[next[event]] = previous[event];
  }

  /** Puts back what was unlinked last. */
  private void relink(int event) {
    next[previous[event]] = event;
    previous[next[event]] = event;
  }
}
