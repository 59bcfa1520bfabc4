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
package org.orcagrid.jmh.zab;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.orcagrid.bench.zab.ZabSession;
import org.orcagrid.bench.zab.ZabSettings;
import org.orcagrid.bench.zab.ZabWorker;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.jmh.DirectLinks;
import org.orcagrid.jmh.SameData;

/**
 * The steps of ZAB: the processor time of all three workers for one operation, until no message is
 * under way. One thread runs the three and hands their messages over, as in the benchmark of Kite,
 * which this one is to be compared with.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ZabWorkerBenchmark {
  private static final int NODES = 3;
  private static final int BATCH = 16;
  private static final int KEYS = 1000;
  private static final int FOLLOWER = 1;

  /** What the virtual clock advances by in each turn, so that nothing is sent again. */
  private static final long TURN_NANOS = 1000;

  private static final long RESEND_NANOS = 50_000_000;

  /** A leader and two followers, whose stores have all keys. */
  @State(Scope.Thread)
  public static class Nodes {
    private final DirectLinks links = new DirectLinks(NODES);
    private final ZabWorker[] workers = new ZabWorker[NODES];
    private final DirectLinks.Receiver[] receivers = new DirectLinks.Receiver[NODES];
    private int nextKey;
    private long nowNanos;

    /** Starts them and writes each key. */
    @Setup
    public void start() {
      for (int node = 0; node < NODES; node++) {
        ReplicaStore store = new ReplicaStore(new ReplicaStore.Limits(2 * KEYS, 1024, 1L << 24));
        ZabSettings settings = new ZabSettings(NODES, node, BATCH, RESEND_NANOS);
        ZabWorker worker = new ZabWorker(settings, store, links.outbox(node), session -> {});
        workers[node] = worker;
        receivers[node] = (from, message) -> worker.onMessage(from, message, nowNanos);
      }
      for (int i = 0; i < KEYS; i++) {
        write(ZabSettings.LEADER);
      }
    }

    private ZabSession prepare(int node, int slot) {
      ZabSession session = workers[node].session(slot);
      session.key().buffer().putLong(0, nextKey);
      session.key().length(Long.BYTES);
      nextKey = nextKey + 1 == KEYS ? 0 : nextKey + 1;
      session.value().buffer().putLong(0, nowNanos);
      session.value().length(SameData.VALUE_BYTES);
      return session;
    }

    private ZabSession begin(int node, int slot) {
      ZabSession session = prepare(node, slot);
      if (!workers[node].beginWrite(session, nowNanos)) {
        throw new IllegalStateException("There is no room for a write");
      }
      return session;
    }

    /** Runs all workers in turn until no message is under way. */
    private void settle(ZabSession last) {
      int messages;
      do {
        nowNanos += TURN_NANOS;
        messages = 0;
        for (int node = 0; node < NODES; node++) {
          for (int from = 0; from < NODES; from++) {
            messages += links.deliver(from, node, receivers[node]);
          }
          workers[node].poll(nowNanos);
        }
      } while (messages > 0 || !last.isIdle());
      if (!last.isDone()) {
        throw new IllegalStateException("The stores are full");
      }
    }

    private ZabSession write(int node) {
      ZabSession session = begin(node, 0);
      settle(session);
      return session;
    }
  }

  /** A read, which asks nobody. */
  @Benchmark
  public ZabSession read(Nodes nodes) {
    ZabSession session = nodes.prepare(FOLLOWER, 0);
    nodes.workers[FOLLOWER].beginRead(session);
    return session;
  }

  /** A write at the leader. */
  @Benchmark
  public ZabSession writeAtLeader(Nodes nodes) {
    return nodes.write(ZabSettings.LEADER);
  }

  /** A write at a follower, which sends it to the leader. */
  @Benchmark
  public ZabSession writeAtFollower(Nodes nodes) {
    return nodes.write(FOLLOWER);
  }

  /** One of 16 writes at the leader that are under way together. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public ZabSession writeOfMany(Nodes nodes) {
    ZabSession last = null;
    for (int slot = 0; slot < BATCH; slot++) {
      last = nodes.begin(ZabSettings.LEADER, slot);
    }
    nodes.settle(last);
    return last;
  }
}
