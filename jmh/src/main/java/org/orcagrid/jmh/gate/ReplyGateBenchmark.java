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
package org.orcagrid.jmh.gate;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.zookeeper.proto.ReplyHeader;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.orcagrid.server.gate.GateMetrics;
import org.orcagrid.server.gate.HeldReplies;
import org.orcagrid.server.gate.ReplyGate;

/**
 * A reply on its way through the gate: let through, or held until the indexes move. Deliveries are
 * counted and go nowhere. The baseline counts under a lock that nobody else wants.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReplyGateBenchmark {
  private static final int CONNECTIONS = 256;
  private static final int HELD_MAX = 1000;

  private static final HeldReplies.Reply REPLY =
      new HeldReplies.Response(new ReplyHeader(1, 1, 0), null, "reply", null, null, 0);

  /** A connection whose client gets nothing. */
  private static final class Counting implements HeldReplies.Connection {
    private int delivered;

    @Override
    public int deliver(HeldReplies.Reply reply) {
      delivered++;
      return 1;
    }

    @Override
    public void pauseReading() {
      throw new IllegalStateException("Too many replies are held");
    }

    @Override
    public void resumeReading() {
      // Nothing is read.
    }
  }

  /** A gate with some connections. */
  private static final class Gate {
    private final GateMetrics metrics = new GateMetrics();
    private final HeldReplies[] replies;
    private final Counting[] counting;
    private long demanded;
    private long index = 1;
    private final ReplyGate gate =
        new ReplyGate(index, index, (durable, applied) -> demanded = durable);

    private Gate(int connections) {
      replies = new HeldReplies[connections];
      counting = new Counting[connections];
      for (int i = 0; i < connections; i++) {
        counting[i] = new Counting();
        replies[i] = new HeldReplies(counting[i], gate, metrics, HELD_MAX);
      }
    }

    /** Each connection holds a reply; then the gate opens for all of them. */
    private int holdAndRelease() {
      index++;
      for (HeldReplies each : replies) {
        if (each.send(REPLY, index, index, 0) != 0) {
          throw new IllegalStateException("The gate is open");
        }
      }
      gate.advance(index, index);
      if (gate.held() != 0 || demanded != index) {
        throw new IllegalStateException("The gate is closed");
      }
      return counting[0].delivered;
    }
  }

  /** A gate that nobody else uses, with a connection. */
  @State(Scope.Thread)
  public static class One {
    private final Gate gate = new Gate(1);
    private final ReentrantLock lock = new ReentrantLock();
    private int counted;
  }

  /** A gate with many connections. */
  @State(Scope.Thread)
  public static class Many {
    private final Gate gate = new Gate(CONNECTIONS);
  }

  /** A gate that all threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    private final ReplyGate gate = new ReplyGate(1, 1, (durable, applied) -> {});
    private final GateMetrics metrics = new GateMetrics();
  }

  /** A connection of a thread at the shared gate. */
  @State(Scope.Thread)
  public static class Own {
    private HeldReplies replies;

    /** Opens it. */
    @Setup
    public void open(Shared shared) {
      replies = new HeldReplies(new Counting(), shared.gate, shared.metrics, HELD_MAX);
    }
  }

  /** A gate with many connections that wait, and one that does not. */
  @State(Scope.Thread)
  public static class Waiting {
    private final Gate gate = new Gate(CONNECTIONS);

    /** All but the first wait for what never comes. */
    @Setup
    public void hold() {
      for (int i = 1; i < CONNECTIONS; i++) {
        gate.replies[i].send(REPLY, Long.MAX_VALUE, Long.MAX_VALUE, 0);
      }
    }
  }

  /** A reply that may leave. */
  @Benchmark
  public int pass(One one) {
    return one.gate.replies[0].send(REPLY, one.gate.index, one.gate.index, 0);
  }

  /** A reply that may leave, with two threads that share the gate. */
  @Benchmark
  @Threads(2)
  public int passWithTwoThreads(Own own) {
    return own.replies.send(REPLY, 1, 1, 0);
  }

  /** A reply that is held, and leaves when the gate opens. */
  @Benchmark
  public int holdAndRelease(One one) {
    return one.gate.holdAndRelease();
  }

  /** One of 256 replies of as many connections that are held, and leave when the gate opens. */
  @Benchmark
  @OperationsPerInvocation(CONNECTIONS)
  public int holdAndReleaseOfMany(Many many) {
    return many.gate.holdAndRelease();
  }

  /** The gate opens while 255 connections wait for more than that. */
  @Benchmark
  public void openForNobody(Waiting waiting) {
    long index = ++waiting.gate.index;
    waiting.gate.gate.advance(index, index);
  }

  /** The baseline: counts under a lock. */
  @Benchmark
  public int uncontendedLock(One one) {
    one.lock.lock();
    try {
      return ++one.counted;
    } finally {
      one.lock.unlock();
    }
  }
}
