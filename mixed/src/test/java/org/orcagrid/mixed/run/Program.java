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
package org.orcagrid.mixed.run;

import static org.orcagrid.mixed.Mixed.both;
import static org.orcagrid.mixed.Mixed.value;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.orcagrid.mixed.Change;
import org.orcagrid.mixed.Handle;
import org.orcagrid.mixed.Mixed;
import org.orcagrid.mixed.Out;
import org.orcagrid.mixed.Stmt;
import org.orcagrid.mixed.StoreName;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Level;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.level.Session;
import org.orcagrid.mixed.plan.Plan;
import org.orcagrid.mixed.plan.Results;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.simulator.checker.TransactionHistory;

/**
 * A transaction that reads some objects and adds its token to others. All objects hold the tokens
 * of those that have written to them.
 */
final class Program {
  private static final StoreName<Linearizable> ORCA = new StoreName<>("orca", Linearizable.class);
  private static final StoreName<Linearizable> SQL = new StoreName<>("sql", Linearizable.class);
  private static final StoreName<Causal> INBOX = new StoreName<>("inbox", Causal.class);
  private static final StoreName<Causal> LIKES = new StoreName<>("likes", Causal.class);
  private static final StoreName<Session> GEO = new StoreName<>("geo", Session.class);
  private static final int KEYS = 3;

  /** All that both have, as often as it is in one of them at most: nothing hides a double. */
  static final Merge UNITED =
      (one, other) -> {
        List<Object> all = new ArrayList<>((List<?>) one);
        List<Object> left = new ArrayList<>((List<?>) one);
        for (Object each : (List<?>) other) {
          if (!left.remove(each)) {
            all.add(each);
          }
        }
        all.sort(Comparator.comparing(each -> (Integer) each));
        return all;
      };

  /** As a store of sessions may have a token twice, if its rules are broken. */
  private static final Change<List<Integer>, Integer> ADD =
      Change.of(
          "add",
          (present, token) -> {
            List<Integer> all = present == null ? new ArrayList<>() : new ArrayList<>(present);
            all.add(token);
            return all;
          });

  private static final Change<List<Integer>, Integer> INSERT =
      Change.of("insert", Program::inserted);

  /** What stores have to know. */
  static final Operations OPERATIONS = new Operations(List.of(INSERT, ADD));

  /** Two that are written together, always. */
  private static final Handle<Linearizable, List<Integer>> ONE = ORCA.object("one");

  private static final Handle<Linearizable, List<Integer>> OTHER = ORCA.object("other");

  private final TransactionHistory history;
  private final List<TransactionHistory.Place> written = new ArrayList<>();
  private final List<Stmt<?>> statements = new ArrayList<>();
  private final Map<TransactionHistory.Place, Out<?, List<Integer>>> outs = new LinkedHashMap<>();
  private final List<IntFunction<Stmt<?>>> toWrite = new ArrayList<>();
  private TransactionHistory.Attempt attempt;

  private Program(TransactionHistory history) {
    this.history = history;
  }

  private static List<Integer> inserted(List<Integer> present, Integer token) {
    List<Integer> all = present == null ? new ArrayList<>() : new ArrayList<>(present);
    if (all.contains(token)) {
      throw new IllegalStateException(token + " is written twice");
    }
    all.add(token);
    return List.copyOf(all);
  }

  /**
   * One of many.
   *
   * @param withSessions whether a store of sessions takes part in some
   */
  static Program random(SplittableRandom random, TransactionHistory history, boolean withSessions) {
    Program program = new Program(history);
    Handle<Linearizable, List<Integer>> orca = ORCA.object("c" + random.nextInt(KEYS));
    Handle<Linearizable, List<Integer>> other = ORCA.object("c" + random.nextInt(KEYS));
    Handle<Linearizable, List<Integer>> sql = SQL.object("d" + random.nextInt(KEYS));
    Handle<Causal, List<Integer>> inbox = INBOX.object("b" + random.nextInt(KEYS));
    Handle<Causal, List<Integer>> likes = LIKES.object("l" + random.nextInt(KEYS));
    Handle<Session, List<Integer>> one = GEO.object("g" + random.nextInt(KEYS));
    Handle<Session, List<Integer>> two = GEO.object("h" + random.nextInt(KEYS));
    switch (random.nextInt(withSessions ? 27 : 17)) {
      case 0 -> program.write(orca).post(inbox);
      case 1 -> program.write(orca).write(sql).post(inbox);
      case 2 -> program.read(orca, Linearizable.class).read(inbox, Causal.class);
      case 3 -> program.read(orca, Linearizable.class).read(sql, Linearizable.class);
      case 4 -> program.post(inbox);
      case 5, 12, 13 -> program.read(inbox, Causal.class).post(likes);
      case 6, 14, 15 -> program.read(likes, Causal.class).read(inbox, Causal.class);
      case 7 -> program.read(other, Linearizable.class).write(orca);
      case 8 -> program.read(orca, Linearizable.class).read(other, Linearizable.class);
      case 9 -> program.post(inbox).post(likes);
      case 10 -> program.write(ONE).write(OTHER);
      case 11 -> program.compare();
      case 17 -> program.write(orca).add(one).add(two);
      case 18 -> program.add(one).add(two);
      case 19, 20 ->
          program.read(orca, Linearizable.class).read(one, Session.class).read(two, Session.class);
      case 21 -> program.read(one, Session.class).write(sql);
      case 22 -> program.read(one, Session.class).post(inbox);
      case 23 -> program.read(inbox, Causal.class).add(one);
      case 24 -> program.read(one, Session.class).read(inbox, Causal.class);
      case 25 -> program.write(sql).post(inbox).add(one);
      default -> program.read(sql, Linearizable.class).write(orca).post(likes);
    }
    return program;
  }

  private <L extends Level> Program read(Handle<L, List<Integer>> handle, Class<L> level) {
    Out<L, List<Integer>> out = new Out<>(level);
    outs.put(place(handle.object()), out);
    statements.add(out.set(handle.get()));
    return this;
  }

  /** Reads both, and fails if they differ. */
  private Program compare() {
    Out<Linearizable, Boolean> same = new Out<>(Linearizable.class);
    statements.add(same.set(both(ONE.get(), OTHER.get()).map(Program::same)));
    return this;
  }

  private static boolean same(List<Integer> one, List<Integer> other) {
    if (!Objects.equals(one, other)) {
      throw new IllegalStateException(one + " is not " + other);
    }
    return true;
  }

  private Program write(Handle<Linearizable, List<Integer>> handle) {
    return write(handle, token -> handle.change(INSERT, value(token)));
  }

  private Program post(Handle<Causal, List<Integer>> handle) {
    return write(handle, token -> handle.change(INSERT, value(token)));
  }

  private Program add(Handle<Session, List<Integer>> handle) {
    return write(handle, token -> handle.change(ADD, value(token)));
  }

  private Program write(Handle<?, ?> handle, IntFunction<Stmt<?>> insert) {
    written.add(place(handle.object()));
    toWrite.add(insert);
    return this;
  }

  private static TransactionHistory.Kind kind(Class<? extends Level> level) {
    if (level.equals(Session.class)) {
      return TransactionHistory.Kind.SESSION;
    }
    return level.equals(Linearizable.class)
        ? TransactionHistory.Kind.STRONG
        : TransactionHistory.Kind.CAUSAL;
  }

  /** An object, as it is judged. */
  static TransactionHistory.Place place(StoredObject object) {
    return new TransactionHistory.Place(object.store(), object.key(), kind(object.level()));
  }

  /** Begins another attempt, whose token is another one. */
  void begin(TransactionHistory.Session session) {
    attempt = history.begin(session, written);
  }

  Plan plan() {
    List<Stmt<?>> all = new ArrayList<>(statements);
    toWrite.forEach(each -> all.add(each.apply(attempt.token())));
    return Mixed.plan(all.toArray(new Stmt<?>[0]));
  }

  private Map<TransactionHistory.Place, List<Integer>> values(Results results) {
    Map<TransactionHistory.Place, List<Integer>> values = new LinkedHashMap<>();
    outs.forEach(
        (object, out) -> {
          List<Integer> value = out.of(results);
          values.put(object, value == null ? List.of() : value);
        });
    return values;
  }

  void onVote(Results results) {
    attempt.onCommitting(values(results));
  }

  void onAborted() {
    attempt.onAborted();
  }

  void onCommitted(Results results) {
    attempt.onCommitted(values(results));
  }
}
