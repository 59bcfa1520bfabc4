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
package org.orcagrid.jmh.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.orcagrid.client.Codec;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.PacketHandler;
import org.orcagrid.jmh.SameData;

/**
 * A release, which takes two round trips to a majority (Kite, section 3.3), beside two round trips
 * of the bare transport: both on the loopback transport, between three nodes in this JVM.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class EmbeddedGridBenchmark {
  private static final int NODES = 3;

  /** A grid and a session at its first node. */
  @State(Scope.Benchmark)
  public static class Running {
    private final byte[] value = SameData.value(0);
    private EmbeddedGrid grid;
    private GridSession session;
    private View<Long, byte[]> view;

    int nodes() {
      return NODES;
    }

    /** Starts it. */
    @Setup
    public void start() {
      grid = Grid.embedded(nodes());
      session = grid.openSession(0);
      view = session.view(Codec.LONG, Codec.BYTES);
    }

    void release() {
      view.setRelease(1L, value);
    }

    /** Ends it. */
    @TearDown
    public void close() {
      session.close();
      grid.close();
    }
  }

  /** A grid of one node, which asks nobody. */
  @State(Scope.Benchmark)
  public static class OneNode extends Running {
    @Override
    int nodes() {
      return 1;
    }
  }

  /** Two nodes that send back what they get, and a third whose caller asks them. */
  @State(Scope.Benchmark)
  public static class Echo {
    private static final int MESSAGE_BYTES = 96;
    private static final int IDLE_CYCLES_BEFORE_SLEEP = 20;
    private static final long SLEEP_NANOS_MAX = 50_000_000;

    private final LoopbackNetwork network = new LoopbackNetwork(NODES, 1, 1024);
    private final List<Thread> threads = new ArrayList<>();
    private final PacketHandler countAnswer = (from, packet, length) -> this.answers++;
    private Endpoint own;
    private int answers;
    private volatile boolean stopping;

    /** Starts the two. */
    @Setup
    public void start() throws IOException {
      own = network.transport(0).open(0);
      for (int node = 1; node < NODES; node++) {
        Endpoint endpoint = network.transport(node).open(0);
        Thread thread = new Thread(() -> echo(endpoint), "echo-" + node);
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
      }
    }

    private void echo(Endpoint endpoint) {
      PacketHandler answer = (from, packet, length) -> sendTo(endpoint, from);
      int idleCycles = 0;
      while (!stopping) {
        int work = endpoint.poll(answer, 16);
        idleCycles = wait(endpoint, work, idleCycles);
      }
    }

    /** As a worker waits: a few looks, then asleep. */
    private static int wait(Endpoint endpoint, int work, int idleCycles) {
      if (work > 0) {
        return 0;
      }
      if (idleCycles > IDLE_CYCLES_BEFORE_SLEEP) {
        endpoint.await(SLEEP_NANOS_MAX);
      } else {
        Thread.onSpinWait();
      }
      return idleCycles + 1;
    }

    private static void sendTo(Endpoint endpoint, int peer) {
      ByteBuffer packet = endpoint.claim(peer);
      for (int at = 0; at < MESSAGE_BYTES; at += Long.BYTES) {
        packet.putLong(at, at);
      }
      endpoint.send(peer, MESSAGE_BYTES);
    }

    /** Asks both and waits for both, so that nothing of it is left for the next one. */
    private void roundTrip() {
      answers = 0;
      for (int peer = 1; peer < NODES; peer++) {
        sendTo(own, peer);
      }
      int idleCycles = 0;
      while (answers < NODES - 1) {
        int work = own.poll(countAnswer, 16);
        idleCycles = wait(own, work, idleCycles);
      }
    }

    /** Ends the two. */
    @TearDown
    public void stop() throws InterruptedException {
      stopping = true;
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  /**
   * A release that needs no round trip: the way from the caller's thread to the worker's and back.
   */
  @Benchmark
  public void handOver(OneNode alone) {
    alone.release();
  }

  /** Writes, linearizable, and waits for the end. */
  @Benchmark
  public void release(Running grid) {
    grid.release();
  }

  /** Reads, linearizable, and waits for the end: one round trip. */
  @Benchmark
  public byte[] acquire(Running grid) {
    return grid.view.getAcquire(1L);
  }

  /** Two round trips to both others, one after the other. */
  @Benchmark
  public void twoRoundTrips(Echo echo) {
    echo.roundTrip();
    echo.roundTrip();
  }
}
