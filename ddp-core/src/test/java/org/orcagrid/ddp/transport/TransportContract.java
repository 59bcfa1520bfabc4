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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every transport does. A provider says how nodes are opened, ended and started again.
 *
 * <p>Packets may be lost, so that nothing here relies on one: what must arrive is sent until it
 * has.
 */
@Timeout(120)
public abstract class TransportContract {
  /** The most bytes of a packet in these tests: more than a datagram of any network has. */
  protected static final int PACKET_BYTES_MAX = 5000;

  private static final int WORKER = 0;
  private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Nodes of one grid, each with a worker. */
  protected interface Nodes extends AutoCloseable {
    /**
     * The transport of a node, for packets of {@link #PACKET_BYTES_MAX} bytes at least. After
     * {@link #end} it is one of a new process in the same place.
     */
    Transport transport(int node) throws IOException;

    /** A node's process has ended; its endpoint is closed already. */
    void end(int node);

    @Override
    void close();
  }

  /** Nodes in one grid; at most three, and any number of times. */
  protected abstract Nodes open(int nodes) throws IOException;

  /** Whether nodes can go and come back, and whether their peers notice. */
  protected boolean isBetweenProcesses() {
    return true;
  }

  /** Whether packets arrive once and in order as long as nobody goes. */
  protected boolean isOrderly() {
    return false;
  }

  private Nodes nodes;
  private final List<Endpoint> opened = new ArrayList<>();

  /** Closes what the test has opened; a second call does nothing. */
  @AfterEach
  protected final void closeAll() {
    opened.forEach(Endpoint::close);
    opened.clear();
    if (nodes != null) {
      nodes.close();
      nodes = null;
    }
  }

  private Endpoint endpoint(int node) throws IOException {
    Endpoint endpoint = nodes.transport(node).open(WORKER);
    opened.add(endpoint);
    return endpoint;
  }

  private Endpoint[] endpoints(int count) throws IOException {
    nodes = open(count);
    Endpoint[] endpoints = new Endpoint[count];
    for (int node = 0; node < count; node++) {
      endpoints[node] = endpoint(node);
    }
    return endpoints;
  }

  private static final PacketHandler NOBODY = (from, packet, length) -> {};

  /** Polls the others until something is so. */
  private static void await(String what, BooleanSupplier done, Endpoint... pumped) {
    long begun = System.nanoTime();
    while (!done.getAsBoolean()) {
      for (Endpoint each : pumped) {
        each.poll(NOBODY, 100);
      }
      assertTrue(System.nanoTime() - begun < LONG_NANOS, what);
      Thread.onSpinWait();
    }
  }

  private static void fill(ByteBuffer packet, int length, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < length; i++) {
      packet.put(i, (byte) random.nextInt());
    }
  }

  /** Keeps the packets of one kind that arrive: whose first long is this. */
  private static final class Arrivals implements PacketHandler {
    private final long mark;
    private int count;
    private int from = -1;
    private int length = -1;
    private ByteBuffer last;

    Arrivals(long mark) {
      this.mark = mark;
    }

    @Override
    public void onPacket(int sender, ByteBuffer packet, int bytes) {
      assertTrue(packet.isDirect());
      assertSame(ByteOrder.LITTLE_ENDIAN, packet.order());
      if (bytes >= Long.BYTES && packet.getLong(0) == mark) {
        count++;
        from = sender;
        length = bytes;
        last = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < bytes; i++) {
          last.put(i, packet.get(i));
        }
      }
    }
  }

  /** Sends the same until it has arrived. */
  private static Arrivals deliver(
      Endpoint from, int self, Endpoint to, int peer, int length, long mark) {
    Arrivals arrivals = new Arrivals(mark);
    long begun = System.nanoTime();
    long sentAt = begun - AGAIN_NANOS;
    while (arrivals.count == 0) {
      long now = System.nanoTime();
      assertTrue(now - begun < LONG_NANOS, length + " bytes arrive");
      if (now - sentAt >= AGAIN_NANOS) {
        ByteBuffer packet = from.claim(peer);
        if (packet != null) {
          fill(packet, length, mark);
          packet.putLong(0, mark);
          from.send(peer, length);
          sentAt = now;
        }
      }
      from.poll(NOBODY, 100);
      to.poll(arrivals, 100);
    }
    assertEquals(self, arrivals.from);
    assertEquals(length, arrivals.length);
    return arrivals;
  }

  private static void checkFilled(Arrivals arrivals) {
    SplittableRandom random = new SplittableRandom(arrivals.mark);
    for (int i = 0; i < arrivals.length; i++) {
      byte expected = (byte) random.nextInt();
      if (i >= Long.BYTES) {
        assertEquals(expected, arrivals.last.get(i), "byte " + i + " of " + arrivals.length);
      }
    }
  }

  // --- packets -----------------------------------------------------------------------------------

  @Test
  void packetsOfAllSizesArriveAsTheyWereSent() throws IOException {
    Endpoint[] all = endpoints(2);
    assertTrue(all[0].packetBytesMax() >= PACKET_BYTES_MAX);
    int[] lengths = {
      8,
      9,
      63,
      64,
      65,
      223,
      224,
      225,
      256,
      500,
      991,
      992,
      993,
      1024,
      1984,
      1985,
      2048,
      3000,
      4064,
      4065,
      4096,
      PACKET_BYTES_MAX - 1,
      all[0].packetBytesMax()
    };
    long mark = 1000;
    for (int length : lengths) {
      checkFilled(deliver(all[0], 0, all[1], 1, length, mark++));
      checkFilled(deliver(all[1], 1, all[0], 0, length, mark++));
    }
  }

  @Test
  void whatIsClaimedIsTheSameUntilItIsSent() throws IOException {
    Endpoint[] all = endpoints(2);
    await("a buffer", () -> all[0].claim(1) != null, all);
    ByteBuffer first = all[0].claim(1);
    assertSame(first, all[0].claim(1));
    assertTrue(first.isDirect());
    assertSame(ByteOrder.LITTLE_ENDIAN, first.order());
    assertTrue(first.capacity() >= all[0].packetBytesMax());
    deliver(all[0], 0, all[1], 1, 100, 7);
  }

  @Test
  void noMoreIsHandedOverThanWasAskedFor() throws IOException {
    Endpoint[] all = endpoints(2);
    deliver(all[0], 0, all[1], 1, 100, 7);
    int[] seen = new int[1];
    int[] calls = new int[1];
    PacketHandler counts = (from, packet, length) -> seen[0]++;
    await(
        "packets",
        () -> {
          ByteBuffer packet = all[0].claim(1);
          if (packet != null) {
            packet.putLong(0, 8);
            all[0].send(1, Long.BYTES);
          }
          all[0].poll(NOBODY, 100);
          int before = seen[0];
          int told = all[1].poll(counts, 3);
          assertEquals(seen[0] - before, told);
          assertTrue(told <= pollBound(3), "handed over " + told);
          calls[0]++;
          return seen[0] >= 50;
        });
    assertTrue(calls[0] > 0);
  }

  /** How many a poll that asks for so many may hand over: some read what has come together. */
  protected int pollBound(int asked) {
    return asked;
  }

  // --- back-pressure -----------------------------------------------------------------------------

  @Test
  void whoDoesNotPollIsNotSentToWithoutEnd() throws IOException {
    Endpoint[] all = endpoints(2);
    deliver(all[0], 0, all[1], 1, 100, 7);
    long sent = 0;
    for (int refusals = 0; refusals < 100; ) {
      ByteBuffer packet = all[0].claim(1);
      if (packet == null) {
        refusals++;
      } else {
        refusals = 0;
        fill(packet, PACKET_BYTES_MAX, sent);
        packet.putLong(0, sent++);
        all[0].send(1, PACKET_BYTES_MAX);
        assertTrue(sent < 100_000, "takes packets for ever");
      }
      all[0].poll(NOBODY, 100);
    }
    assertTrue(sent > 0);
    assertTrue(all[0].isCrowded(1) || isBetweenProcesses());
    long most = sent;
    long[] arrived = new long[2];
    PacketHandler checks =
        (from, packet, length) -> {
          long number = packet.getLong(0);
          if (length == PACKET_BYTES_MAX && number < most) {
            SplittableRandom random = new SplittableRandom(number);
            for (int i = 0; i < length; i++) {
              byte expected = (byte) random.nextInt();
              assertTrue(i < Long.BYTES || expected == packet.get(i), "untouched");
            }
            assertTrue(!isOrderly() || number == arrived[0], "in order");
            arrived[0]++;
          }
        };
    await(
        "room again",
        () -> {
          all[0].poll(NOBODY, 100);
          all[1].poll(checks, 100);
          return all[0].claim(1) != null;
        });
    deliver(all[0], 0, all[1], 1, 100, 1L << 40);
    assertTrue(arrived[0] <= most);
  }

  // --- going and coming back ---------------------------------------------------------------------

  @Test
  void whoIsAwayTakesNothing() throws IOException {
    assumeTrue(isBetweenProcesses(), "all nodes are one process");
    nodes = open(2);
    Endpoint alone = endpoint(0);
    for (int i = 0; i < 100; i++) {
      assertNull(alone.claim(1));
      alone.poll(NOBODY, 100);
    }
    Endpoint late = endpoint(1);
    deliver(alone, 0, late, 1, 100, 7);
  }

  @Test
  void aNodeThatHasGoneIsNoticedAndItsNextLifeHearsNothingOfTheOld() throws IOException {
    assumeTrue(isBetweenProcesses(), "all nodes are one process");
    Endpoint[] all = endpoints(3);
    long tag = 1;
    for (int life = 0; life < 3; life++) {
      deliver(all[0], 0, all[1], 1, 2000, tag++);
      deliver(all[2], 2, all[1], 1, 100, tag++);
      // Much is on its way when it goes.
      for (int i = 0; i < 20; i++) {
        ByteBuffer packet = all[0].claim(1);
        if (packet != null) {
          packet.putLong(0, tag++);
          all[0].send(1, PACKET_BYTES_MAX);
        }
      }
      all[1].close();
      nodes.end(1);
      await("the others notice", () -> all[0].claim(1) == null, all[0], all[2]);
      deliver(all[0], 0, all[2], 2, 100, tag++);
      long newest = tag;
      all[1] = endpoint(1);
      PacketHandler judges =
          (from, packet, length) ->
              assertTrue(packet.getLong(0) >= newest, "a packet for the life before");
      Endpoint back = all[1];
      await(
          "a way to the new life",
          () -> {
            back.poll(judges, 100);
            return all[0].claim(1) != null;
          },
          all[0],
          all[2]);
      deliver(all[0], 0, all[1], 1, PACKET_BYTES_MAX, tag++);
      deliver(all[1], 1, all[2], 2, 100, tag++);
    }
  }

  @Test
  void whoSendsWhatNoNodeSendsIsCutOffAndMayComeBack() throws IOException {
    assumeTrue(isBetweenProcesses(), "all nodes are one process");
    Endpoint[] all = endpoints(2);
    deliver(all[0], 0, all[1], 1, 100, 7);
    int[] refused = new int[1];
    PacketHandler refuses =
        (from, packet, length) -> {
          refused[0]++;
          throw new MalformedPacketException("no such packet");
        };
    await(
        "a packet",
        () -> {
          ByteBuffer packet = all[0].claim(1);
          if (packet != null) {
            packet.putLong(0, 8);
            all[0].send(1, 100);
          }
          all[0].poll(NOBODY, 100);
          all[1].poll(refuses, 100);
          return refused[0] > 0;
        });
    deliver(all[0], 0, all[1], 1, 100, 9);
    deliver(all[1], 1, all[0], 0, 100, 10);
  }

  @Test
  void closingTwiceAndWakingWhatIsClosedDoesNothing() throws IOException {
    Endpoint[] all = endpoints(2);
    deliver(all[0], 0, all[1], 1, 100, 7);
    ByteBuffer packet = all[0].claim(1);
    if (packet != null) {
      all[0].send(1, 100);
    }
    all[1].close();
    all[1].close();
    all[1].wakeUp();
    for (int i = 0; i < 1000; i++) {
      if (all[0].claim(1) != null) {
        all[0].send(1, 100);
      }
      all[0].poll(NOBODY, 100);
    }
    all[0].close();
  }

  // --- waiting -----------------------------------------------------------------------------------

  @Test
  void awaitEndsInTimeAndWhenWoken() throws Exception {
    Endpoint[] all = endpoints(2);
    deliver(all[0], 0, all[1], 1, 100, 7);
    Endpoint waits = all[1];
    long begun = System.nanoTime();
    waits.wakeUp();
    waits.await(LONG_NANOS);
    assertTrue(System.nanoTime() - begun < LONG_NANOS, "woken before");
    waits.await(TimeUnit.MILLISECONDS.toNanos(1));
    assertTrue(System.nanoTime() - begun < LONG_NANOS, "in time");
    Thread wakes = new Thread(waits::wakeUp);
    begun = System.nanoTime();
    wakes.start();
    waits.await(LONG_NANOS);
    assertTrue(System.nanoTime() - begun < LONG_NANOS, "woken meanwhile");
    wakes.join();
  }

  @Test
  void awaitEndsWithAPacket() throws Exception {
    nodes = open(2);
    Endpoint waits = endpoint(1);
    Transport other = nodes.transport(0);
    Arrivals arrivals = new Arrivals(8);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicBoolean enough = new AtomicBoolean();
    Thread sends =
        new Thread(
            () -> {
              try (Endpoint from = other.open(WORKER)) {
                sendUntil(enough, from, 1, 8);
              } catch (IOException | RuntimeException | AssertionError e) {
                failure.set(e);
              }
            });
    sends.start();
    long begun = System.nanoTime();
    while (arrivals.count == 0 && System.nanoTime() - begun < LONG_NANOS) {
      waits.poll(arrivals, 100);
      if (arrivals.count == 0) {
        waits.await(LONG_NANOS);
      }
    }
    enough.set(true);
    sends.join();
    assertNull(failure.get());
    assertTrue(arrivals.count > 0);
  }

  private static void sendUntil(AtomicBoolean enough, Endpoint from, int peer, long mark) {
    while (!enough.get()) {
      ByteBuffer packet = from.claim(peer);
      if (packet != null) {
        packet.putLong(0, mark);
        from.send(peer, 100);
      }
      from.poll(NOBODY, 100);
      from.await(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  // --- many --------------------------------------------------------------------------------------

  @Test
  void thousandsBothWaysBetweenThreeNodes() throws Exception {
    nodes = open(3);
    List<BusyNode> busy = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    AtomicInteger left = new AtomicInteger(3);
    for (int node = 0; node < 3; node++) {
      BusyNode each = new BusyNode(nodes.transport(node), node, 3, packetsOfBusyNodes(), left);
      busy.add(each);
      threads.add(new Thread(each, "node-" + node));
    }
    threads.forEach(Thread::start);
    for (Thread each : threads) {
      each.join();
    }
    for (BusyNode each : busy) {
      assertNull(each.failure(), () -> String.valueOf(each.failure()));
    }
  }

  /** How many each node sends to each other one. */
  protected int packetsOfBusyNodes() {
    return 3000;
  }
}
