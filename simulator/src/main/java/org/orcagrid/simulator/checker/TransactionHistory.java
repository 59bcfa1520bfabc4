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
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Judges transactions over stores of different consistency. Each attempt of a transaction has a
 * token of its own, and appends it to all objects that it writes.
 *
 * <ol>
 *   <li>Causality across stores: a weak object has all tokens that its reader has seen in any way,
 *       and a strong one those that it has seen before.
 *   <li>Atomic visibility: who sees a token in one object sees it in all that it was written to.
 *       Stores of sessions promise less: {@link Kind#SESSION}.
 *   <li>Exactly once: in the end, what was committed is everywhere once, and what was aborted
 *       nowhere.
 *   <li>One store's projection: what was done to a strong store's objects could have been done one
 *       transaction after the other.
 * </ol>
 *
 * <p>One thread at a time.
 */
public final class TransactionHistory {
  private final Consumer<String> wrong;
  private final List<Attempt> attempts = new ArrayList<>();
  private final Map<Place, List<List<Integer>>> last = new LinkedHashMap<>();

  /**
   * An object.
   *
   * @param kind of its store
   */
  public record Place(String store, Object key, Kind kind) {
    @Override
    public String toString() {
      return store + "/" + key;
    }
  }

  /** What a store promises. */
  public enum Kind {
    /** It is linearizable. */
    STRONG,
    /** It is causal, and takes what a transaction writes as a whole. */
    CAUSAL,
    /**
     * Its sessions see what they have read, written, or met in a store of another kind. Who only
     * reads objects of this kind may see half of a transaction.
     */
    SESSION
  }

  private enum Fate {
    OPEN,
    COMMITTED,
    ABORTED
  }

  /**
   * An empty one.
   *
   * @param wrong is told what is wrong, in words
   */
  public TransactionHistory(Consumer<String> wrong) {
    this.wrong = wrong;
  }

  /** A client that has seen nothing yet. */
  public Session session() {
    return new Session();
  }

  /** What one client has seen. */
  public static final class Session {
    private final BitSet past = new BitSet();

    /** Tokens that it has to see in objects of stores that promise no more. */
    private Map<Place, BitSet> known = new HashMap<>();

    private Session() {}
  }

  /** One attempt of a transaction. */
  public final class Attempt {
    private final int token;
    private final Session session;
    private final List<Place> written;
    private Map<Place, List<Integer>> read = Map.of();
    private BitSet past = new BitSet();

    /** What who meets it in a store of another kind has to see in sessions' stores. */
    private Map<Place, BitSet> known = Map.of();

    private Fate fate = Fate.OPEN;

    private Attempt(int token, Session session, List<Place> written) {
      this.token = token;
      this.session = session;
      this.written = List.copyOf(written);
    }

    /** What it writes. */
    public int token() {
      return token;
    }

    /** It begins to commit, behind all that its client has seen. From now on others may see it. */
    public void onCommitting(Map<Place, List<Integer>> values) {
      past = seen(session.past, values);
      past.set(token);
      known = known(session.known, values);
      addOwn(known, this);
    }

    /** It is said to be committed, and has read these. */
    public void onCommitted(Map<Place, List<Integer>> values) {
      fate = Fate.COMMITTED;
      read = Map.copyOf(values);
      judge(session, values);
      session.past.or(seen(session.past, values));
      session.known = known(session.known, values);
      if (!written.isEmpty()) {
        session.past.or(past);
        addOwn(session.known, this);
      }
    }

    /** It is said to have changed nothing. */
    public void onAborted() {
      fate = Fate.ABORTED;
    }
  }

  /** An attempt that writes these. */
  public Attempt begin(Session session, List<Place> written) {
    Attempt attempt = new Attempt(attempts.size(), session, written);
    attempts.add(attempt);
    return attempt;
  }

  private BitSet seen(BitSet before, Map<Place, List<Integer>> values) {
    BitSet seen = (BitSet) before.clone();
    values.values().forEach(each -> each.forEach(token -> seen.or(attempts.get(token).past)));
    return seen;
  }

  private static void addOwn(Map<Place, BitSet> known, Attempt attempt) {
    for (Place each : attempt.written) {
      if (each.kind() == Kind.SESSION) {
        known.computeIfAbsent(each, none -> new BitSet()).set(attempt.token);
      }
    }
  }

  private Map<Place, BitSet> known(Map<Place, BitSet> before, Map<Place, List<Integer>> values) {
    Map<Place, BitSet> all = new HashMap<>();
    before.forEach((place, tokens) -> all.put(place, (BitSet) tokens.clone()));
    values.forEach(
        (where, tokens) -> {
          for (int token : tokens) {
            if (where.kind() == Kind.SESSION) {
              all.computeIfAbsent(where, none -> new BitSet()).set(token);
            } else {
              attempts
                  .get(token)
                  .known
                  .forEach(
                      (place, its) -> all.computeIfAbsent(place, none -> new BitSet()).or(its));
            }
          }
        });
    return all;
  }

  private void judge(Session session, Map<Place, List<Integer>> values) {
    BitSet before = session.past;
    BitSet now = seen(before, values);
    Map<Place, BitSet> known = known(session.known, values);
    values.forEach(
        (place, tokens) -> {
          BitSet needed =
              switch (place.kind()) {
                case STRONG -> before;
                case CAUSAL -> now;
                case SESSION -> known.getOrDefault(place, new BitSet());
              };
          needed.stream()
              .filter(each -> attempts.get(each).written.contains(place))
              .filter(each -> !tokens.contains(each))
              .forEach(
                  each -> wrong.accept(place + " is read without " + each + ", which was seen"));
          tokens.forEach(token -> judgeWhole(token, place, values));
        });
  }

  private void judgeWhole(int token, Place where, Map<Place, List<Integer>> values) {
    for (Place each : attempts.get(token).written) {
      boolean isOfSession = where.kind() == Kind.SESSION && each.kind() == Kind.SESSION;
      if (values.containsKey(each) && !values.get(each).contains(token) && !isOfSession) {
        wrong.accept(token + " is seen in " + where + ", and not in " + each);
      }
    }
  }

  // --- in the end --------------------------------------------------------------------------------

  /** Objects of a store that were written to. */
  public List<Place> places(String store) {
    return attempts.stream()
        .flatMap(each -> each.written.stream())
        .filter(each -> each.store().equals(store))
        .distinct()
        .toList();
  }

  /** What a replica has at last. */
  public void onLast(Place place, List<Integer> tokens) {
    last.computeIfAbsent(place, none -> new ArrayList<>()).add(List.copyOf(tokens));
  }

  /** Judges the whole, after each replica of each object was told of. */
  public void judge() {
    attempts.forEach(this::judgeOnce);
    last.keySet().stream()
        .filter(each -> each.kind() == Kind.STRONG)
        .map(Place::store)
        .distinct()
        .forEach(this::judgeProjection);
  }

  private void judgeOnce(Attempt attempt) {
    int there = 0;
    int places = 0;
    for (Place each : attempt.written) {
      for (List<Integer> replica : last.getOrDefault(each, List.of())) {
        places++;
        long times = replica.stream().filter(token -> token == attempt.token).count();
        if (times > 1) {
          wrong.accept(attempt.token + " is " + times + " times in " + each);
        }
        there += times > 0 ? 1 : 0;
      }
    }
    boolean isRight =
        switch (attempt.fate) {
          case OPEN -> there == 0 || there == places;
          case COMMITTED -> there == places;
          case ABORTED -> there == 0;
        };
    if (!isRight) {
      wrong.accept(
          attempt.token
              + " is "
              + attempt.fate
              + ", and in "
              + there
              + " of "
              + places
              + " places");
    }
  }

  private void judgeProjection(String store) {
    Map<Integer, Set<Integer>> before = new HashMap<>();
    last.forEach(
        (place, replicas) -> {
          if (place.store().equals(store)) {
            addOrder(place, replicas.get(0), before);
          }
        });
    BitSet done = new BitSet();
    for (Integer each : List.copyOf(before.keySet())) {
      if (isInCircle(each, before, new BitSet(), done)) {
        wrong.accept(store + " has no order of transactions: " + each + " comes before itself");
        return;
      }
    }
  }

  private void addOrder(Place place, List<Integer> order, Map<Integer, Set<Integer>> before) {
    for (int i = 1; i < order.size(); i++) {
      add(order.get(i - 1), order.get(i), before);
    }
    for (Attempt each : attempts) {
      List<Integer> seen = each.read.get(place);
      if (seen == null) {
        continue;
      }
      if (seen.size() > order.size() || !seen.equals(order.subList(0, seen.size()))) {
        wrong.accept(place + " was read as " + seen + ", and is " + order);
        continue;
      }
      if (!seen.isEmpty()) {
        add(seen.get(seen.size() - 1), each.token, before);
      }
      if (seen.size() < order.size()) {
        add(each.token, order.get(seen.size()), before);
      }
    }
  }

  private static void add(int first, int then, Map<Integer, Set<Integer>> before) {
    if (first != then) {
      before.computeIfAbsent(first, none -> new TreeSet<>()).add(then);
    }
  }

  private static boolean isInCircle(
      int at, Map<Integer, Set<Integer>> before, BitSet path, BitSet done) {
    if (done.get(at)) {
      return false;
    }
    if (path.get(at)) {
      return true;
    }
    path.set(at);
    for (Integer next : before.getOrDefault(at, Set.of())) {
      if (isInCircle(next, before, path, done)) {
        return true;
      }
    }
    path.clear(at);
    done.set(at);
    return false;
  }
}
