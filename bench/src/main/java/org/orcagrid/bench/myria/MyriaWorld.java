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
package org.orcagrid.bench.myria;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Ask;
import org.orcagrid.mixed.commit.Outcome;
import org.orcagrid.mixed.run.Attempt;
import org.orcagrid.mixed.run.Request;
import org.orcagrid.mixed.run.Seen;
import org.orcagrid.mixed.run.Votes;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.Reply;
import org.orcagrid.mixed.store.Snapshot;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.Traits;
import org.orcagrid.mixed.store.causal.Batch;
import org.orcagrid.mixed.store.causal.CausalInstance;
import org.orcagrid.mixed.store.memory.MemoryStore;
import org.orcagrid.mixed.track.TrackRule;
import org.orcagrid.mixed.track.Tracked;
import org.orcagrid.simulator.Simulation;

/** The setting of section 6.1 on virtual time. */
final class MyriaWorld {
  private static final int SERVERS = 250;
  private static final int GROUPS = 5;
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private static final long STRONG_MIN = 75 * MILLI / 2;
  private static final long STRONG_MAX = 95 * MILLI / 2;
  private static final long CAUSAL = 5 * MILLI / 2;

  /** From one causal instance to another, and between application servers. */
  private static final long WIDE = 40 * MILLI;

  private static final long LOOK = 10 * MILLI;
  private static final long AGAIN = 10 * MILLI;
  private static final long WARM_UP = SECOND;
  private static final long GRACE = SECOND / 4;

  private final Load load;
  private final double perSecond;
  private final Busy busy;
  private final long end;
  private final Simulation simulation;
  private final Operations operations;
  private final MemoryStore strong = new MemoryStore("strong");
  private final List<CausalInstance> instances = new ArrayList<>();
  private final Station strongStation;
  private final Map<Store, Station> stations = new LinkedHashMap<>();
  private final List<Server> servers = new ArrayList<>();

  private final Map<Measured.What, List<Long>> latencies = new EnumMap<>(Measured.What.class);
  private long begun;
  private long completed;
  private long strongWrites;
  private long tombstones;
  private long strongReads;
  private long fetches;
  private long causal;
  private long waits;

  MyriaWorld(Load load, double perSecond, double seconds, Busy busy, long seed) {
    this.load = load;
    this.perSecond = perSecond;
    this.busy = busy;
    this.end = WARM_UP + (long) (seconds * SECOND);
    this.simulation = new Simulation(seed);
    this.operations = new Operations(simulation.random().split());
    this.strongStation = new Station(simulation, busy.workers());
    Set<String> groups = new LinkedHashSet<>();
    for (int i = 0; i < GROUPS; i++) {
      groups.add("g" + i);
    }
    for (String each : groups) {
      CausalInstance instance = new CausalInstance("causal", each, groups, Merge.standard());
      instances.add(instance);
      stations.put(instance, new Station(simulation, busy.workers()));
    }
    for (int i = 0; i < SERVERS; i++) {
      servers.add(new Server(i, instances.get(i % GROUPS)));
    }
  }

  Measured run() {
    for (CausalInstance from : instances) {
      for (CausalInstance to : instances) {
        if (from != to) {
          replicate(from, to);
        }
      }
    }
    servers.forEach(Server::arriveLater);
    simulation.runUntil(end + GRACE);
    Map<Measured.What, Measured.Latencies> all = new EnumMap<>(Measured.What.class);
    latencies.forEach(
        (what, micros) ->
            all.put(
                what,
                new Measured.Latencies(micros.stream().mapToLong(Long::longValue).toArray())));
    return new Measured(
        perSecond,
        begun == 0 ? 1 : completed / (double) begun,
        all,
        share(tombstones, strongWrites),
        share(fetches, strongReads),
        share(waits, causal));
  }

  private static double share(long some, long all) {
    return all == 0 ? 0 : some / (double) all;
  }

  private void replicate(CausalInstance from, CausalInstance to) {
    List<Batch> batches = from.after(to.clock().of(from.traits().group()));
    var clock = from.clock();
    simulation.after(
        WIDE,
        () -> {
          for (Batch each : batches) {
            if (!to.take(each)) {
              break;
            }
          }
          to.onClock(from.traits().group(), clock);
        });
    simulation.after(LOOK, () -> replicate(from, to));
  }

  /** One application server: a client of the strong store and of a causal instance. */
  private final class Server {
    private final CausalInstance instance;
    private final Seen seen;
    private final Map<String, Traits> traits = new LinkedHashMap<>();

    Server(int number, CausalInstance instance) {
      this.instance = instance;
      this.seen = new Seen(Integer.toString(number), TrackRule.all(), load.isTracked());
      traits.put("strong", strong.traits());
      traits.put("causal", instance.traits());
    }

    void arriveLater() {
      double mean = SERVERS * (double) SECOND / perSecond;
      double wait = -Math.log(1 - simulation.random().nextDouble()) * mean;
      simulation.after(
          (long) wait,
          () -> {
            Operations.Kind kind = operations.next(load);
            new Running(this, kind).begin();
            if (simulation.nowNanos() < end) {
              arriveLater();
            }
          });
    }
  }

  private boolean counts(long arrived) {
    return arrived >= WARM_UP && arrived < end;
  }

  /** One operation, as often as it takes. */
  private final class Running {
    private final Server server;
    private final Operations.Kind kind;
    private final long arrived = simulation.nowNanos();
    private Attempt attempt;

    Running(Server server, Operations.Kind kind) {
      this.server = server;
      this.kind = kind;
      if (counts(arrived)) {
        begun += Operations.events(kind);
        switch (kind) {
          case STRONG_READ -> strongReads++;
          case STRONG_WRITE -> strongWrites++;
          default -> causal++;
        }
      }
    }

    void begin() {
      attempt =
          new Attempt(
              operations.of(kind, load),
              server.traits,
              server.seen,
              load.isTracked(),
              simulation.nowNanos() / MILLI,
              simulation.random().nextLong());
      Attempt mine = attempt;
      send(mine, mine.begin());
      look(mine);
    }

    private void look(Attempt of) {
      if (of != attempt || of.outcome() == null) {
        return;
      }
      attempt = null;
      if (of.outcome() instanceof Outcome.Aborted) {
        simulation.after(simulation.between(0, 20 * MILLI), this::begin);
        return;
      }
      if (counts(arrived)) {
        completed += Operations.events(kind);
        latencies
            .computeIfAbsent(Measured.What.valueOf(kind.name()), none -> new ArrayList<>())
            .add((simulation.nowNanos() - arrived) / 1_000);
      }
    }

    private void send(Attempt of, List<Request> requests) {
      for (Request each : requests) {
        if (each.again() == 0) {
          send(of, each);
        } else {
          if (counts(arrived)) {
            waits++;
          }
          simulation.after(AGAIN, () -> send(of, each));
        }
      }
    }

    private void send(Attempt of, Request request) {
      if (request instanceof Request.Read read) {
        Store store = read.store().equals("strong") ? strong : server.instance;
        call(
            store,
            store == strong ? busy.strongRead() : busy.causalRead(),
            () -> read(store, read),
            snapshot -> send(of, of.onSnapshot(read, snapshot)),
            of);
      } else if (request instanceof Request.Check check) {
        call(
            strong,
            busy.strongRead(),
            () -> strong.check(check.part()),
            reply -> send(of, of.onChecked(check, reply)),
            of);
      } else if (request instanceof Request.Vote vote) {
        count(vote);
        Store store = vote.group().equals("strong") ? strong : server.instance;
        call(
            store,
            store == strong ? busy.strongWrite() : busy.causalWrite(),
            () -> voted(store, vote),
            reply -> send(of, of.onReply(vote, reply)),
            of);
      } else if (request instanceof Request.Fetch fetch) {
        fetch(of, fetch);
      }
    }

    private void count(Request.Vote vote) {
      boolean isStrong = vote.ask() instanceof Ask.Decide && vote.group().equals("strong");
      if (isStrong && counts(arrived) && kind == Operations.Kind.STRONG_WRITE) {
        tombstones +=
            vote.part().writes().stream().allMatch(each -> each.context().isEmpty()) ? 0 : 1;
      }
    }

    private void fetch(Attempt of, Request.Fetch fetch) {
      Server writer = servers.get(Integer.parseInt(fetch.missing().address()));
      if (counts(arrived)) {
        fetches++;
      }
      simulation.after(
          WIDE / 2,
          () -> {
            Tracked told = writer.seen.told(fetch.store(), writer.instance.replica());
            simulation.after(
                WIDE / 2,
                () -> {
                  if (of == attempt) {
                    send(of, of.onFetched(fetch, told));
                    look(of);
                  }
                });
          });
    }

    private <R> void call(
        Store store, long micros, Asked<R> asked, Answered<R> answered, Attempt of) {
      Station station = store == strong ? strongStation : stations.get(store);
      simulation.after(
          oneWay(store),
          () ->
              station.serve(
                  micros,
                  () -> {
                    R reply = asked.ask();
                    simulation.after(
                        oneWay(store),
                        () -> {
                          answered.on(reply);
                          look(of);
                        });
                  }));
    }
  }

  private interface Asked<R> {
    R ask();
  }

  private interface Answered<R> {
    void on(R reply);
  }

  private long oneWay(Store store) {
    return store == strong ? simulation.between(STRONG_MIN, STRONG_MAX) : CAUSAL;
  }

  private static Snapshot read(Store store, Request.Read read) {
    try {
      return store.read(read.objects(), read.markers());
    } catch (StoreException e) {
      throw new IllegalStateException("A store in memory has failed", e);
    }
  }

  private static Reply voted(Store store, Request.Vote vote) {
    try {
      return Votes.ask(store, vote.ask(), vote.part());
    } catch (StoreException e) {
      return Reply.of(Answer.UNKNOWN);
    }
  }
}
