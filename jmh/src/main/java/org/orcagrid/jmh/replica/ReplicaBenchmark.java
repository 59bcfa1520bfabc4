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
package org.orcagrid.jmh.replica;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.Effects;
import org.orcagrid.ddp.replica.Replica;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.Packet;
import org.orcagrid.jmh.SameData;

/**
 * The steps of a replica: the processor time of all three replicas for one operation, from its
 * beginning until no packet is under way. One thread runs the three and hands their packets over;
 * their media force at once and keep nothing. The baseline puts the same version into three maps.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReplicaBenchmark {
  private static final int NODES = 3;
  private static final int KEYS = 1000;
  private static final int BACKLOG_MAX = 1000;

  /** What the virtual clock advances by in each turn, so that nothing is sent again. */
  private static final long TURN_NANOS = 1000;

  private static final ReplicaSettings.Times TIMES =
      new ReplicaSettings.Times(50_000_000, 1_000_000);

  private static Key[] keys() {
    Key[] keys = new Key[KEYS];
    for (int i = 0; i < KEYS; i++) {
      keys[i] = Key.of("key-" + i);
    }
    return keys;
  }

  private record Sent(int from, int to, Packet packet) {}

  /** Three replicas of a model, which have all keys. */
  public abstract static class Nodes {
    private final Replica[] replicas = new Replica[NODES];
    private final long[] appended = new long[NODES];
    private final long[] forced = new long[NODES];
    private final ArrayDeque<Sent> sent = new ArrayDeque<>();
    private final Key[] keys = keys();
    private final byte[] value = SameData.value(0);
    private ReplicaSession session;
    private int nextKey;
    private long nowNanos;

    abstract String model();

    /** Writes a key, in a transaction if the model has them. */
    abstract Operation write();

    /** Starts them and writes each key. */
    @Setup
    public void start() {
      for (int node = 0; node < NODES; node++) {
        ReplicaSettings settings =
            new ReplicaSettings(
                NODES,
                node,
                Ddp.parse(model()),
                ReplicaSettings.Conflicts.ABORT,
                TIMES,
                BACKLOG_MAX);
        replicas[node] = new Replica(settings, ReplicaRule.all(), new Direct(this, node));
      }
      ReplicaView view = new ReplicaView(1, List.of(1, 1, 1), (1 << NODES) - 1);
      for (Replica replica : replicas) {
        replica.onView(view);
      }
      settle();
      session = replicas[0].openSession(null);
      for (int i = 0; i < KEYS; i++) {
        write();
      }
    }

    Key nextKey() {
      nextKey = nextKey + 1 == KEYS ? 0 : nextKey + 1;
      return keys[nextKey];
    }

    byte[] value() {
      return value;
    }

    /** Runs all replicas until no packet is under way and everything is durable. */
    private void settle() {
      boolean again = true;
      while (again) {
        again = false;
        nowNanos += TURN_NANOS;
        for (int node = 0; node < NODES; node++) {
          replicas[node].tick(nowNanos);
          replicas[node].flush(nowNanos);
          if (forced[node] < appended[node]) {
            forced[node] = appended[node];
            replicas[node].onDurable(forced[node]);
            again = true;
          }
        }
        for (Sent next = sent.poll(); next != null; next = sent.poll()) {
          replicas[next.to()].onPacket(next.from(), next.packet());
          replicas[next.to()].flush(nowNanos);
          again = true;
        }
      }
    }

    /** Submits an operation and ends everything that it causes. */
    Operation complete(Operation operation) {
      replicas[0].submit(session, operation);
      settle();
      return requireDone(operation);
    }

    /** Submits an operation that waits for nobody. */
    Operation completeAtOnce(Operation operation) {
      replicas[0].submit(session, operation);
      return requireDone(operation);
    }

    private Operation requireDone(Operation operation) {
      if (operation.status() != Operation.Status.DONE) {
        throw new IllegalStateException(operation + " at " + replicas[0]);
      }
      return operation;
    }
  }

  /** What a replica wants done is done by the thread that runs all of them. */
  private record Direct(Nodes nodes, int node) implements Effects {
    @Override
    public void send(int peer, Packet packet) {
      nodes.sent.add(new Sent(node, peer, packet));
    }

    @Override
    public long persist(LogRecord record, boolean eager) {
      return ++nodes.appended[node];
    }

    @Override
    public void trim(long position, long live) {
      // Nothing is kept.
    }

    @Override
    public void completed(Operation operation) {
      // Its status says so.
    }

    @Override
    public void caughtUp(int view) {
      // All nodes serve from the first view on.
    }
  }

  /** Replicas of a model in which a write stands for itself. */
  @State(Scope.Thread)
  public static class Writing extends Nodes {
    /** The model. */
    @Param({
      "linearizable/synchronous",
      "linearizable/eventual",
      "causal/synchronous",
      "causal/eventual",
      "eventual/eventual"
    })
    public String model;

    @Override
    String model() {
      return model;
    }

    @Override
    Operation write() {
      return complete(Operation.write(nextKey(), value()));
    }
  }

  /** Replicas whose accesses synchronize. */
  @State(Scope.Thread)
  public static class Releasing extends Nodes {
    @Override
    String model() {
      return "release/synchronous";
    }

    @Override
    Operation write() {
      return complete(Operation.release(nextKey(), value()));
    }
  }

  /** Replicas that have transactions. */
  @State(Scope.Thread)
  public static class Transacting extends Nodes {
    @Override
    String model() {
      return "transactional/synchronous";
    }

    @Override
    Operation write() {
      complete(Operation.of(Operation.Kind.BEGIN));
      complete(Operation.write(nextKey(), value()));
      return complete(Operation.of(Operation.Kind.END));
    }
  }

  /** A map for each node. */
  @State(Scope.Thread)
  public static class Maps {
    private final Key[] keys = keys();
    private final byte[] value = SameData.value(0);
    private final List<Map<Key, Write>> maps =
        List.of(new HashMap<>(), new HashMap<>(), new HashMap<>());
    private int nextKey;
    private long clock;

    private Write write() {
      nextKey = nextKey + 1 == KEYS ? 0 : nextKey + 1;
      Write write = new Write(keys[nextKey], Timestamp.clock(++clock, 1), value);
      for (Map<Key, Write> map : maps) {
        map.put(write.key(), write);
      }
      return write;
    }
  }

  /** A read while no write is under way: it asks nobody. */
  @Benchmark
  public Operation read(Writing nodes) {
    return nodes.completeAtOnce(Operation.read(nodes.nextKey()));
  }

  /** A write, until every node shows it and has it on its medium. */
  @Benchmark
  public Operation write(Writing nodes) {
    return nodes.write();
  }

  /** A release. */
  @Benchmark
  public Operation release(Releasing nodes) {
    return nodes.write();
  }

  /** An acquire. */
  @Benchmark
  public Operation acquire(Releasing nodes) {
    return nodes.complete(Operation.acquire(nodes.nextKey()));
  }

  /** A compare-and-set that succeeds. */
  @Benchmark
  public Operation compareAndSet(Releasing nodes) {
    return nodes.complete(Operation.compareAndSet(nodes.nextKey(), nodes.value(), nodes.value()));
  }

  /** A transaction that begins, writes a key and ends. */
  @Benchmark
  public Operation transaction(Transacting nodes) {
    return nodes.write();
  }

  /** The baseline: the version in a map of each node. */
  @Benchmark
  public Write threeMaps(Maps maps) {
    return maps.write();
  }
}
