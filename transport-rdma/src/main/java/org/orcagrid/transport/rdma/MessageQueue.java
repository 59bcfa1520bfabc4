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

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.impl.NatIbvCQ;
import com.ibm.disni.verbs.impl.NatIbvCompChannel;
import com.ibm.disni.verbs.impl.NatIbvMr;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * What a worker's messages go through: queue pairs with one completion queue, and the registered
 * memory that they send from and receive into. Of the thread that has made it, but for {@link
 * #wakeUp}.
 *
 * <p>Requests to send gather until {@link #flush}, which posts them with one call. Those of a queue
 * pair complete in the order in which they were made; only those that are signalled say so, which
 * tells of all before them. Requests to receive are always posted, one for each place in the ring,
 * and given back a few at a time.
 *
 * <p>There is one queue pair for all peers where there are datagrams, else one for each: a {@link
 * Lane} each.
 */
abstract class MessageQueue implements AutoCloseable {
  /** Pieces of a request to send: header and content. */
  static final int PIECES = 2;

  /** Ints that say what a queue pair can do. */
  static final int CAPS = 4;

  private static final int[] INLINE_BYTES = {256, 128, 64, 0};

  /** Is given what has arrived. */
  interface Receiver {
    /**
     * A message; its memory is the queue's again when this returns.
     *
     * @param slot the place in the ring
     * @param source whose it is, for {@link #isOf}
     */
    void onMessage(int slot, int bytes, int source);
  }

  /** Where messages go. */
  interface Destination {
    /** The peer's number. */
    int peer();

    /** What {@link MessageQueue#meet} has answered. */
    long handle();

    /** The queue pair of its greeting. */
    int queue();

    /** The key of its greeting. */
    int key();
  }

  private final RdmaDevice device;
  private final RdmaVerbs verbs = RdmaVerbs.open();
  private final int key = new SecureRandom().nextInt() & Integer.MAX_VALUE;
  private final Lane[] lanes;
  private final int slots;
  private final int slotBytes;
  private final int prefixBytes;
  private final boolean isShared;
  private final int firstSlotAt;

  private final NatIbvCompChannel channel;
  private final NatIbvCQ completionQueue;
  private final ByteBuffer memory;
  private final NatIbvMr region;
  private final long wake;
  private final long regionId;
  private final long completionQueueId;
  private final long channelId;
  private final Resources resources = new Resources();

  private final ByteBuffer requests = direct(Lane.BATCH * Verbs.DATAGRAM_BYTES);
  private final ByteBuffer completions = direct(Lane.BATCH * Verbs.COMPLETION_BYTES);

  private int requested;
  private int completed;
  private int next;
  private long sendCalls;
  private long takeCalls;
  private boolean eventRequested;
  private String broken;

  /**
   * How much there is to be.
   *
   * @param lanes queue pairs
   * @param sends requests of each that can be under way
   * @param slots messages for each that can be waiting to be taken
   * @param bytes of memory to send from; what is received goes behind it
   */
  record Size(int lanes, int sends, int slots, int bytes) {}

  /**
   * Opens what all have in common.
   *
   * @param isShared whether a fault of its only lane is one of all peers, after which nothing of
   *     the old queue pair is left; else what it leaves behind has room beside what its successor
   *     does
   * @param prefixBytes what the device puts before every message
   */
  MessageQueue(RdmaDevice device, Size size, boolean isShared, int prefixBytes) throws IOException {
    this.device = device;
    this.isShared = isShared;
    this.prefixBytes = prefixBytes;
    this.slots = Math.multiplyExact(size.lanes(), size.slots());
    int roomBytes = prefixBytes + messageBytesMax();
    this.slotBytes = (roomBytes + 63) / 64 * 64;
    int lives = isShared ? 1 : 2;
    int entries = Math.multiplyExact(lives * size.lanes(), size.sends() + size.slots());
    require(size.sends(), "requests to send", device.info().requestsMax());
    require(size.slots(), "messages to receive", device.info().requestsMax());
    require(entries, "completions", device.info().completionsMax());
    this.memory = direct(Math.addExact(size.bytes(), Math.multiplyExact(slots, slotBytes)));
    this.firstSlotAt = size.bytes();
    try {
      this.channel = (NatIbvCompChannel) device.disni().createCompChannel();
      resources.add(() -> verbs.destroyCompChannel(channel));
      this.completionQueue = (NatIbvCQ) verbs.createCQ(device.disni(), channel, entries, 0);
      resources.add(() -> verbs.destroyCQ(completionQueue));
      this.region = register();
      resources.add(() -> verbs.deregMr(region).execute().free());
      this.wake = Verbs.createWake();
      resources.add(() -> Verbs.destroyWake(wake));
    } catch (IOException e) {
      resources.closeAfter(e);
      throw e;
    }
    this.channelId = channel.getObjId();
    this.completionQueueId = completionQueue.getObjId();
    this.regionId = region.getObjId();
    this.lanes = new Lane[size.lanes()];
    Lane.Ring ring = new Lane.Ring(firstSlotAt, slotBytes, roomBytes, regionId);
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = new Lane(i, size.sends(), size.slots(), ring);
    }
  }

  /** Memory for native calls. */
  static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  private void require(int wanted, String what, int most) throws IOException {
    if (wanted > most) {
      throw new IOException(
          device
              + " has room for "
              + most
              + " "
              + what
              + ", and "
              + wanted
              + " are wanted: ask for fewer for each peer");
    }
  }

  private NatIbvMr register() throws IOException {
    try {
      IbvMr registered =
          verbs
              .regMr(device.domain(), memory, IbvMr.IBV_ACCESS_LOCAL_WRITE)
              .execute()
              .free()
              .getMr();
      return (NatIbvMr) registered;
    } catch (IOException e) {
      throw new IOException(
          memory.capacity()
              + " bytes cannot be registered; a process may lock "
              + Verbs.memoryLockLimit()
              + " (ulimit -l): "
              + e.getMessage(),
          e);
    }
  }

  /**
   * What opens queue pairs: told how many requests and bytes there are to be, says what there are.
   */
  @FunctionalInterface
  interface Opener {
    long open(ByteBuffer caps) throws IOException;
  }

  /** Begins a lane with as many bytes in a request as the device has room for. */
  void begin(Lane lane, Size size, Opener opener) throws IOException {
    ByteBuffer caps = direct(CAPS * Integer.BYTES);
    IOException reason = null;
    for (int inline : INLINE_BYTES) {
      caps.clear().putInt(size.sends()).putInt(size.slots()).putInt(PIECES).putInt(inline);
      long opened;
      try {
        opened = opener.open(caps);
      } catch (IOException e) {
        // A device that has less room for bytes in a request refuses: it is asked for less.
        reason = e;
        continue;
      }
      // Or it does not refuse, and says that it has less.
      lane.begin(opened, caps.getInt((CAPS - 1) * Integer.BYTES));
      return;
    }
    throw reason;
  }

  /**
   * Another completion queue, for whose events {@link #await} waits as well; closed before this.
   */
  NatIbvCQ createCompletions(int entries) throws IOException {
    require(entries, "completions", device.info().completionsMax());
    return (NatIbvCQ) verbs.createCQ(device.disni(), channel, entries, 0);
  }

  // --- what differs ------------------------------------------------------------------------------

  /** The lane of messages to a peer, and from it. */
  abstract int laneOf(int peer);

  /** What peers are to be told of where they find this, beside the device's address. */
  abstract PeerHello.Place place();

  /**
   * A peer has said where it is, and messages from it are to bear a number.
   *
   * @return what {@link Destination#handle} is to answer
   * @throws IOException if there is no way there
   */
  abstract long meet(int peer, PeerHello hello, int connection) throws IOException;

  /** The peer knows as well; again and again. */
  abstract void join(int peer, long now);

  /** Nothing is to go to a peer, or to come from it, before it is met again. */
  abstract void leave(int peer);

  /** Whether messages can go to a peer that was met and joined. */
  abstract boolean isOpen(int peer);

  /** Whether the device waits for the peer for so long that nothing can be getting through. */
  abstract boolean isSilent(int peer, long now);

  /** Whether the peer waits for a first message, whatever it says. */
  abstract boolean isToSpeak(int peer);

  /** Looks after what is not done by requests; now and then. */
  abstract void control(long now);

  /** Whether a message of this source can be from there. */
  abstract boolean isOf(Destination sender, int source);

  /** What a completed message says of its source. */
  abstract int source(int slot, int remoteQueue);

  /** The number of a queue pair of a lane, or what else its requests go by. */
  abstract long target(Lane lane, Destination to);

  /** Posts a batch; what could not be posted is a fault of its lane. */
  abstract void post(ByteBuffer batch, int count) throws IOException;

  /** Queue pairs that have failed are replaced by others; what was under way is lost. */
  abstract void renew() throws IOException;

  /** Who has come to this and was refused, so far. */
  abstract long strangers();

  /** Gives the queue pairs back. */
  abstract void closeQueues() throws IOException;

  // --- what it is --------------------------------------------------------------------------------

  RdmaDevice device() {
    return device;
  }

  NatIbvCQ completionQueue() {
    return completionQueue;
  }

  long completionQueueId() {
    return completionQueueId;
  }

  long regionId() {
    return regionId;
  }

  Lane lane(int index) {
    return lanes[index];
  }

  int lanes() {
    return lanes.length;
  }

  /** What peers must know to be heard. */
  int key() {
    return key;
  }

  /** All memory, the part to send from first. */
  ByteBuffer memory() {
    return memory;
  }

  /** Bytes of a message at most. */
  final int messageBytesMax() {
    return device.info().mtuBytes();
  }

  /** Where the content of a message begins in the memory. */
  int slotAt(int slot) {
    return firstSlotAt + slot * slotBytes + prefixBytes;
  }

  int slots() {
    return slots;
  }

  int slotsOfLane() {
    return slots / lanes.length;
  }

  /** How often the native library was called to send what had gathered, so far. */
  long sendCalls() {
    return sendCalls;
  }

  /** How often it was called to take what had completed, so far. */
  long takeCalls() {
    return takeCalls;
  }

  /** What has gone wrong, so that nothing is sent or received any more; null if nothing has. */
  String fault() {
    return broken != null || !isShared ? broken : lanes[0].fault();
  }

  /** What has gone wrong with the way to a peer; null if nothing has. */
  String fault(int peer) {
    return broken != null ? broken : lanes[laneOf(peer)].fault();
  }

  // --- sending -----------------------------------------------------------------------------------

  /** Whether so many requests can be made. */
  boolean hasRoom(int peer, int count) {
    return lanes[laneOf(peer)].hasRoom(count);
  }

  boolean isInline(int peer, int bytes) {
    return lanes[laneOf(peer)].isInline(bytes);
  }

  /** Whether the memory of a request can be filled anew. */
  boolean isFree(long request, boolean inline) {
    return lanes[Lane.indexOf(request)].isFree(request, inline);
  }

  /**
   * Makes a request to send a header and a content from the memory. The header may contain all,
   * with no content.
   *
   * @param signals whether its completion should be told of soon
   * @return its number
   */
  long send(
      Destination to,
      int headerAt,
      int headerBytes,
      int contentAt,
      int contentBytes,
      boolean signals) {
    if (requested == Lane.BATCH) {
      flush();
    }
    Lane lane = lanes[laneOf(to.peer())];
    long number = lane.make(signals);
    int at = requested++ * Verbs.DATAGRAM_BYTES;
    int flags =
        (lane.isSignalled() ? Verbs.SIGNALLED : 0)
            | (lane.isInline(headerBytes + contentBytes) ? Verbs.INLINE : 0);
    requests
        .putLong(at, target(lane, to))
        .putLong(at + Verbs.DATAGRAM_ID, number)
        .putInt(at + Verbs.DATAGRAM_REMOTE_QUEUE, to.queue())
        .putInt(at + Verbs.DATAGRAM_REMOTE_KEY, to.key())
        .putInt(at + Verbs.DATAGRAM_HEADER_AT, headerAt)
        .putInt(at + Verbs.DATAGRAM_HEADER_BYTES, headerBytes)
        .putInt(at + Verbs.DATAGRAM_CONTENT_AT, contentAt)
        .putInt(at + Verbs.DATAGRAM_CONTENT_BYTES, contentBytes)
        .putInt(at + Verbs.DATAGRAM_FLAGS, flags);
    return number;
  }

  /** Posts what has gathered. */
  void flush() {
    if (requested == 0) {
      return;
    }
    int count = requested;
    requested = 0;
    for (Lane lane : lanes) {
      lane.onPosted();
    }
    sendCalls++;
    try {
      post(requests, count);
    } catch (IOException e) {
      breakDown(e.getMessage());
    }
  }

  /** What has gathered is not sent, and what has completed not looked at. */
  void drop() throws IOException {
    requested = 0;
    completed = 0;
    next = 0;
    int left = Lane.BATCH;
    while (left == Lane.BATCH) {
      left = Verbs.pollCompletions(completionQueueId, completions, Lane.BATCH);
    }
  }

  // --- receiving ---------------------------------------------------------------------------------

  /**
   * Takes what has completed.
   *
   * @return how many messages were handed over
   */
  int poll(Receiver receiver, int most) {
    int received = 0;
    if (next == completed) {
      take();
    }
    while (next < completed && received < most) {
      int at = next++ * Verbs.COMPLETION_BYTES;
      long id = completions.getLong(at);
      int status = completions.getInt(at + Verbs.COMPLETION_STATUS);
      if (!Lane.isReceived(id)) {
        Lane lane = lanes[Lane.indexOf(id)];
        if (lane.onDone(id) && status != Verbs.STATUS_SUCCESS) {
          lane.fail(reason("a message could not be sent: ", status));
        }
        continue;
      }
      int slot = Lane.slotOf(id);
      Lane lane = lanes[slot / slotsOfLane()];
      if (!lane.isPresent(id)) {
        continue;
      }
      if (status != Verbs.STATUS_SUCCESS) {
        lane.fail(reason("nothing could be received: ", status));
        continue;
      }
      received++;
      // Given back whatever the receiver does: it may throw.
      lane.onReceived(slot);
      receiver.onMessage(
          slot,
          completions.getInt(at + Verbs.COMPLETION_LENGTH) - prefixBytes,
          source(slot, completions.getInt(at + Verbs.COMPLETION_SOURCE)));
    }
    return received;
  }

  private void take() {
    next = 0;
    completed = 0;
    if (fault() == null) {
      takeCalls++;
      try {
        completed = Verbs.pollCompletions(completionQueueId, completions, Lane.BATCH);
      } catch (IOException e) {
        breakDown(e.getMessage());
      }
    }
  }

  private static String reason(String what, int status) {
    return status == Verbs.STATUS_FLUSHED
        ? "it has stopped"
        : what + IbvWC.IbvWcStatus.valueOf(status);
  }

  /** Posts places that were taken from, where that is worth a call. */
  void giveBackSome(boolean isIdle) {
    for (Lane lane : lanes) {
      lane.giveBackSome(isIdle);
    }
  }

  /** Whether all places for messages from a peer are posted. */
  boolean isGivenBack(int peer) {
    return lanes[laneOf(peer)].isGivenBack();
  }

  // --- waiting -----------------------------------------------------------------------------------

  /** After this, whatever completes ends the next {@link #await}. */
  void requestEvent() {
    if (!eventRequested && fault() == null) {
      try {
        Verbs.requestEvent(completionQueueId);
        eventRequested = true;
      } catch (IOException e) {
        breakDown(e.getMessage());
      }
    }
  }

  /** Waits for a completion or {@link #wakeUp}. */
  void await(long nanosMax) {
    try {
      if ((Verbs.await(channelId, wake, nanosMax) & 1) != 0) {
        eventRequested = false;
      }
    } catch (IOException e) {
      breakDown(e.getMessage());
    }
  }

  /** Ends the present or the next {@link #await}; any thread may call this. */
  void wakeUp() {
    try {
      Verbs.wake(wake);
    } catch (IOException e) {
      throw new IllegalStateException("A worker cannot be woken: " + e.getMessage(), e);
    }
  }

  // --- the end, and a new beginning --------------------------------------------------------------

  /** What is under way ends with an error, and nothing goes in or out any more. */
  void stop() throws IOException {
    for (Lane lane : lanes) {
      if (lane.queue() != 0) {
        Verbs.stopQueue(lane.queue());
      }
    }
  }

  /** Nothing goes in or out any more. */
  void breakDown(String reason) {
    broken = broken == null ? reason : broken;
  }

  /** All begins anew. */
  void mend() {
    broken = null;
  }

  /** Gives all back, as it could not be opened. */
  final void closeAfter(IOException reason) {
    resources.add(this::closeQueues);
    resources.closeAfter(reason);
  }

  @Override
  public void close() throws IOException {
    // Before what they were made of.
    resources.add(this::closeQueues);
    resources.close();
  }
}
