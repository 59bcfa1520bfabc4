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
package org.orcagrid.bench.rdma;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.PacketHandler;
import org.orcagrid.ddp.transport.Transport;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.IoKind;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.NodePort;
import org.orcagrid.transport.tcp.NodeTransports;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TcpSettings;

/**
 * One end of a link between two nodes, for measuring: node 0 asks, node 1 answers. For one thread,
 * which polls all the time as perftest's do.
 */
public final class LinkEnd implements AutoCloseable {
  /** Room for what a packet says. */
  public static final int BYTES_MIN = 2 * Long.BYTES;

  private static final int PACKET_BYTES_MAX = 16 << 10;
  private static final int POLL_PACKETS = 32;
  private static final int POLLS_OF_A_TURN = 200;
  private static final long REST_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
  private static final long RESEND_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** What a packet wants: an echo, or to be taken. */
  private static final long ECHO = 1L << 62;

  private final Endpoint endpoint;
  private final int peer;
  private final PacketHandler handler;
  private long echoed;

  /** Packets that this end has taken, and that the other one has, as it said last. */
  private long taken;

  private long takenThere;
  private int idlePolls;

  private LinkEnd(Endpoint endpoint, int self) {
    this.endpoint = endpoint;
    this.peer = 1 - self;
    this.handler = self == 0 ? this::onEcho : this::onAsked;
  }

  /**
   * Opens an end.
   *
   * @param nodes where both listen
   * @param security what they prove to each other; ends on two hosts have to
   */
  public static LinkEnd open(
      NodeTransports transports, List<HostPort> nodes, int self, PortSecurity security)
      throws IOException {
    TcpSettings settings = new TcpSettings("perf", self, nodes, 1, 1, PACKET_BYTES_MAX);
    NodePort port = NodePort.of(nodes.get(self), security, IoKind.best(), LinkListener.NONE);
    Transport transport = transports.open(settings, port, LinkListener.NONE);
    try {
      return new LinkEnd(transport.open(0), self);
    } catch (IOException | RuntimeException e) {
      transport.close();
      throw e;
    }
  }

  private void onEcho(int from, ByteBuffer packet, int length) {
    echoed = Math.max(echoed, packet.getLong(0) & ~ECHO);
    takenThere = Math.max(takenThere, packet.getLong(Long.BYTES));
  }

  private void onAsked(int from, ByteBuffer packet, int length) {
    long what = packet.getLong(0);
    taken++;
    if ((what & ECHO) != 0) {
      ByteBuffer answer = endpoint.claim(from);
      // One that finds no room is asked for again.
      if (answer != null) {
        answer.putLong(0, what).putLong(Long.BYTES, taken);
        endpoint.send(from, length);
      }
    }
  }

  /** Takes what is there; leaves the processor to others now and then, who may be the other end. */
  public void poll() {
    if (endpoint.poll(handler, POLL_PACKETS) > 0) {
      idlePolls = 0;
    } else if (++idlePolls % POLLS_OF_A_TURN == 0) {
      endpoint.await(REST_NANOS);
    } else {
      Thread.onSpinWait();
    }
  }

  /**
   * Packets there and back, one after the other.
   *
   * @return half of each time in nanoseconds, the shortest first: perftest counts so, too
   * @throws IOException if nothing comes back
   */
  public long[] latencies(int bytes, int rounds) throws IOException {
    long[] nanos = new long[rounds];
    for (int round = 0; round < rounds; round++) {
      long begun = System.nanoTime();
      roundTrip(bytes, begun);
      nanos[round] = (System.nanoTime() - begun) / 2;
    }
    Arrays.sort(nanos);
    return nanos;
  }

  private void roundTrip(int bytes, long begun) throws IOException {
    long number = echoed + 1;
    long sendAgain = begun;
    while (echoed < number) {
      long now = System.nanoTime();
      if (now - sendAgain >= 0) {
        ByteBuffer packet = endpoint.claim(peer);
        if (packet != null) {
          packet.putLong(0, ECHO | number);
          endpoint.send(peer, bytes);
          sendAgain = now + RESEND_NANOS;
        }
      }
      poll();
      if (now - begun > PATIENCE_NANOS) {
        throw new IOException("The other end does not answer");
      }
    }
  }

  /**
   * Packets one way, as many as the transport takes.
   *
   * @return how many a second the other end has taken: what was lost does not count
   * @throws IOException if none is taken
   */
  public double packetsPerSecond(int bytes, double seconds) throws IOException {
    roundTrip(bytes, System.nanoTime());
    long before = takenThere;
    long begun = System.nanoTime();
    long end = begun + (long) (seconds * 1e9);
    while (System.nanoTime() - end < 0) {
      for (int i = 0; i < POLL_PACKETS; i++) {
        ByteBuffer packet = endpoint.claim(peer);
        if (packet == null) {
          break;
        }
        packet.putLong(0, 0);
        endpoint.send(peer, bytes);
      }
      poll();
    }
    // It says how many were taken before it, and is one itself.
    roundTrip(bytes, System.nanoTime());
    return (takenThere - before - 1) * 1e9 / (System.nanoTime() - begun);
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
