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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Judges whether the history of one key is linearizable (Herlihy and Wing): whether every operation
 * can have taken effect at one moment between its begin and its end, so that each answer is what
 * the effects before it explain. A history of many keys is linearizable if that of each key is.
 *
 * <p>Nothing but what callers saw is used: where {@link ReleaseConsistency} believes the versions
 * that a store reports, this looks for an order itself.
 */
public final class Linearizability {
  private static final int CONFIGURATIONS_MAX = 1 << 18;
  private static final int VALUES_TOLD_MAX = 4;

  private Linearizability() {}

  /** What is to be said of a history. */
  public enum Answer {
    /** An order explains it. */
    LINEARIZABLE,
    /** No order explains it. */
    NOT_LINEARIZABLE,
    /** So many orders were tried that the search was given up. */
    UNDECIDED
  }

  /**
   * A judgement.
   *
   * @param answer what is to be said
   * @param explanation why it is not linearizable; empty otherwise
   */
  public record Verdict(Answer answer, String explanation) {}

  /** Judges the operations on one key, which has no value at first, in any order. */
  public static Verdict judge(List<KeyOperation> history) {
    return judge(history, CONFIGURATIONS_MAX);
  }

  /**
   * The same.
   *
   * @param configurationsMax how many sets of operations that may have taken effect are tried
   *     before the search is given up; bounds the memory too
   */
  public static Verdict judge(List<KeyOperation> history, int configurationsMax) {
    return switch (new LinearizationSearch(history, configurationsMax, true).run()) {
      case FOUND -> new Verdict(Answer.LINEARIZABLE, "");
      case GIVEN_UP -> new Verdict(Answer.UNDECIDED, "");
      case NONE_EXISTS ->
          new Verdict(Answer.NOT_LINEARIZABLE, explanation(history, configurationsMax));
    };
  }

  /** The answer that came first of those that no order explains, and what it could have been. */
  private static String explanation(List<KeyOperation> history, int configurationsMax) {
    List<KeyOperation> byEnd =
        history.stream()
            .filter(KeyOperation::ended)
            .sorted(Comparator.comparingLong(KeyOperation::endNanos))
            .toList();
    // Whatever a linearizable history begins with is linearizable, so halving finds the first end
    // that makes it fail.
    int fine = -1;
    int failing = byEnd.size() - 1;
    while (failing - fine > 1) {
      int middle = (fine + failing) >>> 1;
      if (new LinearizationSearch(until(history, byEnd, middle), configurationsMax, true).run()
          == LinearizationSearch.Outcome.NONE_EXISTS) {
        failing = middle;
      } else {
        fine = middle;
      }
    }
    List<KeyOperation> prefix = until(history, byEnd, failing);
    LinearizationSearch search = new LinearizationSearch(prefix, configurationsMax, false);
    search.run();
    return "no order explains the " + byEnd.get(failing) + possible(search.lastValues(), history);
  }

  /** What was known at an end: what had ended by then, and what had begun, without its answer. */
  private static List<KeyOperation> until(
      List<KeyOperation> history, List<KeyOperation> byEnd, int last) {
    List<KeyOperation> prefix = new ArrayList<>(byEnd.subList(0, last + 1));
    long nanos = byEnd.get(last).endNanos();
    Stream<KeyOperation> later =
        Stream.concat(
            byEnd.stream().skip(last + 1), history.stream().filter(each -> !each.ended()));
    later
        .filter(operation -> operation.beginNanos() <= nanos)
        .map(KeyOperation::withoutEnd)
        .forEach(prefix::add);
    return prefix;
  }

  private static String possible(Set<Long> values, List<KeyOperation> history) {
    if (values.isEmpty()) {
      return "";
    }
    String told =
        values.stream()
            .limit(VALUES_TOLD_MAX)
            .map(value -> KeyOperation.name(value) + writerOf(value, history))
            .collect(Collectors.joining(" or "));
    int more = values.size() - VALUES_TOLD_MAX;
    return "; the key could have " + told + (more > 0 ? " or " + more + " others" : "");
  }

  private static String writerOf(long value, List<KeyOperation> history) {
    return history.stream()
        .filter(operation -> operation.kind() != KeyOperation.Kind.READ)
        .filter(operation -> operation.kind() != KeyOperation.Kind.GET_AND_ADD)
        .filter(operation -> operation.argument() == value)
        .findFirst()
        .map(operation -> " (" + operation + ")")
        .orElse("");
  }
}
