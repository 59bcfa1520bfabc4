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
package org.orcagrid.jmh.cad;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.orcagrid.cad.LeaderDurability;
import org.orcagrid.cad.LeaseTimes;
import org.orcagrid.cad.QuorumRule;

/**
 * What a leader decides for a write and for a read that waits: the quorum index, the active set,
 * the flush rounds and the announcements together. One thread, no locks, nothing is sent.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class LeaderDurabilityBenchmark {
  private static final long LEADER = 1;
  private static final long WRITE_NANOS = 10_000;
  private static final LeaseTimes TIMES =
      new LeaseTimes(100_000_000L, 1_000_000_000L, 5_000_000_000L, 3_000_000_000L);
  private static final long SLOW_NANOS = 1_000_000_000L;

  /** A leader whose learners are all in the active set. */
  @State(Scope.Thread)
  public static class Leader {
    /** Servers of the ensemble. */
    @Param({"3", "5"})
    public int servers;

    private LeaderDurability decisions;
    private long index = 1;
    private long nowNanos;

    /** Lets the learners join. */
    @Setup
    public void start() {
      QuorumRule majority = (ids, count) -> 2 * count > servers;
      decisions = new LeaderDurability(LEADER, index, servers, TIMES, SLOW_NANOS, majority);
      for (long server = LEADER + 1; server <= servers; server++) {
        decisions.onJoined(server, true, index, index, now());
      }
      decisions.onHeartbeat(servers, now());
      for (long server = LEADER + 1; server <= servers; server++) {
        decisions.onBeat(server, nowNanos, index, index, now());
      }
      if (decisions.active().size() != servers) {
        throw new IllegalStateException(decisions.active().size() + " servers are active");
      }
    }

    private LeaderDurability.Now now() {
      return new LeaderDurability.Now(index, index, index, nowNanos);
    }

    private void report(long server, Blackhole blackhole) {
      blackhole.consume(decisions.onReport(server, index, index, now()));
    }

    private void requireDurable() {
      if (decisions.durable() != index || decisions.applied() != index) {
        throw new IllegalStateException("Index " + index + " is not durable");
      }
    }

    /** A heartbeat now and then keeps all grants valid, as it does in a server. */
    private void beatIfDue(Blackhole blackhole) {
      nowNanos += WRITE_NANOS;
      if (nowNanos % TIMES.heartbeatNanos() == 0) {
        blackhole.consume(decisions.onHeartbeat(servers, now()));
        for (long server = LEADER + 1; server <= servers; server++) {
          blackhole.consume(decisions.onBeat(server, nowNanos, index, index, now()));
        }
      }
    }
  }

  /** A write that every server reports, until it is durable and applied. */
  @Benchmark
  public long write(Leader leader, Blackhole blackhole) {
    leader.beatIfDue(blackhole);
    leader.index++;
    for (long server = LEADER; server <= leader.servers; server++) {
      leader.report(server, blackhole);
    }
    leader.requireDurable();
    return leader.index;
  }

  /** A read that waits for a write: the demand, the flush round, and the reports that end it. */
  @Benchmark
  public long demand(Leader leader, Blackhole blackhole) {
    leader.beatIfDue(blackhole);
    leader.index++;
    LeaderDurability.Effects effects =
        leader.decisions.onDemand(leader.index, leader.index, true, leader.now());
    if (effects.flush() != leader.index) {
      throw new IllegalStateException("No flush was asked for");
    }
    for (long server = LEADER; server <= leader.servers; server++) {
      leader.report(server, blackhole);
    }
    leader.requireDurable();
    return leader.index;
  }
}
