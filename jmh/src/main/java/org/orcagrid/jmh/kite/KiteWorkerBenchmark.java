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
package org.orcagrid.jmh.kite;

import java.util.Arrays;
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
import org.orcagrid.ddp.kite.KiteNode;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.KiteWorker;
import org.orcagrid.ddp.kite.Operation;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.MessageType;
import org.orcagrid.ddp.wire.Outbox;
import org.orcagrid.jmh.DirectLinks;
import org.orcagrid.jmh.SameData;

/**
 * The steps of Kite: the processor time of all three workers for one operation, from its beginning
 * until no message is under way. One thread runs the three and hands their messages over, so there
 * is no network, no wake-up and no contention. The baseline is the same hand-over without a
 * protocol.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class KiteWorkerBenchmark {
  private static final int NODES = 3;
  private static final int BATCH = 16;
  private static final int KEYS = 1000;

  /** What the virtual clock advances by in each turn, so that nothing is sent again. */
  private static final long TURN_NANOS = 1000;

  /** Three nodes with a worker each, whose stores have all keys. */
  @State(Scope.Thread)
  public static class Nodes {
    private final DirectLinks links = new DirectLinks(NODES);
    private final KiteWorker[] workers = new KiteWorker[NODES];
    private final DirectLinks.Receiver[] receivers = new DirectLinks.Receiver[NODES];
    private final Operation[] operations = new Operation[BATCH];
    private int nextKey;
    private long nowNanos;

    /** Starts them and writes each key, as a value and as a number. */
    @Setup
    public void start() {
      Arrays.setAll(operations, slot -> new Operation());
      for (int node = 0; node < NODES; node++) {
        ReplicaStore store = new ReplicaStore(new ReplicaStore.Limits(4 * KEYS, 1024, 1L << 24));
        KiteNode kite = new KiteNode(KiteSettings.of(NODES, node, 1, BATCH), store);
        KiteWorker worker = new KiteWorker(kite, 0, links.outbox(node), slot -> {});
        workers[node] = worker;
        receivers[node] = (from, message) -> worker.onMessage(from, message, nowNanos);
      }
      for (int i = 0; i < KEYS; i++) {
        complete(OperationKind.RELEASE, 0);
        complete(OperationKind.GET_AND_ADD, KEYS);
      }
    }

    private Operation begin(OperationKind kind, int slot, int firstKey) {
      Operation asked = operations[slot];
      asked.kind(kind);
      asked.outcome(null);
      asked.key().buffer().putLong(0, firstKey + nextKey);
      asked.key().length(Long.BYTES);
      nextKey = nextKey + 1 == KEYS ? 0 : nextKey + 1;
      if (kind.writes()) {
        asked.value().buffer().putLong(0, nowNanos);
        asked.value().length(SameData.VALUE_BYTES);
      }
      asked.delta(1);
      if (!workers[0].begin(slot, asked, nowNanos)) {
        throw new IllegalStateException("There is no room for a " + kind);
      }
      return asked;
    }

    /** Runs all workers in turn until nothing is under way. */
    private void settle() {
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
      } while (messages > 0 || workers[0].isBusy());
    }

    private Operation complete(OperationKind kind, int firstKey) {
      Operation asked = begin(kind, 0, firstKey);
      settle();
      requireDone(asked);
      return asked;
    }

    private static void requireDone(Operation asked) {
      if (asked.outcome() != Outcome.DONE) {
        throw new IllegalStateException("An operation ended with " + asked.outcome());
      }
    }
  }

  /** The same links without workers. */
  @State(Scope.Thread)
  public static class Bare {
    private final DirectLinks links = new DirectLinks(NODES);
    private final Outbox asker = links.outbox(0);
    private final Message sent = new Message();
    private final DirectLinks.Receiver[] answers = new DirectLinks.Receiver[NODES];
    private long clock;
    private long answered;
    private final DirectLinks.Receiver count = (from, message) -> answered += message.clock();

    /** Makes the others answer. */
    @Setup
    public void start() {
      for (int node = 1; node < NODES; node++) {
        Outbox outbox = links.outbox(node);
        answers[node] = (from, message) -> send(outbox, from, message.clock(), Message.NO_VALUE);
      }
    }

    private void send(Outbox outbox, int to, long sentClock, int valueBytes) {
      int keyBytes = valueBytes < 0 ? 0 : Long.BYTES;
      int bytes = Message.bytes(Message.HEADER_BYTES, keyBytes, valueBytes);
      if (!outbox.claim(to, bytes, sent)) {
        throw new IllegalStateException("A link is full");
      }
      sent.begin(MessageType.WRITE, Message.HEADER_BYTES).clock(sentClock);
      sent.keyLength(keyBytes).valueLength(valueBytes);
    }
  }

  /** A relaxed read of a key that is in-epoch: it asks nobody. */
  @Benchmark
  public Operation read(Nodes nodes) {
    Operation asked = nodes.begin(OperationKind.READ, 0, 0);
    Nodes.requireDone(asked);
    return asked;
  }

  /** A relaxed write, until all nodes have acknowledged it. */
  @Benchmark
  public Operation write(Nodes nodes) {
    return nodes.complete(OperationKind.WRITE, 0);
  }

  /** One of 16 relaxed writes that are under way together, and so are acknowledged together. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public Operation writeOfMany(Nodes nodes) {
    Operation last = null;
    for (int slot = 0; slot < BATCH; slot++) {
      last = nodes.begin(OperationKind.WRITE, slot, 0);
    }
    nodes.settle();
    Nodes.requireDone(last);
    return last;
  }

  /** A linearizable read: one round trip. */
  @Benchmark
  public Operation acquire(Nodes nodes) {
    return nodes.complete(OperationKind.ACQUIRE, 0);
  }

  /** A linearizable write: two round trips. */
  @Benchmark
  public Operation release(Nodes nodes) {
    return nodes.complete(OperationKind.RELEASE, 0);
  }

  /** A read-modify-write: Paxos with a round to propose, one to accept and one to commit. */
  @Benchmark
  public Operation getAndAdd(Nodes nodes) {
    return nodes.complete(OperationKind.GET_AND_ADD, KEYS);
  }

  /** The baseline: a message of a key and a value to each of two others, and their answers. */
  @Benchmark
  public long messagesThereAndBack(Bare bare) {
    long clock = ++bare.clock;
    for (int node = 1; node < NODES; node++) {
      bare.send(bare.asker, node, clock, SameData.VALUE_BYTES);
    }
    for (int node = 1; node < NODES; node++) {
      bare.links.deliver(0, node, bare.answers[node]);
      bare.links.deliver(node, 0, bare.count);
    }
    return bare.answered;
  }
}
