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
package org.orcagrid.transport.rdma;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orcagrid.ddp.transport.PacketHandler;
import org.orcagrid.needs.Needs;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;

/** What is the transport's over RDMA own. Needs a device: {@code build/lab.sh} has one. */
@Needs(RdmaNeeds.Device.class)
@Timeout(60)
class RdmaEndpointTest {
  static final PacketHandler NOBODY = (from, packet, length) -> {};
  static final long LONG_NANOS = 30_000_000_000L;

  private static final int BURSTS = 60;
  private static final int ROUNDS_OF_BURST = 10;
  private static final int PACKETS_OF_A_BATCH = 8;

  private RdmaEndpoint here;
  private RdmaEndpoint there;
  private int arrived;

  private final PacketHandler counts = (from, packet, length) -> arrived++;
  private final PacketHandler echoes =
      (from, packet, length) -> {
        ByteBuffer answer = there.claim(0);
        if (answer != null) {
          answer.putLong(0, packet.getLong(0));
          there.send(0, length);
        }
      };

  @BeforeEach
  void open() throws IOException {
    List<HostPort> addresses = RdmaTransportTest.freeAddresses(2);
    here = open(addresses, 0);
    there = open(addresses, 1);
    connect();
  }

  private RdmaEndpoint open(List<HostPort> addresses, int node) throws IOException {
    return (RdmaEndpoint)
        RdmaTransportTest.transport(
                addresses, node, 4096, null, hasConnections(), LinkListener.NONE)
            .open(0);
  }

  /** Whether they talk over connections rather than datagrams. */
  protected boolean hasConnections() {
    return false;
  }

  @AfterEach
  void close() {
    if (there != null) {
      here.close();
      there.close();
    }
  }

  private void connect() {
    long begun = System.nanoTime();
    while (here.claim(1) == null || there.claim(0) == null) {
      here.poll(NOBODY, 10);
      there.poll(NOBODY, 10);
      assertTrue(System.nanoTime() - begun < LONG_NANOS, "a connection");
    }
  }

  RdmaEndpoint here() {
    return here;
  }

  RdmaEndpoint there() {
    return there;
  }

  /** A packet there and its echo back. */
  final void roundTrip(int bytes) {
    int before = arrived;
    long begun = System.nanoTime();
    ByteBuffer packet = here.claim(1);
    while (packet == null) {
      here.poll(counts, 10);
      there.poll(echoes, 10);
      packet = here.claim(1);
    }
    packet.putLong(0, before);
    here.send(1, bytes);
    while (arrived == before && System.nanoTime() - begun < LONG_NANOS) {
      here.poll(counts, 10);
      there.poll(echoes, 10);
    }
    assertTrue(arrived > before, "an echo");
  }

  private long allocatedBy(int rounds, int bytes) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);
    for (int i = 0; i < rounds; i++) {
      roundTrip(bytes);
    }
    return threads.getThreadAllocatedBytes(thread) - before;
  }

  @Test
  void nothingIsAllocatedForAPacketAndHowLongOneTakes() {
    allocatedBy(1000, 64);
    allocatedBy(200, 3000);
    long[] nanos = new long[1000];
    for (int i = 0; i < nanos.length; i++) {
      long begun = System.nanoTime();
      roundTrip(64);
      nanos[i] = System.nanoTime() - begun;
    }
    Arrays.sort(nanos);
    long small = burstsThatAllocate(64);
    long large = burstsThatAllocate(3000);
    System.out.printf(
        "64 bytes there and back: median %.1f us, 99%% %.1f us; something was allocated in %d of %d"
            + " bursts of %d rounds, and in %d with 3000 bytes%n",
        nanos[500] / 1e3, nanos[990] / 1e3, small, BURSTS, ROUNDS_OF_BURST, large);
    // The links over TCP are looked after meanwhile, and say now and then that they are there. What
    // were allocated for packets would be in every burst.
    assertTrue(small < BURSTS * 9 / 10, small + " bursts of small packets");
    assertTrue(large < BURSTS * 9 / 10, large + " bursts of large packets");
  }

  private long burstsThatAllocate(int bytes) {
    long some = 0;
    for (int i = 0; i < BURSTS; i++) {
      some += allocatedBy(ROUNDS_OF_BURST, bytes) == 0 ? 0 : 1;
    }
    return some;
  }

  /**
   * Eight packets are one call, and so is what has come; a count of places now and then is one
   * more.
   */
  @Test
  void aBatchIsOneNativeCallAndSoIsAPoll() {
    allocatedBy(200, 64);
    int single = 0;
    for (int round = 0; round < BURSTS; round++) {
      for (int i = 0; i < PACKETS_OF_A_BATCH; i++) {
        ByteBuffer packet = here.claim(1);
        while (packet == null) {
          here.poll(counts, 10);
          there.poll(NOBODY, 10);
          packet = here.claim(1);
        }
        packet.putLong(0, i);
        here.send(1, 64);
      }
      long sends = here.queue().sendCalls();
      long takes = here.queue().takeCalls();
      here.poll(counts, 64);
      sends = here.queue().sendCalls() - sends;
      takes = here.queue().takeCalls() - takes;
      assertTrue(sends <= 2 && takes <= 1, sends + " calls to send, " + takes + " to take");
      single += sends == 1 ? 1 : 0;
      there.poll(NOBODY, 64);
    }
    assertTrue(single > BURSTS * 9 / 10, single + " batches of " + BURSTS + " were one call");
  }

  @Test
  void aQueuePairThatHasFailedIsReplacedAndThePeerFollows() throws IOException {
    roundTrip(64);
    long queue = here.queue().lane(0).queue();
    long begun = System.nanoTime();
    here.queue().stop();
    while (here.queue().lane(0).queue() == queue) {
      here.poll(counts, 10);
      there.poll(echoes, 10);
      if (here.claim(1) != null) {
        here.send(1, 64);
      }
      assertTrue(System.nanoTime() - begun < LONG_NANOS, "another queue pair");
    }
    connect();
    roundTrip(64);
    roundTrip(3000);
  }
}
