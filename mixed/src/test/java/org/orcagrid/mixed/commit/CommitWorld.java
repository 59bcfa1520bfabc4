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
package org.orcagrid.mixed.commit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.world.World;

/**
 * Clients that commit, workers that recover and sweep, and the stores they ask, on virtual time
 * from a seed. Requests come late, twice or not at all, answers are lost, groups are down for a
 * while, and clients and workers die between any two events.
 */
final class CommitWorld extends World {
  private static final int CLIENTS = 4;
  private static final int WORKERS = 2;
  private static final int GROUPS = 2;
  private static final int PREPARERS = 3;
  private static final int DECIDERS = 2;
  private static final List<String> STORES = List.of("store0", "store1", "store2");
  private static final long END = 4_000;
  private static final long QUIET_END = 40_000;
  private static final long ANSWER_WAIT = 60;
  private static final long DEADLINE = 400;
  private static final long AGE = 150;
  private static final long RETENTION = 300;

  private final Set<CommitRule> rules;
  private final Stores stores;
  private final Map<TransactionId, Outcome> outcomes = new LinkedHashMap<>();

  CommitWorld(long seed, Set<CommitRule> rules) {
    super(seed, END);
    this.rules = rules;
    this.stores = new Stores();
  }

  @Override
  protected void begin() {
    for (int i = 0; i < CLIENTS; i++) {
      later(random().nextInt(50), this::client);
    }
    for (int i = 0; i < WORKERS; i++) {
      later(random().nextInt(200), this::worker);
    }
  }

  @Override
  protected long restsAt() {
    return QUIET_END;
  }

  @Override
  protected void judge() {
    stores.judge();
  }

  @Override
  public Set<String> happened() {
    Set<String> words = new TreeSet<>();
    outcomes.forEach(
        (id, outcome) -> {
          String word = outcome.getClass().getSimpleName();
          boolean isDecided = stores.decided.containsKey(id);
          words.add(
              !word.equals("Unknown")
                  ? word
                  : isDecided ? "Unknown, but it is decided" : "Unknown, and it is not decided");
        });
    if (!outcomes.keySet().containsAll(stores.decided.keySet())) {
      words.add("decided, and the client has died");
    }
    if (!stores.forgotten.isEmpty() && stores.decisions.size() < stores.decided.size()) {
      words.add("ids are forgotten");
    }
    return words;
  }

  // --- who asks ----------------------------------------------------------------------------------

  /** Somebody who may die. */
  private final class Life {
    private boolean dead;

    void mayDie() {
      dead |= chance(2);
    }
  }

  private interface Answered {
    List<Ask> on(Ask ask, Answer answer);
  }

  private void ask(Life life, List<Ask> asks, Answered answered) {
    for (Ask each : asks) {
      long wait = each instanceof Ask.Apply apply ? 20L * apply.attempt() : 0;
      later(wait, () -> send(life, each, answered));
    }
  }

  private void send(Life life, Ask ask, Answered answered) {
    life.mayDie();
    if (life.dead) {
      return;
    }
    boolean[] over = {false};
    Answered once =
        (asked, answer) -> {
          life.mayDie();
          // Some answers come twice, or after it was thought that there are none.
          if ((over[0] && !chance(20)) || life.dead) {
            return List.of();
          }
          over[0] = true;
          ask(life, answered.on(asked, answer), answered);
          return List.of();
        };
    if (!chance(5)) {
      later(delay(), () -> arrive(ask, once));
    }
    if (chance(5)) {
      later(delay() + random().nextInt(1_200), () -> arrive(ask, once));
    }
    later(ANSWER_WAIT, () -> once.on(ask, Answer.UNKNOWN));
  }

  private long delay() {
    return chance(5) ? random().nextInt(600) : random().nextInt(20);
  }

  private void arrive(Ask ask, Answered back) {
    Answer answer = stores.on(ask);
    if (!chance(5)) {
      later(delay(), () -> back.on(ask, answer));
    }
  }

  private void client() {
    if (isQuiet()) {
      return;
    }
    TransactionId id =
        new TransactionId("store" + random().nextInt(DECIDERS), now(), random().nextLong());
    List<String> prepared = new ArrayList<>();
    for (int i = 0; i < PREPARERS; i++) {
      if (random().nextInt(3) == 0 && !id.decider().equals("store" + i)) {
        prepared.add("store" + i);
      }
    }
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < GROUPS; i++) {
      if (random().nextInt(2) == 0) {
        parts.add(new Part("group" + i, List.of(), Map.of(), null));
      }
    }
    Commit commit = new Commit(new Intent(id, prepared, parts), rules);
    Life life = new Life();
    ask(
        life,
        commit.begin(),
        (ask, answer) -> {
          List<Ask> next = commit.onAnswer(ask, answer);
          told(id, commit.outcome());
          return next;
        });
    later(
        DEADLINE,
        () -> {
          if (!life.dead) {
            ask(life, commit.onDeadline(), (ask, answer) -> List.of());
            told(id, commit.outcome());
          }
          client();
        });
  }

  private void told(TransactionId id, Outcome outcome) {
    Outcome before = outcomes.get(id);
    if (outcome == null || outcome.equals(before)) {
      return;
    }
    if (before != null) {
      wrong(id + " is said to be " + before + ", and then " + outcome);
    }
    outcomes.put(id, outcome);
    if (outcome instanceof Outcome.Aborted && stores.decided.containsKey(id)) {
      wrong(id + " is said to be aborted, and was decided");
    }
    if (outcome instanceof Outcome.Committed && !stores.isDone(id)) {
      wrong(id + " is said to be committed, and is not");
    }
  }

  private void worker() {
    Life life = new Life();
    for (Intent each : stores.openBefore(now() - AGE)) {
      Recovery recovery = Recovery.ofIntent(each, rules);
      ask(life, recovery.begin(), recovery::onAnswer);
    }
    stores
        .preparedBefore(now() - AGE)
        .forEach(
            (id, store) -> {
              Recovery recovery = Recovery.ofPrepared(id, store, rules);
              ask(life, recovery.begin(), recovery::onAnswer);
            });
    if (now() > RETENTION) {
      sweep(life, new Sweep(now() - RETENTION, STORES, List.of("group0", "group1"), rules));
    }
    if (now() < QUIET_END / 2) {
      later(300 + random().nextInt(200), this::worker);
    }
  }

  private void sweep(Life life, Sweep sweep) {
    later(
        random().nextInt(20),
        () -> {
          life.mayDie();
          if (!life.dead && !sweep.isOver() && now() < QUIET_END / 2) {
            Sweep.Step step = sweep.next();
            if (!chance(10) && stores.on(step)) {
              sweep.onDone(step);
            }
            sweep(life, sweep);
          }
        });
  }

  // --- who is asked ------------------------------------------------------------------------------

  /** All stores, as their contracts say. */
  private final class Stores {
    private final Map<TransactionId, Intent> open = new LinkedHashMap<>();
    private final Map<TransactionId, Answer> decisions = new HashMap<>();

    /** All that were ever decided, for the judge. */
    private final Map<TransactionId, Intent> decided = new LinkedHashMap<>();

    private final Map<TransactionId, Map<String, String>> prepared = new LinkedHashMap<>();
    private final Map<String, Map<TransactionId, Boolean>> markers = new HashMap<>();
    private final Map<String, Long> floors = new HashMap<>();
    private final Map<String, Long> downUntil = new HashMap<>();
    private final Map<TransactionId, Map<String, Integer>> applied = new HashMap<>();
    private final Map<String, Long> refused = new HashMap<>();
    private final Map<String, Long> forgotten = new HashMap<>();

    private boolean isUpTo(Map<String, Long> floors, TransactionId id, String store) {
      return id.millis() <= floors.getOrDefault(store, -1L);
    }

    Answer on(Ask ask) {
      if (ask instanceof Ask.Prepare prepare) {
        return prepare(prepare);
      } else if (ask instanceof Ask.Decide decide) {
        return decide(decide);
      } else if (ask instanceof Ask.Fence fence) {
        return fence(fence.id());
      } else if (ask instanceof Ask.CommitPrepared commit) {
        return settle(commit.id(), commit.store(), "committed");
      } else if (ask instanceof Ask.AbortPrepared abort) {
        return settle(abort.id(), abort.store(), "aborted");
      } else if (ask instanceof Ask.Apply apply) {
        return apply(apply);
      }
      return close(ask.id());
    }

    private Answer prepare(Ask.Prepare ask) {
      Map<String, String> states = prepared.computeIfAbsent(ask.id(), id -> new TreeMap<>());
      String state = states.get(ask.store());
      if (state == null) {
        state = isUpTo(refused, ask.id(), ask.store()) || chance(10) ? "aborted" : "prepared";
        states.put(ask.store(), state);
      }
      return state.equals("aborted") ? Answer.CONFLICT : Answer.DONE;
    }

    private Answer decide(Ask.Decide ask) {
      TransactionId id = ask.id();
      Answer before = decisions.get(id);
      if (before != null) {
        return before;
      }
      if (isUpTo(forgotten, id, id.decider())) {
        return Answer.FORGOTTEN;
      }
      if (isUpTo(refused, id, id.decider())) {
        return Answer.NEVER;
      }
      Answer answer = chance(10) ? Answer.CONFLICT : Answer.DONE;
      decisions.put(id, answer);
      if (answer == Answer.DONE) {
        if (!ask.intent().isEmpty()) {
          open.put(id, ask.intent());
        }
        if (decided.put(id, ask.intent()) != null) {
          wrong(id + " is decided twice");
        }
        if (outcomes.get(id) instanceof Outcome.Aborted) {
          wrong(id + " is said to be aborted, and is decided");
        }
      }
      return answer;
    }

    private Answer fence(TransactionId id) {
      Answer before = decisions.get(id);
      if (before != null) {
        return before == Answer.DONE ? Answer.DONE : Answer.NEVER;
      }
      if (isUpTo(forgotten, id, id.decider())) {
        return Answer.FORGOTTEN;
      }
      decisions.put(id, Answer.NEVER);
      return Answer.NEVER;
    }

    private Answer settle(TransactionId id, String store, String as) {
      Map<String, String> states = prepared.computeIfAbsent(id, none -> new TreeMap<>());
      String is = states.getOrDefault(store, "nothing");
      if (as.equals("aborted")) {
        // What is committed is not prepared any more: there is nothing to give up.
        states.put(store, is.equals("committed") ? is : as);
      } else if (is.equals("aborted") || is.equals("nothing")) {
        wrong(id + " is to be committed at " + store + ", and is " + is);
      } else {
        states.put(store, as);
      }
      return Answer.DONE;
    }

    private Answer apply(Ask.Apply ask) {
      TransactionId id = ask.id();
      String group = ask.part().group();
      if (chance(3)) {
        downUntil.put(group, now() + random().nextInt(500));
      }
      if (!isQuiet() && now() < downUntil.getOrDefault(group, 0L)) {
        return Answer.UNKNOWN;
      }
      Map<TransactionId, Boolean> there = markers.computeIfAbsent(group, none -> new HashMap<>());
      boolean isOld = id.millis() <= floors.getOrDefault(group, -1L);
      boolean isMarked = there.containsKey(id) && rules.contains(CommitRule.MARKED_ONCE);
      if (isMarked || (isOld && rules.contains(CommitRule.FORGOTTEN_IS_REFUSED))) {
        return Answer.DONE;
      }
      if (chance(10)) {
        return Answer.CONFLICT;
      }
      there.put(id, true);
      int times =
          applied.computeIfAbsent(id, none -> new HashMap<>()).merge(group, 1, Integer::sum);
      if (times > 1) {
        wrong(id + " is applied twice at " + group);
      }
      return Answer.DONE;
    }

    private Answer close(TransactionId id) {
      open.remove(id);
      if (!rules.contains(CommitRule.CLOSED_IS_REMEMBERED)) {
        decisions.remove(id);
      }
      return Answer.DONE;
    }

    boolean on(Sweep.Step step) {
      if (step instanceof Sweep.Step.Refuse refuse) {
        refused.merge(refuse.store(), refuse.millis(), Math::max);
        return true;
      } else if (step instanceof Sweep.Step.AwaitDone await) {
        return openBefore(await.millis() + 1).isEmpty()
            && preparedBefore(await.millis() + 1).isEmpty();
      } else if (step instanceof Sweep.Step.RefuseAtGroup at) {
        floors.merge(at.group(), at.millis(), Math::max);
        long floor = floors.get(at.group());
        markers
            .getOrDefault(at.group(), new HashMap<>())
            .keySet()
            .removeIf(id -> id.millis() <= floor);
        return true;
      }
      Sweep.Step.Forget forget = (Sweep.Step.Forget) step;
      forgotten.merge(forget.store(), forget.millis(), Math::max);
      decisions.keySet().removeIf(id -> isUpTo(forgotten, id, id.decider()));
      return true;
    }

    List<Intent> openBefore(long millis) {
      return open.values().stream().filter(each -> each.id().millis() < millis).toList();
    }

    /** A store of each that has something prepared. */
    Map<TransactionId, String> preparedBefore(long millis) {
      Map<TransactionId, String> found = new LinkedHashMap<>();
      prepared.forEach(
          (id, states) ->
              states.forEach(
                  (store, state) -> {
                    if (state.equals("prepared") && id.millis() < millis) {
                      found.put(id, store);
                    }
                  }));
      return found;
    }

    boolean isDone(TransactionId id) {
      Intent intent = decided.get(id);
      return intent != null
          && intent.prepared().stream()
              .allMatch(store -> "committed".equals(prepared.get(id).get(store)))
          && intent.parts().stream().allMatch(part -> times(id, part.group()) == 1);
    }

    private int times(TransactionId id, String group) {
      return applied.getOrDefault(id, Map.of()).getOrDefault(group, 0);
    }

    /** After all has come to rest. */
    void judge() {
      decided.keySet().stream()
          .filter(id -> !isDone(id))
          .forEach(id -> wrong(id + " is decided, and only a part of it is there"));
      applied.keySet().stream()
          .filter(id -> !decided.containsKey(id))
          .forEach(id -> wrong(id + " is not decided, and a part of it is there"));
      prepared.forEach(
          (id, states) -> {
            if (states.containsValue("prepared")) {
              wrong(id + " is prepared for ever");
            } else if (states.containsValue("committed") && !decided.containsKey(id)) {
              wrong(id + " is not decided, and a store has committed it");
            }
          });
      outcomes.forEach(
          (id, outcome) -> {
            if (outcome instanceof Outcome.CommittedPending && !decided.containsKey(id)) {
              wrong(id + " is said to be committed, and is not decided");
            }
          });
      if (!open.isEmpty()) {
        wrong("intents are open for ever: " + open.keySet());
      }
    }
  }
}
