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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Ask;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Outcome;
import org.orcagrid.mixed.commit.Recovery;
import org.orcagrid.mixed.commit.Sweep;
import org.orcagrid.mixed.plan.FunctionFailedException;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Found;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.Reply;
import org.orcagrid.mixed.store.Role;
import org.orcagrid.mixed.store.Snapshot;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.Traits;
import org.orcagrid.mixed.store.causal.Batch;
import org.orcagrid.mixed.store.causal.CausalInstance;
import org.orcagrid.mixed.store.geo.GeoStore;
import org.orcagrid.mixed.store.geo.GeoStoreRule;
import org.orcagrid.mixed.store.memory.MemoryStore;
import org.orcagrid.mixed.track.Replica;
import org.orcagrid.mixed.track.TrackRule;
import org.orcagrid.mixed.track.Tracked;
import org.orcagrid.mixed.track.VectorClock;
import org.orcagrid.mixed.world.World;
import org.orcagrid.simulator.checker.TransactionHistory;

/**
 * Clients that run transactions over two linearizable and two causal stores and one of sessions,
 * and workers, on virtual time from a seed. Requests come late, twice or not at all, replicas are
 * behind and cut off, groups are down, and clients and workers die between any two events.
 */
public final class MixedWorld extends World {
  private static final int CLIENTS = 5;
  private static final int GROUPS = 3;
  private static final long END = 4_000;
  private static final long REST = 30_000;
  private static final long ANSWER_WAIT = 250;
  private static final long DEADLINE = 1_500;
  private static final long AGE = 600;
  private static final long RETENTION = 4_000;

  private final Set<RunRule> rules;
  private final Set<TrackRule> trackRules;
  private final Map<String, Store> byGroup = new LinkedHashMap<>();
  private final List<CausalInstance> instances = new ArrayList<>();
  private final SimulatedGeo geo;
  private final boolean withSessions;

  /** Requests that come while another one is being done. */
  private final Deque<Runnable> held = new ArrayDeque<>();

  private final Map<String, Long> downUntil = new HashMap<>();
  private final Map<String, Client> peers = new HashMap<>();
  private int ended;
  private final TransactionHistory history = new TransactionHistory(this::wrong);

  /** A world with all rules, or without one. */
  public MixedWorld(long seed, Set<RunRule> rules, Set<TrackRule> trackRules) {
    this(seed, rules, trackRules, GeoStoreRule.all());
  }

  /** The same, or one without a rule of the store of sessions. */
  public MixedWorld(
      long seed, Set<RunRule> rules, Set<TrackRule> trackRules, Set<GeoStoreRule> geoRules) {
    super(seed, END);
    // In the others, the stores beside it meet each other more often.
    this.withSessions = seed % 2 == 0;
    this.rules = rules;
    this.trackRules = trackRules;
    put(new MemoryStore("orca", Role.DECIDES));
    put(new MemoryStore("sql"));
    for (String store : List.of("inbox", "likes")) {
      Set<String> groups = new LinkedHashSet<>();
      for (int i = 0; i < GROUPS; i++) {
        groups.add(store + i);
      }
      for (String group : groups) {
        CausalInstance instance = new CausalInstance(store, group, groups, Merge.standard());
        instances.add(instance);
        put(instance);
      }
    }
    List<String> datacenters = new ArrayList<>();
    for (int i = 0; i < GROUPS; i++) {
      datacenters.add("dc" + i);
    }
    geo = new SimulatedGeo(datacenters, random(), geoRules);
    datacenters.forEach(each -> put(geo.store(each)));
  }

  /** How many attempts have ended. */
  public int attempts() {
    return ended;
  }

  private void put(Store store) {
    byGroup.put(store.traits().group(), store);
  }

  @Override
  protected void begin() {
    for (int i = 0; i < CLIENTS; i++) {
      int at = i % GROUPS;
      later(random().nextInt(50), () -> new Client(at).next());
    }
    for (CausalInstance from : instances) {
      for (CausalInstance to : instances) {
        if (from != to && from.traits().name().equals(to.traits().name())) {
          later(random().nextInt(30), () -> replicate(from, to));
        }
      }
    }
    later(400, this::worker);
    later(700, this::worker);
    replicateGeo();
  }

  private void replicateGeo() {
    boolean isCutOff = chance(5);
    geo.replicate(isQuiet());
    if (now() < REST - 1_000) {
      long usual = isQuiet() ? 100 : 1 + random().nextInt(20);
      later(isCutOff ? 700 : usual, this::replicateGeo);
    }
  }

  @Override
  protected long restsAt() {
    return REST;
  }

  @Override
  protected void judge() {
    byGroup.forEach(
        (group, store) -> {
          try {
            if (!store.intents(Long.MAX_VALUE).isEmpty()
                || !store.prepared(Long.MAX_VALUE).isEmpty()) {
              wrong(group + " has intents, or what is prepared, for ever");
            }
            tellLast(store);
          } catch (StoreException e) {
            throw new IllegalStateException(e);
          }
        });
    history.judge();
  }

  private void tellLast(Store store) throws StoreException {
    Traits traits = store.traits();
    for (TransactionHistory.Place each : history.places(traits.name())) {
      StoredObject object = new StoredObject(traits.name(), traits.level(), each.key());
      Found found = store.read(Set.of(object), Set.of()).found().get(object);
      List<Integer> tokens = new ArrayList<>();
      if (found.value() instanceof List<?> all) {
        all.forEach(token -> tokens.add((Integer) token));
      }
      history.onLast(each, tokens);
    }
  }

  // --- the network -------------------------------------------------------------------------------

  private void replicate(CausalInstance from, CausalInstance to) {
    if (now() > REST - 1_000) {
      return;
    }
    long usual = isQuiet() ? 400 : random().nextInt(60);
    long wait = chance(5) ? random().nextInt(900) : usual;
    List<Batch> batches = from.after(to.clock().of(from.traits().group()));
    later(
        wait,
        () -> {
          for (Batch each : batches) {
            if (!to.take(each)) {
              break;
            }
          }
          to.onClock(from.traits().group(), from.clock());
          replicate(from, to);
        });
  }

  private long delay(Store store) {
    long usual = store.traits().isStrong() ? 15 : 2;
    boolean isLate = chance(store.traits().isStrong() ? 3 : 8);
    return isLate ? random().nextInt(700) : usual + random().nextInt((int) usual);
  }

  private boolean isDown(String group) {
    if (chance(1) && random().nextInt(3) == 0) {
      downUntil.put(group, now() + random().nextInt(700));
    }
    return !isQuiet() && now() < downUntil.getOrDefault(group, 0L);
  }

  /** What a store does when it is asked. */
  private interface Call<R> {
    R at(Store store) throws StoreException;
  }

  private interface Got<R> {
    void on(R reply);
  }

  /** Asks a store; {@code got} gets null if there is no answer, and one answer at most. */
  private <R> void ask(Store store, Call<R> call, Got<R> got) {
    boolean[] over = {false};
    Got<R> once =
        reply -> {
          if (!over[0]) {
            over[0] = true;
            got.on(reply);
          }
        };
    Runnable arrive =
        () -> {
          if (isDown(store.traits().group())) {
            return;
          }
          R reply = disturbed(store, call);
          if (!chance(3) && reply != null) {
            later(delay(store), () -> once.on(reply));
          }
        };
    if (store instanceof GeoStore && chance(10)) {
      held.add(arrive);
    } else if (!chance(3)) {
      later(delay(store), arrive);
    }
    if (chance(3)) {
      later(delay(store) + random().nextInt(900), arrive);
    }
    later(ANSWER_WAIT, () -> once.on(null));
  }

  /** An ensemble's objects are read one after the other; a database's are of one moment. */
  private void read(
      Store store,
      List<StoredObject> objects,
      Set<TransactionId> markers,
      VectorClock reader,
      Got<Snapshot> got) {
    boolean isAtOnce = objects.size() == 1 || store.traits().role() != Role.DECIDES;
    Set<StoredObject> first = Set.copyOf(isAtOnce ? objects : objects.subList(0, 1));
    ask(
        store,
        at -> at.read(first, markers, reader),
        snapshot -> {
          if (isAtOnce || snapshot == null) {
            got.on(snapshot);
          } else {
            read(
                store,
                objects.subList(1, objects.size()),
                markers,
                reader,
                more -> got.on(more == null ? null : both(snapshot, more)));
          }
        });
  }

  private static Snapshot both(Snapshot first, Snapshot more) {
    Map<StoredObject, Found> found = new HashMap<>(first.found());
    found.putAll(more.found());
    return new Snapshot(found, first.clock(), first.everywhere(), first.markers());
  }

  /** What a store answers; null for nothing, as when who does it dies meanwhile. */
  private <R> R disturbed(Store store, Call<R> call) {
    boolean isGeo = store instanceof GeoStore;
    geo.disturb(
        isGeo && chance(12) ? random().nextInt(4) : Long.MAX_VALUE, isGeo ? held.poll() : null);
    R reply = called(geo.anew(store), call);
    geo.disturb(Long.MAX_VALUE, null);
    return reply;
  }

  private <R> R called(Store store, Call<R> call) {
    try {
      return call.at(store);
    } catch (StoreException e) {
      happens("a store of sessions has not answered");
      return null;
    }
  }

  // --- workers -----------------------------------------------------------------------------------

  private void worker() {
    for (Store each : byGroup.values()) {
      ask(each, store -> store.intents(now() - AGE), this::recover);
      ask(
          each,
          store -> store.prepared(now() - AGE),
          ids -> recoverPrepared(each.traits().name(), ids));
    }
    if (now() > RETENTION && random().nextInt(3) == 0) {
      sweep(
          new Sweep(
              now() - RETENTION, List.copyOf(byGroup.keySet()), List.copyOf(byGroup.keySet())));
    }
    if (now() < REST / 2) {
      later(300 + random().nextInt(300), this::worker);
    }
  }

  private void recover(List<Intent> intents) {
    if (intents != null) {
      intents.forEach(each -> recover(Recovery.ofIntent(each)));
      if (!intents.isEmpty()) {
        happens("a worker finds an intent");
      }
    }
  }

  private void recoverPrepared(String store, List<TransactionId> ids) {
    if (ids != null) {
      ids.forEach(each -> recover(Recovery.ofPrepared(each, store)));
      if (!ids.isEmpty()) {
        happens("a worker finds what is prepared");
      }
    }
  }

  private void recover(Recovery recovery) {
    recover(recovery, recovery.begin(), 0);
  }

  private void recover(Recovery recovery, List<Ask> asks, int again) {
    for (Ask each : asks) {
      if (chance(3)) {
        return; // The worker dies.
      }
      later(
          again * 20L,
          () ->
              ask(
                  byGroup.get(groupOf(each)),
                  store -> Votes.ask(store, each, null),
                  reply -> {
                    Answer answer = reply == null ? Answer.UNKNOWN : reply.answer();
                    if (now() < REST / 2) {
                      recover(recovery, recovery.onAnswer(each, answer), again + 1);
                    }
                  }));
    }
  }

  private String groupOf(Ask ask) {
    Map<String, Traits> strong = new HashMap<>();
    byGroup.values().forEach(each -> strong.put(each.traits().name(), each.traits()));
    return Attempt.groupOf(ask, strong);
  }

  private void sweep(Sweep sweep) {
    if (sweep.isOver() || now() > REST / 2) {
      return;
    }
    later(
        random().nextInt(50),
        () -> {
          Sweep.Step step = sweep.next();
          boolean isTaken = !chance(10);
          if (isTaken && Boolean.TRUE.equals(called(null, none -> Votes.sweep(byGroup, step)))) {
            sweep.onDone(step);
            happens("ids are forgotten");
          }
          if (!chance(5)) {
            sweep(sweep);
          }
        });
  }

  // --- clients -----------------------------------------------------------------------------------

  private final class Client {
    private final String address = "client" + random().nextInt(2 * CLIENTS);
    private final Seen seen = new Seen(address, trackRules, true);
    private final Map<String, Traits> stores = new HashMap<>();
    private final TransactionHistory.Session session = history.session();
    private final int at;
    private final boolean isFetching = random().nextBoolean();
    private boolean dead;

    Client(int at) {
      this.at = at;
      for (String each : List.of("orca", "sql", "inbox" + at, "likes" + at, "geo@dc" + at)) {
        Traits traits = byGroup.get(each).traits();
        stores.put(traits.name(), traits);
      }
      peers.put(address, this);
    }

    private boolean dies() {
      if (!dead && chance(1) && random().nextInt(2) == 0) {
        dead = true;
        peers.remove(address, this);
        later(20, () -> new Client(at).next());
      }
      return dead;
    }

    void next() {
      if (!isQuiet()) {
        later(
            random().nextInt(40),
            () -> new Running(Program.random(random(), history, withSessions)).begin());
      }
    }

    /** One transaction, as often as it takes. */
    private final class Running {
      private final Program program;
      private final long until = now() + DEADLINE;
      private Attempt attempt;
      private int attempts;

      Running(Program program) {
        this.program = program;
      }

      void begin() {
        if (dies()) {
          return;
        }
        attempts++;
        program.begin(session);
        attempt =
            new Attempt(
                program.plan(), stores, seen, isFetching, now(), random().nextLong(), rules);
        Attempt mine = attempt;
        later(until - now(), () -> deadline(mine));
        send(mine, mine.begin());
        look(mine);
      }

      private void deadline(Attempt of) {
        if (!dead && of == attempt && of.outcome() == null) {
          if (of.waitingFor() != null) {
            happens("a replica is waited for too long");
          }
          send(of, of.onDeadline());
          look(of);
        }
      }

      private void look(Attempt of) {
        if (of != attempt || of.outcome() == null) {
          return;
        }
        attempt = null;
        ended++;
        Outcome outcome = of.outcome();
        happens(outcome.getClass().getSimpleName());
        if (outcome instanceof Outcome.Aborted aborted) {
          program.onAborted();
          if (of.failure() != null) {
            wrong("A function has seen what never was: " + of.failure());
          }
          if (aborted.isConflict() && now() < until) {
            later(random().nextInt(20 * attempts), this::begin);
            return;
          }
        } else if (!(outcome instanceof Outcome.Unknown)) {
          try {
            program.onCommitted(of.results());
          } catch (FunctionFailedException e) {
            wrong("A function has failed: " + e);
          }
        }
        next();
      }

      private void send(Attempt of, List<Request> requests) {
        for (Request each : requests) {
          later(
              each.again() == 0 ? 0 : 10L + 5L * Math.min(each.again(), 20), () -> send(of, each));
        }
      }

      private void send(Attempt of, Request request) {
        if (dies()) {
          return;
        }
        if (request instanceof Request.Read read) {
          happens(read.again() > 0 ? "a store is read again" : "a store is read");
          read(
              byGroup.get(stores.get(read.store()).group()),
              List.copyOf(read.objects()),
              read.markers(),
              read.seen(),
              snapshot -> onSnapshot(of, read, snapshot));
        } else if (request instanceof Request.Check check) {
          ask(
              byGroup.get(stores.get(check.store()).group()),
              store -> store.check(check.part()),
              reply -> onChecked(of, check, reply));
        } else if (request instanceof Request.Fetch fetch) {
          fetch(of, fetch);
        } else if (request instanceof Request.Vote vote) {
          if (vote.ask() instanceof Ask.Decide || vote.ask() instanceof Ask.Prepare) {
            program.onVote(of.results());
          }
          ask(
              byGroup.get(vote.group()),
              store -> Votes.ask(store, vote.ask(), vote.part()),
              reply -> onReply(of, vote, reply));
        }
      }

      private void onSnapshot(Attempt of, Request.Read read, Snapshot snapshot) {
        if (dead || of.outcome() != null) {
          return;
        }
        if (snapshot == null) {
          later(10, () -> send(of, read));
          return;
        }
        send(of, of.onSnapshot(read, snapshot));
        look(of);
      }

      private void onChecked(Attempt of, Request.Check check, Reply reply) {
        if (dead || of.outcome() != null) {
          return;
        }
        if (reply == null) {
          later(10, () -> send(of, check));
          return;
        }
        send(of, of.onChecked(check, reply));
        look(of);
      }

      private void onReply(Attempt of, Request.Vote vote, Reply reply) {
        if (!dead && (of.outcome() == null || now() < until + ANSWER_WAIT)) {
          send(of, of.onReply(vote, reply == null ? Reply.of(Answer.UNKNOWN) : reply));
          look(of);
        }
      }

      private void fetch(Attempt of, Request.Fetch fetch) {
        Client writer = peers.get(fetch.missing().address());
        if (writer != null && writer != Client.this && !chance(30)) {
          String group = writer.stores.get(fetch.store()).group();
          Replica replica = ((CausalInstance) byGroup.get(group)).replica();
          Tracked told = writer.seen.told(fetch.store(), replica);
          happens("another client is asked");
          later(
              random().nextInt(60),
              () -> {
                if (!dead && of.outcome() == null) {
                  send(of, of.onFetched(fetch, told));
                  look(of);
                }
              });
        }
      }
    }
  }
}
