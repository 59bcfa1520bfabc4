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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Ask;
import org.orcagrid.mixed.commit.Commit;
import org.orcagrid.mixed.commit.CommitRule;
import org.orcagrid.mixed.commit.Outcome;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.plan.FunctionFailedException;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.plan.MissingException;
import org.orcagrid.mixed.plan.Plan;
import org.orcagrid.mixed.plan.Results;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.store.Reply;
import org.orcagrid.mixed.store.Snapshot;
import org.orcagrid.mixed.store.Traits;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.Tombstone;
import org.orcagrid.mixed.track.Tracked;
import org.orcagrid.mixed.track.VectorClock;

/**
 * Runs a transaction once: reads what it needs, strongest first, waits for what replicas lack, and
 * commits. Pure; one thread at a time. Who runs it asks what it returns, and hands back what comes.
 *
 * <p>Nothing is open in stores while it is evaluated, other than section 3.5 has it. It is
 * evaluated on what was read, over and over until nothing is missing, and versions are checked at
 * the commit. So several reads cost one way to a store and back, and nobody holds a lock while
 * others are asked.
 */
public final class Attempt {
  private static final int PENDING_MAX = 1_000;

  private final Plan plan;
  private final Map<String, Traits> stores;
  private final Seen seen;
  private final Set<RunRule> rules;
  private final boolean isFetching;
  private final long millis;
  private final long random;

  private final Reads reads;
  private final Map<Ask, Integer> asked = new HashMap<>();
  private final Set<String> checking = new HashSet<>();

  /** What other clients were asked for, once. */
  private final Set<Tombstone> fetching = new HashSet<>();

  private Writes writes;
  private Results results;
  private RuntimeException failure;
  private Parts parts;
  private Commit commit;

  /** What was decided; weaker parts are written together with it. */
  private Map<StoredObject, Context.Stamp> together = Map.of();

  private Outcome outcome;

  /**
   * One that has not begun.
   *
   * @param stores by name
   * @param isFetching whether other clients are asked for what replicas lack
   * @param millis about now
   * @param random which no other attempt has
   */
  public Attempt(
      Plan plan,
      Map<String, Traits> stores,
      Seen seen,
      boolean isFetching,
      long millis,
      long random) {
    this(plan, stores, seen, isFetching, millis, random, RunRule.all());
  }

  /** One with a rule missing, for tests. */
  public Attempt(
      Plan plan,
      Map<String, Traits> stores,
      Seen seen,
      boolean isFetching,
      long millis,
      long random,
      Set<RunRule> rules) {
    this.plan = plan;
    this.stores = stores;
    this.seen = seen;
    this.isFetching = isFetching;
    this.millis = millis;
    this.random = random;
    this.rules = rules;
    this.reads = new Reads(stores, seen, rules);
  }

  /** What has become of it; null while that is not known. */
  public Outcome outcome() {
    return outcome;
  }

  /**
   * What it returns, if it is committed.
   *
   * @throws FunctionFailedException if one of its functions has failed on what was there
   * @throws IllegalTransactionException if it uses stores in a way that they do not offer
   */
  public Results results() {
    if (failure != null) {
      throw failure;
    }
    return results;
  }

  /** Why it cannot be done as it is; null if nothing like that was found. */
  RuntimeException failure() {
    return failure;
  }

  /** What it waits for, in words; null if it waits for no replica. */
  public String waitingFor() {
    return reads.waitingFor();
  }

  // --- reading -----------------------------------------------------------------------------------

  /** What to ask first. */
  public List<Request> begin() {
    return evaluate();
  }

  private List<Request> evaluate() {
    writes = new Writes(stores, reads);
    try {
      results = plan.evaluate(writes);
    } catch (MissingException e) {
      return reads.want(writes.missing());
    } catch (FunctionFailedException e) {
      return rules.contains(RunRule.FAILURES_ARE_CHECKED) ? check(e) : fail(e);
    } catch (IllegalTransactionException e) {
      return check(e);
    }
    return commit();
  }

  /** A store has been read. */
  public List<Request> onSnapshot(Request.Read request, Snapshot snapshot) {
    reads.onSnapshot(request, snapshot);
    return proceed();
  }

  /** Another client has told what it knows. */
  public List<Request> onFetched(Request.Fetch request, Tracked told) {
    if (outcome != null || commit != null) {
      return List.of();
    }
    reads.onFetched(request, told);
    return proceed();
  }

  private List<Request> proceed() {
    if (reads.areAsked() || commit != null || !checking.isEmpty() || outcome != null) {
      return List.of();
    }
    Set<String> stale = reads.stale();
    if (!stale.isEmpty()) {
      return again(stale);
    }
    Set<String> early = reads.early();
    return early.isEmpty() ? evaluate() : reads.soon(early);
  }

  private List<Request> again(Set<String> stale) {
    List<Request> requests = new ArrayList<>(reads.again(stale));
    if (isFetching) {
      for (String each : stale) {
        Tombstone missing = reads.missing(each);
        if (missing != null && fetching.add(missing)) {
          requests.add(new Request.Fetch(each, missing, 0));
        }
      }
    }
    return requests;
  }

  // --- checking ----------------------------------------------------------------------------------

  /** Whether it has failed on what was there at one moment; else it begins anew. */
  private List<Request> check(RuntimeException e) {
    failure = e;
    return check();
  }

  private List<Request> fail(RuntimeException e) {
    failure = e;
    outcome = new Outcome.Aborted(false);
    return List.of();
  }

  private List<Request> check() {
    List<Request> requests = new ArrayList<>();
    Set<String> strong = reads.strong();
    for (String each : strong) {
      Map<StoredObject, Long> versions = Parts.versions(each, writes, reads);
      boolean isOfMoments = versions.size() > 1 || (strong.size() > 1 && !versions.isEmpty());
      if (isOfMoments && rules.contains(RunRule.READERS_ARE_CHECKED)) {
        checking.add(each);
        Part part = new Part(stores.get(each).group(), List.of(), versions, null);
        requests.add(new Request.Check(each, part, 0));
      }
    }
    return checking.isEmpty() ? checked() : requests;
  }

  /** A store has looked whether what was read is still there. */
  public List<Request> onChecked(Request.Check request, Reply reply) {
    if (outcome != null || !checking.remove(request.store())) {
      return List.of();
    }
    if (reply.answer() != Answer.DONE) {
      failure = null;
      outcome = new Outcome.Aborted(true);
      return List.of();
    }
    return checking.isEmpty() ? checked() : List.of();
  }

  private List<Request> checked() {
    if (failure != null) {
      return fail(failure);
    }
    if (writes.written().isEmpty()) {
      outcome = new Outcome.Committed();
      return List.of();
    }
    return vote();
  }

  // --- committing --------------------------------------------------------------------------------

  private List<Request> commit() {
    boolean isStrong =
        writes.written().keySet().stream().anyMatch(each -> stores.get(each.store()).isStrong());
    return isStrong ? vote() : check();
  }

  private List<Request> vote() {
    try {
      parts = Parts.of(writes, reads, stores, seen, rules, millis, random);
    } catch (IllegalTransactionException e) {
      return fail(e);
    }
    for (String each : parts.following()) {
      int waiting = reads.need(each).pending().size();
      if (waiting > PENDING_MAX) {
        return fail(
            new TransactionAbortedException(
                stores.get(each)
                    + " has not taken "
                    + waiting
                    + " transactions; nothing more is begun before it does",
                null));
      }
    }
    commit = new Commit(parts.intent(), CommitRule.all());
    return votes(commit.begin());
  }

  private List<Request> votes(List<Ask> asks) {
    List<Request> requests = new ArrayList<>();
    for (Ask each : asks) {
      int again =
          each instanceof Ask.Apply apply
              ? apply.attempt()
              : asked.merge(each, 1, Integer::sum) - 1;
      requests.add(vote(each, again));
    }
    return requests;
  }

  private Request vote(Ask ask, int again) {
    if (ask instanceof Ask.Prepare prepare) {
      return new Request.Vote(
          group(prepare.store()), ask, parts.byStore().get(prepare.store()), again);
    } else if (ask instanceof Ask.Decide) {
      return new Request.Vote(
          ask.id().decider(), ask, parts.byStore().get(parts.decider().name()), again);
    }
    Part part = ask instanceof Ask.Apply apply ? apply.part().with(together) : null;
    return new Request.Vote(groupOf(ask, stores), ask, part, again);
  }

  private String group(String store) {
    return stores.get(store).group();
  }

  /** Which group is asked; the name of a store that is not there. */
  static String groupOf(Ask ask, Map<String, Traits> stores) {
    if (ask instanceof Ask.Apply apply) {
      return apply.part().group();
    } else if (ask instanceof Ask.CommitPrepared prepared) {
      return groupOf(prepared.store(), stores);
    } else if (ask instanceof Ask.AbortPrepared prepared) {
      return groupOf(prepared.store(), stores);
    }
    return ask.id().decider();
  }

  private static String groupOf(String store, Map<String, Traits> stores) {
    Traits traits = stores.get(store);
    return traits == null ? store : traits.group();
  }

  /** A store has answered, or has not. */
  public List<Request> onReply(Request.Vote request, Reply reply) {
    Ask ask = request.ask();
    if (reply.answer() == Answer.DONE) {
      remember(ask, reply);
    }
    List<Ask> next = commit.onAnswer(ask, reply.answer());
    look();
    return votes(next);
  }

  /** A store cannot be asked for what the transaction wants; nothing was asked. */
  List<Request> onRefused(Request.Vote request, IllegalTransactionException e) {
    failure = e;
    List<Ask> next = commit.onAnswer(request.ask(), Answer.NEVER);
    look();
    return votes(next);
  }

  private void remember(Ask ask, Reply reply) {
    if (ask instanceof Ask.Decide || ask instanceof Ask.Fence) {
      together = reply.together();
      parts.following().forEach(each -> seen.onDecided(each, parts.id()));
      taken(parts.decider().name(), reply.clock());
    } else if (ask instanceof Ask.Apply apply) {
      stores.values().stream()
          .filter(each -> each.group().equals(apply.part().group()))
          .forEach(each -> taken(each.name(), reply.clock()));
    } else if (ask instanceof Ask.CommitPrepared prepared) {
      seen.onTaken(prepared.store(), parts.id(), VectorClock.NONE, Set.of());
    }
  }

  private void taken(String store, VectorClock clock) {
    Set<StoredObject> written = new HashSet<>();
    parts.byStore().get(store).writes().forEach(each -> written.add(each.object()));
    seen.onTaken(store, parts.id(), clock, written);
  }

  private void look() {
    if (outcome == null) {
      outcome = commit.outcome();
    }
  }

  /** The caller waits no longer. */
  public List<Request> onDeadline() {
    if (outcome != null) {
      return List.of();
    }
    if (commit == null) {
      // What a function has thrown may come from what never was.
      failure = null;
      outcome = new Outcome.Aborted(false);
      return List.of();
    }
    List<Ask> next = commit.onDeadline();
    look();
    return votes(next);
  }
}
