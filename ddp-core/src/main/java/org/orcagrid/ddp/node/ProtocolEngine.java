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
package org.orcagrid.ddp.node;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.orcagrid.ddp.kite.ProtocolNode;
import org.orcagrid.ddp.kite.ProtocolWorker;
import org.orcagrid.ddp.transport.Clock;
import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.worker.PacketHeader;
import org.orcagrid.ddp.worker.Packets;
import org.orcagrid.ddp.worker.Worker;

/**
 * Kite, or a protocol like it, at a worker: begins what sessions have submitted, hands messages to
 * the state machine, lets it look at the time, and sends what has gathered.
 */
final class ProtocolEngine {
  private static final System.Logger LOG = System.getLogger(ProtocolEngine.class.getName());

  private static final int BEGUN_AT_ONCE_MAX = 64;
  private static final long SLEEP_NANOS_MAX = 50_000_000;

  private final ProtocolWorker protocol;
  private final ProtocolNode node;
  private final ProtocolNode.Sizes sizes;
  private final Worker worker;
  private final Packets packets;

  private final AtomicReferenceArray<LocalSession> sessions;

  /** A bit for each session that has submitted something. */
  private final AtomicLongArray submitted;

  /** The same for what was submitted by listeners, in the worker's own thread. */
  private final long[] submittedHere;

  /** The session whose requests are being begun, which need not be pointed out again. */
  private int beginning = -1;

  private final Message received = new Message();
  private final Warmer warmer;
  private final Deque<Integer> freeSlots = new ArrayDeque<>();

  /** Whether a link is full, and since when. */
  private boolean refused;

  private long refusedSinceNanos;
  private final AtomicLong droppedMessages = new AtomicLong();
  private volatile boolean ended;

  /** Whether it has ended since what was in memory is lost. */
  private volatile boolean isLost;

  ProtocolEngine(ProtocolNode node, Worker worker, Packets packets) {
    this.node = node;
    this.sizes = node.sizes();
    this.worker = worker;
    this.packets = packets;
    this.protocol = node.worker(worker.number(), this::claim, this::onCompleted);
    this.sessions = new AtomicReferenceArray<>(sizes.sessions());
    this.submitted = new AtomicLongArray((sizes.sessions() + Long.SIZE - 1) / Long.SIZE);
    this.warmer = new Warmer(node.store());
    this.submittedHere = new long[submitted.length()];
    for (int slot = 0; slot < sizes.sessions(); slot++) {
      freeSlots.add(slot);
    }
  }

  Clock clock() {
    return worker.clock();
  }

  boolean isOf(ProtocolNode keys) {
    return node == keys;
  }

  ProtocolNode keys() {
    return node;
  }

  boolean isServing() {
    return node.isServing();
  }

  /** The view in which a place began to leave, since which the node is refreshed; 0 for none. */
  int refreshed() {
    return node.refreshed();
  }

  /** The view that a purge view is to follow; 0 for none. */
  int purgeWanted() {
    return node.purgeWanted();
  }

  // --- for the threads of sessions ---------------------------------------------------------------

  /** Opens a session; null if all are in use. */
  synchronized LocalSession openSession(int depth) {
    Integer slot = freeSlots.peek();
    if (slot == null) {
      return null;
    }
    LocalSession session = new LocalSession(this, slot, node.localCopy(), depth);
    sessions.set(slot, session);
    // Not earlier: memory for the session may be short, and the slot is free then.
    freeSlots.remove();
    return session;
  }

  synchronized int freeSessions() {
    return freeSlots.size();
  }

  void onSubmitted(int slot) {
    if (isMe()) {
      again(slot);
      return;
    }
    submitted.getAndAccumulate(slot / Long.SIZE, 1L << slot, (all, one) -> all | one);
    worker.wakeUp();
  }

  /** A session has more to begin; the worker's thread only, which comes round to it by itself. */
  private void again(int slot) {
    if (slot != beginning) {
      submittedHere[slot / Long.SIZE] |= 1L << slot;
    }
  }

  void onClosed(LocalSession session) {
    onSubmitted(session.slot());
  }

  private synchronized void free(LocalSession session) {
    sessions.set(session.slot(), null);
    freeSlots.add(session.slot());
  }

  /** Messages that found no room in their link; the protocols send them again. */
  long droppedMessages() {
    return droppedMessages.get();
  }

  long slowReleases() {
    return protocol.slowReleases();
  }

  boolean isMe() {
    return worker.isMe();
  }

  boolean isEnded() {
    return ended;
  }

  /** Why nothing comes of what a session submits; once this has ended. */
  String whyEnded() {
    if (isLost) {
      return "What was in memory is lost with the processes that held it; open another session";
    }
    Throwable reason = failure();
    return reason == null
        ? "The node of the session was closed"
        : "The node of the session has failed: " + reason;
  }

  /** Other keys are in place of these, which have begun anew; the worker's thread only. */
  void endAsLost() {
    isLost = true;
    end();
  }

  /** What has ended the node, null if nothing has or it was closed. */
  Throwable failure() {
    return worker.failure();
  }

  // --- the duty cycle ----------------------------------------------------------------------------

  /** Nothing more will come of what was submitted: whoever waits for it is told. */
  void end() {
    ended = true;
    for (int slot = 0; slot < sessions.length(); slot++) {
      LocalSession session = sessions.get(slot);
      if (session != null) {
        end(session);
      }
    }
  }

  /**
   * The same for one session; by its own thread if that has submitted something too late. Listeners
   * are called under no lock: who comes while another thread is at it leaves it to that one, which
   * looks again.
   */
  void end(LocalSession session) {
    if (session.ends().getAndIncrement() > 0) {
      return;
    }
    for (int seen = 1; seen > 0; seen = session.ends().addAndGet(-seen)) {
      endAll(session.requests());
    }
  }

  private static void endAll(RequestQueue requests) {
    for (Request each = requests.first(); each != null; each = requests.first()) {
      each.unknown();
      try {
        requests.complete(each);
      } catch (RuntimeException | Error e) {
        // Those behind it wait, too, whatever its listener does.
        LOG.log(System.Logger.Level.WARNING, "A listener has failed at the end of its node", e);
        each.listener = null;
        requests.complete(each);
      }
    }
  }

  long sleepNanosMax() {
    return protocol.isBusy() || refused ? sizes.sleepNanosMax() : SLEEP_NANOS_MAX;
  }

  int work(long now) {
    if (protocol.isOver()) {
      if (!ended) {
        end();
      }
      return 0;
    }
    int begun = isHeldBack(now) ? 0 : beginSubmitted(now);
    protocol.poll(worker.clock().nanoTime());
    return begun;
  }

  void onPacket(int from, ByteBuffer packet, int length, long now) {
    int at = PacketHeader.BYTES;
    int warm = 0;
    while (at < length) {
      if (at >= warm) {
        warm = warmer.warm(received, packet, at, length);
      }
      received.wrap(packet, at);
      if (!received.isWhole(length)) {
        throw new MalformedPacketException("A packet of node " + from + " is broken at " + at);
      }
      if (!protocol.mayBeOurs(received)) {
        throw new MalformedPacketException(
            "A packet of node " + from + " has what no node sends at " + at + ": " + received);
      }
      int bytes = received.bytes();
      protocol.onMessage(from, received, now);
      at += bytes;
    }
  }

  /** New work waits a little while a link is full, but not for a node that takes nothing at all. */
  private boolean isHeldBack(long now) {
    boolean full = isAnyFull();
    if (full && !refused) {
      refusedSinceNanos = now;
    }
    refused = full;
    return full && now - refusedSinceNanos < sizes.heldBackNanosMax();
  }

  /**
   * Whether what a session begins next may find no room: a packet is full and there is no other.
   */
  private boolean isAnyFull() {
    for (int left = node.others(); left != 0; left &= left - 1) {
      int peer = Integer.numberOfTrailingZeros(left);
      if (packets.filled(peer) > packets.bytesMax() / 2) {
        packets.send(peer);
      }
      if (packets.isCrowded(peer) || !packets.hasPacket(peer)) {
        return true;
      }
    }
    return false;
  }

  private int beginSubmitted(long now) {
    int begun = 0;
    for (int word = 0; word < submittedHere.length; word++) {
      long left = submittedHere[word];
      submittedHere[word] = 0;
      if (submitted.get(word) != 0) {
        left |= submitted.getAndSet(word, 0);
      }
      warm(word, left);
      for (; left != 0; left &= left - 1) {
        if (isHeldBack(now)) {
          submittedHere[word] |= left;
          return begun;
        }
        int slot = word * Long.SIZE + Long.numberOfTrailingZeros(left);
        begun += begin(sessions.get(slot), now);
      }
    }
    return begun;
  }

  private void warm(int word, long ready) {
    for (long left = ready; left != 0; left &= left - 1) {
      LocalSession session = sessions.get(word * Long.SIZE + Long.numberOfTrailingZeros(left));
      if (session != null) {
        warmer.add(session.requests());
      }
    }
    warmer.warm();
  }

  /**
   * Begins what a session has submitted, one after the other, until one takes time. What listeners
   * submit meanwhile waits for the next cycle, so that the sessions take turns.
   */
  private int begin(LocalSession session, long now) {
    if (session == null) {
      return 0;
    }
    int slot = session.slot();
    int begun = 0;
    int most = Math.min(session.requests().waiting(), BEGUN_AT_ONCE_MAX);
    boolean refusedOne = false;
    beginning = slot;
    while (begun < most && !refusedOne && protocol.isIdle(slot)) {
      refusedOne = !begin(session, session.requests().first(), now);
      begun += refusedOne ? 0 : 1;
    }
    beginning = -1;
    if (protocol.isIdle(slot)) {
      if (session.requests().first() != null) {
        again(slot);
      } else if (session.isClosed()) {
        free(session);
      }
    }
    return begun;
  }

  private boolean begin(LocalSession session, Request request, long now) {
    if (!request.announced) {
      return protocol.begin(session.slot(), request, now);
    }
    if (!protocol.announce(session.slot(), request.key(), now)) {
      return false;
    }
    session.requests().complete(request);
    return true;
  }

  private void onCompleted(int slot) {
    LocalSession session = sessions.get(slot);
    session.requests().complete(session.requests().first());
    if (session.requests().first() != null || session.isClosed()) {
      again(slot);
    }
  }

  // --- packets -----------------------------------------------------------------------------------

  private boolean claim(int peer, int bytes, Message into) {
    int at = packets.claim(peer, bytes);
    if (at == Packets.NO_ROOM) {
      droppedMessages.incrementAndGet();
      return false;
    }
    into.wrap(packets.buffer(peer), at);
    return true;
  }

  void flush() {
    for (int left = node.others(); left != 0; left &= left - 1) {
      int peer = Integer.numberOfTrailingZeros(left);
      if (packets.filled(peer) > 0 && !mayGather(peer)) {
        packets.send(peer);
      }
    }
  }

  /** A peer with many packets before it gets this one no sooner if it is sent half empty. */
  private boolean mayGather(int peer) {
    return packets.isCrowded(peer) && packets.filled(peer) < packets.bytesMax() / 2;
  }
}
