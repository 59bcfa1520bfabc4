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
package org.orcagrid.geo.world;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.geo.Requirement;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.clock.HybridClock;
import org.orcagrid.geo.partition.Placement;
import org.orcagrid.geo.partition.ReadAnswer;
import org.orcagrid.geo.partition.ReadRequest;
import org.orcagrid.geo.partition.WriteAnswer;
import org.orcagrid.geo.partition.WriteRequest;
import org.orcagrid.geo.replica.Condition;
import org.orcagrid.geo.replica.LocalWrite;
import org.orcagrid.geo.replica.Outcome;
import org.orcagrid.geo.replica.WriteId;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.SessionState;
import org.orcagrid.geo.session.WriteGuarantee;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;
import org.orcagrid.simulator.Simulation;
import org.orcagrid.simulator.checker.SessionAccess;

/** A client with a session: it reads and writes here and there, one request after the other. */
final class WorldClient {
  private static final long MILLI = 1_000_000;
  private static final int KEYS = 4;
  private static final long EXPIRES_MILLIS = 2_000;
  private static final long TRY_NANOS = 200 * MILLI;
  private static final long BOGUS_MILLIS = 60_000;
  private static final int TOKEN_BYTES = 24;

  private final GeoRun run;
  private final Simulation simulation;
  private final Placement placement;
  private final long id;
  private final int home;
  private final List<SessionAccess> history = new ArrayList<>();
  private final Map<String, Version> seen = new HashMap<>();

  /** How often it was told that something is lost: what it saw before counts no more. */
  private long losses;

  private SessionState session = new SessionState();
  private long writes;

  /** Which request is under way: answers to others come too late. */
  private long request;

  private boolean stopped;

  WorldClient(GeoRun run, Placement placement, long id) {
    this.run = run;
    this.simulation = run.simulation();
    this.placement = placement;
    this.id = id;
    this.home = (int) (id % placement.datacenters());
  }

  List<SessionAccess> history() {
    return history;
  }

  void begin() {
    later();
  }

  void stop() {
    stopped = true;
  }

  private void later() {
    request++;
    long now = request;
    simulation.after(
        simulation.between(MILLI, 60 * MILLI),
        () -> {
          if (!stopped && now == request) {
            next();
          }
        });
  }

  private void next() {
    if (simulation.chance(5)) {
      handOver();
    }
    int partition = simulation.random().nextInt(run.shape().partitions());
    int key = simulation.random().nextInt(KEYS);
    int datacenter =
        simulation.chance(60) ? home : simulation.random().nextInt(placement.datacenters());
    if (simulation.chance(50)) {
      read(partition, key, datacenter);
    } else {
      write(partition, key, datacenter);
    }
  }

  /** The session goes on as a token that has hardly any room. */
  private void handOver() {
    Encoder out = new Encoder();
    session.write(out, simulation.chance(50) ? TOKEN_BYTES : 1 << 10);
    session = SessionState.read(new Decoder(out.toBytes()));
  }

  private static byte[] bytes(int key) {
    return ("k" + key).getBytes(StandardCharsets.UTF_8);
  }

  private WorldNode some(int datacenter) {
    List<Integer> there = placement.nodes().get(datacenter);
    return run.nodes().get(there.get(simulation.random().nextInt(there.size())));
  }

  /** Whether it must be served: nothing has failed for long, and what it needs is not lost. */
  private boolean isDue(int node, Requirement requirement) {
    return run.judge().isSettled() && !run.isOut(node) && !run.judge().isLost(requirement);
  }

  /** Whether it must be refused: its datacenter was removed long ago. */
  private boolean isRefused(int node) {
    return run.judge().isSettled() && run.isOut(node) && !run.isLost(node);
  }

  /** In the history: who it is, since it was told of a loss. */
  private long historyId() {
    return id + (losses << 32);
  }

  // --- reads -------------------------------------------------------------------------------------

  private ReadGuarantee readGuarantee() {
    ReadGuarantee guarantee =
        switch (simulation.random().nextInt(5)) {
          case 0 -> ReadGuarantee.EVENTUAL;
          case 1 -> ReadGuarantee.MONOTONIC_READ;
          case 2 -> ReadGuarantee.READ_YOUR_WRITE;
          default -> ReadGuarantee.MONOTONIC_READ_YOUR_WRITE;
        };
    return simulation.chance(20) ? guarantee.orOlder() : guarantee;
  }

  private void read(int partition, int key, int datacenter) {
    WorldNode node = some(datacenter);
    ReadGuarantee guarantee = readGuarantee();
    boolean patient = run.judge().isSettled() || simulation.chance(70);
    long waitNanos = (patient ? 4_000 : simulation.between(0, 60)) * MILLI;
    Requirement requirement = session.requirement(partition, guarantee);
    boolean isNear = datacenter == home;
    long own = request;
    boolean isDue = isDue(node.number(), requirement);
    boolean isRefused = isRefused(node.number());
    run.carry(
        isNear,
        () -> {
          if (!node.isUp()) {
            return;
          }
          long begun = simulation.nowNanos();
          ReadRequest asked =
              new ReadRequest(
                  bytes(key),
                  requirement,
                  waitNanos,
                  guarantee.older(),
                  answer -> {
                    run.judge().answered(answer, waitNanos, simulation.nowNanos() - begun);
                    run.judge()
                        .check(
                            !isRefused || answer instanceof ReadAnswer.Removed,
                            "a datacenter that was removed serves a read: " + answer);
                    run.carry(isNear, () -> onRead(own, partition, key, guarantee, isDue, answer));
                  });
          WorldReplica at = node.replica(partition);
          at.step(() -> at.partition().read(asked));
        });
    simulation.after(
        waitNanos + TRY_NANOS,
        () -> {
          if (own == request && !stopped) {
            run.judge().check(!isDue, "a read is not answered at node " + node.number());
            later();
          }
        });
  }

  private void onRead(
      long own, int partition, int key, ReadGuarantee guarantee, boolean isDue, ReadAnswer answer) {
    if (own != request) {
      return;
    }
    run.judge()
        .check(
            !isDue
                || answer instanceof ReadAnswer.Lost
                || (answer instanceof ReadAnswer.Value value && value.lag().datacenter() < 0),
            "a read is not served: " + answer);
    if (answer instanceof ReadAnswer.Lost lost) {
      run.judge().lost(lost, session.requirement(partition, guarantee));
      session.lost(partition, lost.datacenter(), lost.cut());
      losses++;
    }
    if (answer instanceof ReadAnswer.Value value) {
      Version version = value.found().version();
      session.read(partition, version, value.everywhere());
      boolean met = value.lag().datacenter() < 0;
      String name = partition + "/k" + key;
      seen.put(name, version);
      history.add(
          new SessionAccess(
              historyId(),
              false,
              name,
              version.time(),
              version.datacenter(),
              value.found().value() != null,
              met && guarantee.monotonic(),
              met && guarantee.ownWrites()));
    }
    later();
  }

  // --- writes ------------------------------------------------------------------------------------

  /** A write until it is answered. */
  private final class Writing {
    private final long own = request;
    private final int partition;
    private final int key;
    private final int datacenter;
    private final WriteGuarantee guarantee;
    private final LocalWrite write;
    private final long dependency;
    private final Requirement requirement;
    private final long expiresMillis;
    private final boolean isDue;
    private final boolean isRefused;
    private int attempts;

    private Writing(int partition, int key, int datacenter) {
      this.partition = partition;
      this.key = key;
      this.datacenter = datacenter;
      WriteGuarantee[] all = WriteGuarantee.values();
      this.guarantee = all[simulation.random().nextInt(all.length)];
      this.expiresMillis = WorldClock.trueMillis(simulation) + EXPIRES_MILLIS;
      boolean isBogus = simulation.chance(2);
      this.dependency =
          isBogus
              ? HybridClock.of(WorldClock.trueMillis(simulation) + BOGUS_MILLIS)
              : session.dependency(guarantee);
      // Some do without hybrid clocks.
      this.requirement =
          simulation.chance(10) ? session.requirement(partition, guarantee) : Requirement.NONE;
      int first = placement.nodes().get(datacenter).get(0);
      this.isDue = isDue(first, requirement) && !run.judge().isShort(datacenter);
      this.isRefused = isRefused(first);
      writes++;
      byte[] value =
          simulation.chance(20) ? null : (id + ":" + writes).getBytes(StandardCharsets.UTF_8);
      this.write =
          new LocalWrite(
              new WriteId(id, writes, writes),
              HybridClock.of(expiresMillis),
              0,
              condition(),
              bytes(key),
              value);
    }

    private Condition condition() {
      if (!simulation.chance(20)) {
        return null;
      }
      Version last = seen.get(partition + "/k" + key);
      return last == null || !last.isThere() ? Condition.ABSENT : Condition.is(last);
    }

    private void attempt(WorldNode node) {
      attempts++;
      int number = attempts;
      boolean isNear = datacenter == home;
      run.carry(
          isNear,
          () -> {
            if (node.isUp()) {
              WriteRequest asked =
                  new WriteRequest(
                      write,
                      dependency,
                      requirement,
                      TRY_NANOS,
                      answer -> run.carry(isNear, () -> onAnswer(number, answer)));
              WorldReplica at = node.replica(partition);
              at.step(() -> at.partition().write(asked));
            }
          });
      simulation.after(
          TRY_NANOS,
          () -> {
            if (number == attempts && own == request) {
              again(some(datacenter));
            }
          });
    }

    private void again(WorldNode node) {
      if (stopped) {
        return;
      }
      if (WorldClock.trueMillis(simulation) > expiresMillis + EXPIRES_MILLIS) {
        run.judge().check(!isDue, "a write is not answered in datacenter " + datacenter);
        later();
        return;
      }
      attempt(node);
    }

    private void onAnswer(int number, WriteAnswer answer) {
      if (own != request) {
        return;
      }
      if (answer instanceof WriteAnswer.Done done) {
        onDone(done);
        later();
      } else if (answer instanceof WriteAnswer.ClockAhead
          || answer instanceof WriteAnswer.Removed) {
        later();
      } else if (answer instanceof WriteAnswer.NotLeading not && number == attempts) {
        attempts++;
        int next = attempts;
        WorldNode node = not.leader() >= 0 ? run.nodes().get(not.leader()) : some(datacenter);
        simulation.after(
            20 * MILLI,
            () -> {
              if (next == attempts && own == request) {
                again(node);
              }
            });
      }
    }

    private void onDone(WriteAnswer.Done done) {
      Outcome outcome = done.outcome();
      boolean isExpired = outcome.result() == Outcome.Result.EXPIRED;
      run.judge().check(!isExpired || !isDue || run.judge().isAnyFast(), "a write is refused");
      if (outcome.result() != Outcome.Result.DONE) {
        return;
      }
      run.judge().check(!isRefused, "a datacenter that was removed takes a write");
      run.judge().acknowledged(partition, bytes(key), outcome.version());
      session.wrote(partition, outcome.version(), done.everywhere());
      String name = partition + "/k" + key;
      seen.put(name, outcome.version());
      boolean isBogus = HybridClock.millis(dependency) > expiresMillis + EXPIRES_MILLIS;
      run.judge().check(!isBogus, "a write follows a time that is far ahead");
      history.add(
          new SessionAccess(
              historyId(),
              true,
              name,
              outcome.version().time(),
              outcome.version().datacenter(),
              write.value() != null,
              guarantee.afterReads(),
              guarantee.afterWrites()));
    }
  }

  private void write(int partition, int key, int datacenter) {
    new Writing(partition, key, datacenter).attempt(some(datacenter));
  }
}
