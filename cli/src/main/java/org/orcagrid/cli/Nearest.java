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
package org.orcagrid.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the known word that a misspelt one was probably meant to be. */
final class Nearest {
  /** A word of so many letters may have one of them wrong, twice as many two. */
  private static final int LETTERS_PER_FAULT = 3;

  private Nearest() {}

  /** Returns the nearest of the known words; empty if none is near. */
  static Optional<String> to(String word, Collection<String> known) {
    return known.stream()
        .filter(each -> distance(word, each) <= Math.max(1, each.length() / LETTERS_PER_FAULT))
        .min(Comparator.comparingInt((String each) -> distance(word, each)).thenComparing(e -> e));
  }

  /** Letters to add, leave out, replace or exchange with their neighbour. */
  private static int distance(String from, String to) {
    int[][] cost = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        boolean same = from.charAt(i - 1) == to.charAt(j - 1);
        cost[i][j] =
            Math.min(
                Math.min(cost[i - 1][j], cost[i][j - 1]) + 1, cost[i - 1][j - 1] + (same ? 0 : 1));
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[from.length()][to.length()];
  }
}
