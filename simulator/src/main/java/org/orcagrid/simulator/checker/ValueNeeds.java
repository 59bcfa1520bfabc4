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

import java.util.HashMap;
import java.util.Map;

/**
 * Which values some operation still has to find, and which are still to be made: what lets a search
 * for an order leave out what cannot matter. A value that nobody is left to find is <i>dead</i>.
 *
 * <p>It needs to know what each operation finds and makes. Where that is open, since a
 * compare-and-set has told only whether it has written, or an add has not ended, nothing is
 * concluded.
 */
final class ValueNeeds {
  private static final int NONE = -1;

  private final KeyOperation[] operations;
  private final boolean known;
  private final Map<Long, Integer> numbers = new HashMap<>();

  // By operation: the number of the value that it finds, or makes.
  private final int[] finds;
  private final int[] makes;

  // By value: operations left that must find it, that would find it if they took effect, and that
  // make it.
  private final int[] finders;
  private final int[] possibleFinders;
  private final int[] makers;

  ValueNeeds(KeyOperation[] operations, boolean concluding) {
    this.operations = operations;
    this.finds = new int[operations.length];
    this.makes = new int[operations.length];
    boolean allKnown = concluding;
    for (int i = 0; i < operations.length; i++) {
      KeyOperation operation = operations[i];
      allKnown &=
          operation.kind() != KeyOperation.Kind.COMPARE_AND_SET
              && (operation.ended() || operation.kind() != KeyOperation.Kind.GET_AND_ADD);
      finds[i] = findsSomething(operation) ? number(found(operation)) : NONE;
      makes[i] = operation.changesNothing() ? NONE : number(operation.after(found(operation)));
    }
    this.known = allKnown;
    this.finders = new int[numbers.size()];
    this.possibleFinders = new int[numbers.size()];
    this.makers = new int[numbers.size()];
    for (int i = 0; i < operations.length; i++) {
      change(i, 1);
    }
  }

  private static boolean findsSomething(KeyOperation operation) {
    return operation.ended()
        ? operation.kind() != KeyOperation.Kind.WRITE
        : operation.kind() == KeyOperation.Kind.COMPARE_AND_EXCHANGE;
  }

  private static long found(KeyOperation operation) {
    return operation.ended() ? operation.result() : operation.expected();
  }

  private int number(long value) {
    return numbers.computeIfAbsent(value, any -> numbers.size());
  }

  private void change(int operation, int by) {
    if (finds[operation] != NONE) {
      int[] counts = operations[operation].ended() ? finders : possibleFinders;
      counts[finds[operation]] += by;
    }
    if (makes[operation] != NONE) {
      makers[makes[operation]] += by;
    }
  }

  /** An operation has taken effect. */
  void done(int operation) {
    change(operation, -1);
  }

  /** It has not, after all. */
  void undone(int operation) {
    change(operation, 1);
  }

  /** Whether nobody who is left can tell that the key has this value. */
  boolean isDead(long value) {
    Integer number = numbers.get(value);
    return known && (number == null || finders[number] + possibleFinders[number] == 0);
  }

  /** Whether somebody who is left must find this value and nobody is left to make it again. */
  boolean isLastChance(long value) {
    Integer number = numbers.get(value);
    return known && number != null && finders[number] > 0 && makers[number] == 0;
  }
}
