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
package org.orcagrid.ddp.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends numbered packets to all others until they have all of them: each packet says how many have
 * come without a gap, and after a while without progress it goes back to the first missing one.
 */
final class BusyNode implements Runnable {
  private static final int WORKER = 0;
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final int HEADER_BYTES = 2 * Long.BYTES;
  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long STUCK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Transport transport;
  private final AtomicInteger left;
  private final int self;
  private final int nodes;
  private final long packets;
  private final long[] next;
  private final long[] acknowledged;
  private final long[] received;
  private final long[] progressAt;
  private volatile Throwable failure;

  BusyNode(Transport transport, int self, int nodes, long packets, AtomicInteger left) {
    this.transport = transport;
    this.left = left;
    this.self = self;
    this.nodes = nodes;
    this.packets = packets;
    this.next = new long[nodes];
    this.acknowledged = new long[nodes];
    this.received = new long[nodes];
    this.progressAt = new long[nodes];
  }

  Throwable failure() {
    return failure;
  }

  private static long seed(int from, int to, long number) {
    return (number * 31 + from) * 31 + to;
  }

  private static long content(long seed, int at) {
    return (seed + at) * MIX;
  }

  /** Eight bytes at a time: one in eight is large. */
  private static int length(long seed) {
    int words = Math.floorMod(seed * MIX, seed % 8 == 0 ? 600 : 30);
    return HEADER_BYTES + words * Long.BYTES;
  }

  /** An endpoint is of one thread, from its first poll to its end. */
  @Override
  public void run() {
    try (Endpoint endpoint = transport.open(WORKER)) {
      long begun = System.nanoTime();
      boolean done = false;
      // Who is done goes on while the others may not have heard all of it.
      while (left.get() > 0) {
        boolean sent = false;
        for (int peer = 0; peer < nodes; peer++) {
          sent |= peer != self && send(endpoint, peer);
        }
        int polled = endpoint.poll(this::onPacket, 64);
        if (polled == 0 && !sent) {
          endpoint.await(TimeUnit.MILLISECONDS.toNanos(5));
        }
        if (!done && isDone()) {
          done = true;
          left.decrementAndGet();
        }
        assertTrue(System.nanoTime() - begun < 3 * LONG_NANOS, "all arrive in time");
      }
    } catch (IOException | RuntimeException | AssertionError e) {
      failure = e;
      left.set(0);
    }
  }

  private boolean isDone() {
    for (int peer = 0; peer < nodes; peer++) {
      if (peer != self && (acknowledged[peer] < packets || received[peer] < packets)) {
        return false;
      }
    }
    return true;
  }

  private boolean send(Endpoint endpoint, int peer) {
    long now = System.nanoTime();
    boolean stuck = now - progressAt[peer] > STUCK_NANOS;
    if (stuck) {
      next[peer] = acknowledged[peer];
      progressAt[peer] = now;
    }
    if (next[peer] >= packets && !stuck) {
      return false;
    }
    ByteBuffer packet = endpoint.claim(peer);
    if (packet == null) {
      return false;
    }
    long number = Math.min(next[peer], packets);
    int length = number == packets ? HEADER_BYTES : length(seed(self, peer, number));
    packet.putLong(0, number).putLong(Long.BYTES, received[peer]);
    for (int i = HEADER_BYTES; i < length; i += Long.BYTES) {
      packet.putLong(i, content(seed(self, peer, number), i));
    }
    endpoint.send(peer, length);
    next[peer] = number + 1;
    return true;
  }

  private void onPacket(int from, ByteBuffer packet, int length) {
    long number = packet.getLong(0);
    long acknowledgement = packet.getLong(Long.BYTES);
    if (acknowledgement > acknowledged[from]) {
      acknowledged[from] = acknowledgement;
      next[from] = Math.max(next[from], acknowledgement);
      progressAt[from] = System.nanoTime();
    }
    if (number < packets) {
      assertEquals(length(seed(from, self, number)), length);
      for (int i = HEADER_BYTES; i < length; i += Long.BYTES) {
        assertEquals(content(seed(from, self, number), i), packet.getLong(i));
      }
    }
    if (number == received[from] && number < packets) {
      received[from]++;
    }
  }
}
