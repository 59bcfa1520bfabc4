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
package org.orcagrid.simulator;

import java.util.ArrayDeque;

/**
 * Connections between nodes as TCP gives them: in each direction what is sent arrives in order and
 * once, or the connection breaks and the rest is lost. Connections overtake each other.
 *
 * <p>A link that is down stalls what is on its way until it is up again; it does not break a
 * connection, as a real one would not for minutes. Who wants to know has time-outs.
 */
public final class SimulatedNetwork {

  private final Simulation simulation;
  private final long delayMinNanos;
  private final long delayMaxNanos;
  private final double slowPercent;
  private final boolean[][] down;

  /**
   * A network of nodes 0, 1, 2, ...
   *
   * @param slowPercent share of the messages that take up to fifty times as long
   */
  public SimulatedNetwork(
      Simulation simulation,
      int nodes,
      long delayMinNanos,
      long delayMaxNanos,
      double slowPercent) {
    this.simulation = simulation;
    this.delayMinNanos = delayMinNanos;
    this.delayMaxNanos = delayMaxNanos;
    this.slowPercent = slowPercent;
    this.down = new boolean[nodes][nodes];
  }

  /** Whether a message from one node can reach the other now. */
  public boolean reaches(int from, int to) {
    return from == to || !down[from][to];
  }

  /** Whether each can reach the other now. */
  public boolean connected(int one, int other) {
    return reaches(one, other) && reaches(other, one);
  }

  /** Takes the link down, in one direction. */
  public void cut(int from, int to) {
    down[from][to] = true;
  }

  /** Cuts a node off from all others, in both directions. */
  public void isolate(int node) {
    for (int other = 0; other < down.length; other++) {
      if (other != node) {
        down[node][other] = true;
        down[other][node] = true;
      }
    }
  }

  /** All links are up again. */
  public void heal() {
    for (boolean[] row : down) {
      java.util.Arrays.fill(row, false);
    }
  }

  /** A new connection from one node to the other, in one direction. */
  public Channel open(int from, int to) {
    return new Channel(from, to);
  }

  /** One direction of a connection. */
  public final class Channel {
    private static final long RETRY_NANOS = 5_000_000;

    /** After a stall the messages come one after the other, not all at once. */
    private static final long CATCH_UP_NANOS_MAX = 500_000;

    private final int from;
    private final int to;
    private final ArrayDeque<Message> underWay = new ArrayDeque<>();
    private long lastDueNanos;
    private boolean waiting;
    private boolean stalled;
    private boolean broken;

    private record Message(long dueNanos, Runnable arrival) {}

    private Channel(int from, int to) {
      this.from = from;
      this.to = to;
    }

    /** {@code arrival} happens when the message arrives, if it does. */
    public void send(Runnable arrival) {
      if (broken) {
        return;
      }
      long delay = simulation.between(delayMinNanos, delayMaxNanos);
      if (simulation.chance(slowPercent)) {
        delay *= simulation.between(2, 50);
      }
      lastDueNanos = Math.max(lastDueNanos, simulation.nowNanos() + delay);
      underWay.add(new Message(lastDueNanos, arrival));
      awaitFirst();
    }

    private void awaitFirst() {
      if (!waiting && !underWay.isEmpty()) {
        long left = underWay.peek().dueNanos() - simulation.nowNanos();
        waiting = true;
        simulation.after(
            stalled ? Math.max(left, simulation.between(0, CATCH_UP_NANOS_MAX)) : left,
            this::deliver);
      }
    }

    private void deliver() {
      waiting = false;
      if (broken || underWay.isEmpty()) {
        return;
      }
      if (!reaches(from, to)) {
        stalled = true;
        waiting = true;
        simulation.after(RETRY_NANOS, this::deliver);
        return;
      }
      Runnable arrival = underWay.poll().arrival();
      stalled = stalled && !underWay.isEmpty();
      awaitFirst();
      arrival.run();
    }

    /** Nothing arrives any more, not even what is on its way. */
    public void breakOff() {
      broken = true;
      underWay.clear();
    }
  }
}
