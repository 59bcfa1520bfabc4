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
 * A queue pair for datagrams with the registered memory that it sends from and receives into. Of
 * the thread that has made it, but for {@link #wakeUp}.
 *
 * <p>Requests to send gather until {@link #flush}, which posts them with one call. They complete in
 * the order in which they were made; only those that are signalled say so, which tells of all
 * before them. Requests to receive are always posted, one for each place in the ring, and given
 * back a few at a time.
 */
final class DatagramQueue implements AutoCloseable {
  private static final int BATCH = 64;
  private static final int GIVEN_BACK_AT_ONCE = 8;
  private static final int SIGNAL_EVERY = 32;
  private static final int CAPS = 4;
  private static final int PIECES = 2;
  private static final int[] INLINE_BYTES = {256, 128, 64, 0};
  private static final long RECEIVED = 1L << 62;

  /** Is given what has arrived. */
  interface Receiver {
    /**
     * A datagram; its memory is the queue's again when this returns.
     *
     * @param slot the place in the ring
     */
    void onDatagram(int slot, int bytes, int sourceQueue);
  }

  private final RdmaDevice device;
  private final RdmaVerbs verbs;
  private final int key;
  private final int sendsMax;
  private final int slots;
  private final int slotBytes;
  private final int datagramBytesMax;
  private final int firstSlotAt;

  private final NatIbvCompChannel channel;
  private final NatIbvCQ completionQueue;
  private final ByteBuffer memory;
  private final NatIbvMr region;
  private final long wake;
  private final long regionId;
  private final long completionQueueId;
  private final long channelId;

  private long queue;
  private int number;
  private int inlineBytesMax;

  private final ByteBuffer requests = direct(BATCH * Verbs.DATAGRAM_BYTES);
  private final ByteBuffer receives = direct(BATCH * Verbs.RECEIVE_BYTES);
  private final ByteBuffer completions = direct(BATCH * Verbs.COMPLETION_BYTES);

  private int requested;
  private int toGiveBack;
  private int completed;
  private int next;

  /** Requests are numbered from 1. */
  private long made;

  private long posted;
  private long done;
  private long signalled;
  private long sendCalls;
  private long takeCalls;
  private boolean eventRequested;
  private String fault;

  /**
   * Opens one.
   *
   * @param sendsMax requests that can be under way
   * @param slots datagrams that can be waiting to be taken
   * @param bytes of memory to send from; what is received goes behind it
   */
  DatagramQueue(RdmaDevice device, int sendsMax, int slots, int bytes) throws IOException {
    this.device = device;
    this.verbs = RdmaVerbs.open();
    this.key = new SecureRandom().nextInt() & Integer.MAX_VALUE;
    this.sendsMax = sendsMax;
    this.slots = slots;
    this.datagramBytesMax = device.info().mtuBytes();
    this.slotBytes = (Verbs.ROUTING_HEADER_BYTES + datagramBytesMax + 63) / 64 * 64;
    require(sendsMax, "requests to send", device.info().requestsMax());
    require(slots, "datagrams to receive", device.info().requestsMax());
    require(sendsMax + slots, "completions", device.info().completionsMax());
    this.memory = direct(Math.addExact(bytes, Math.multiplyExact(slots, slotBytes)));
    this.firstSlotAt = bytes;
    this.channel = (NatIbvCompChannel) device.disni().createCompChannel();
    this.channelId = channel.getObjId();
    this.completionQueue = (NatIbvCQ) verbs.createCQ(device.disni(), channel, sendsMax + slots, 0);
    this.completionQueueId = completionQueue.getObjId();
    this.region = registerOrClose();
    this.regionId = region.getObjId();
    this.wake = Verbs.createWake();
    try {
      create();
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private NatIbvMr registerOrClose() throws IOException {
    try {
      return register();
    } catch (IOException e) {
      verbs.destroyCQ(completionQueue);
      verbs.destroyCompChannel(channel);
      throw e;
    }
  }

  private static ByteBuffer direct(int bytes) {
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

  private void create() throws IOException {
    queue = createQueue();
    number = Verbs.queueNumber(queue);
    postAll();
  }

  private long createQueue() throws IOException {
    ByteBuffer caps = direct(CAPS * Integer.BYTES);
    IOException reason = null;
    for (int inline : INLINE_BYTES) {
      caps.clear().putInt(sendsMax).putInt(slots).putInt(PIECES).putInt(inline);
      try {
        long created =
            Verbs.createDatagramQueue(
                device.domain().getObjId(), completionQueueId, device.port(), key, caps);
        inlineBytesMax = caps.getInt((CAPS - 1) * Integer.BYTES);
        return created;
      } catch (IOException e) {
        // A device that has less room for bytes in a request refuses: it is asked for less.
        reason = e;
      }
    }
    throw reason;
  }

  private void postAll() throws IOException {
    toGiveBack = 0;
    for (int slot = 0; slot < slots; slot++) {
      giveBack(slot);
      if (toGiveBack == BATCH) {
        giveBackAll();
      }
    }
    giveBackAll();
  }

  /**
   * Another completion queue, for whose events {@link #await} waits as well; closed before this.
   */
  NatIbvCQ createCompletions(int entries) throws IOException {
    require(entries, "completions", device.info().completionsMax());
    return (NatIbvCQ) verbs.createCQ(device.disni(), channel, entries, 0);
  }

  // --- what it is --------------------------------------------------------------------------------

  /** What peers send to. */
  int number() {
    return number;
  }

  /** What they must know to be heard. */
  int key() {
    return key;
  }

  /** All memory, the part to send from first. */
  ByteBuffer memory() {
    return memory;
  }

  /** Where the content of a datagram begins in the memory. */
  int slotAt(int slot) {
    return firstSlotAt + slot * slotBytes + Verbs.ROUTING_HEADER_BYTES;
  }

  int slots() {
    return slots;
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
    return fault;
  }

  // --- sending -----------------------------------------------------------------------------------

  /** Whether so many requests can be made. */
  boolean hasRoom(int count) {
    return made - done + count <= sendsMax;
  }

  boolean isInline(int bytes) {
    return bytes <= inlineBytesMax;
  }

  /** Whether the memory of a request can be filled anew. */
  boolean isFree(long request, boolean inline) {
    return request <= (inline ? posted : done);
  }

  /** Where datagrams go. */
  interface Destination {
    long addressHandle();

    int queue();

    int key();
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
    if (requested == BATCH) {
      flush();
    }
    made++;
    boolean tells = signals || made - signalled >= SIGNAL_EVERY;
    if (tells) {
      signalled = made;
    }
    int at = requested++ * Verbs.DATAGRAM_BYTES;
    int flags =
        (tells ? Verbs.SIGNALLED : 0) | (isInline(headerBytes + contentBytes) ? Verbs.INLINE : 0);
    requests
        .putLong(at, to.addressHandle())
        .putLong(at + Verbs.DATAGRAM_ID, made)
        .putInt(at + Verbs.DATAGRAM_REMOTE_QUEUE, to.queue())
        .putInt(at + Verbs.DATAGRAM_REMOTE_KEY, to.key())
        .putInt(at + Verbs.DATAGRAM_HEADER_AT, headerAt)
        .putInt(at + Verbs.DATAGRAM_HEADER_BYTES, headerBytes)
        .putInt(at + Verbs.DATAGRAM_CONTENT_AT, contentAt)
        .putInt(at + Verbs.DATAGRAM_CONTENT_BYTES, contentBytes)
        .putInt(at + Verbs.DATAGRAM_FLAGS, flags);
    return made;
  }

  /** Posts what has gathered. */
  void flush() {
    if (requested == 0) {
      return;
    }
    int count = requested;
    requested = 0;
    posted = made;
    sendCalls++;
    try {
      int taken = Verbs.postDatagrams(queue, regionId, requests, count);
      if (taken < count) {
        fault = "the device takes fewer requests than it said: " + taken + " of " + count;
      }
    } catch (IOException e) {
      fault = e.getMessage();
    }
  }

  // --- receiving ---------------------------------------------------------------------------------

  /**
   * Takes what has completed.
   *
   * @return how many datagrams were handed over
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
      if (status != Verbs.STATUS_SUCCESS) {
        onError(id, status);
      } else if ((id & RECEIVED) == 0) {
        done = Math.max(done, id);
      } else {
        int slot = (int) id;
        received++;
        // Given back whatever the receiver does: it may throw.
        if (toGiveBack == BATCH) {
          giveBackSome(true);
        }
        giveBack(slot);
        receiver.onDatagram(
            slot,
            completions.getInt(at + Verbs.COMPLETION_LENGTH) - Verbs.ROUTING_HEADER_BYTES,
            completions.getInt(at + Verbs.COMPLETION_SOURCE));
      }
    }
    return received;
  }

  private void take() {
    next = 0;
    completed = 0;
    if (fault == null) {
      takeCalls++;
      try {
        completed = Verbs.pollCompletions(completionQueueId, completions, BATCH);
      } catch (IOException e) {
        fault = e.getMessage();
      }
    }
  }

  private void onError(long id, int status) {
    if (fault == null) {
      fault =
          status == Verbs.STATUS_FLUSHED
              ? "it has stopped"
              : (id & RECEIVED) == 0
                  ? "a datagram could not be sent: " + IbvWC.IbvWcStatus.valueOf(status)
                  : "nothing could be received: " + IbvWC.IbvWcStatus.valueOf(status);
    }
  }

  private void giveBack(int slot) {
    int at = toGiveBack++ * Verbs.RECEIVE_BYTES;
    receives
        .putLong(at, RECEIVED | slot)
        .putInt(at + Verbs.RECEIVE_AT, firstSlotAt + slot * slotBytes)
        .putInt(at + Verbs.RECEIVE_LENGTH, Verbs.ROUTING_HEADER_BYTES + datagramBytesMax);
  }

  /**
   * Posts memory that was taken from, if that is worth a call.
   *
   * @return whether all of it is posted now
   */
  boolean giveBackSome(boolean isIdle) {
    if (toGiveBack >= GIVEN_BACK_AT_ONCE || isIdle) {
      try {
        giveBackAll();
      } catch (IOException e) {
        fault = e.getMessage();
      }
    }
    return toGiveBack == 0;
  }

  private void giveBackAll() throws IOException {
    if (toGiveBack == 0) {
      return;
    }
    int count = toGiveBack;
    toGiveBack = 0;
    int given = Verbs.postReceives(queue, regionId, receives, count);
    if (given < count) {
      throw new IOException("ibv_post_recv: took " + given + " of " + count + " places");
    }
  }

  // --- waiting -----------------------------------------------------------------------------------

  /** After this, whatever completes ends the next {@link #await}. */
  void requestEvent() {
    if (!eventRequested && fault == null) {
      try {
        Verbs.requestEvent(completionQueueId);
        eventRequested = true;
      } catch (IOException e) {
        fault = e.getMessage();
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
      fault = e.getMessage();
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
    Verbs.stopQueue(queue);
  }

  /** Another queue pair takes its place; what was under way is lost. */
  void renew() throws IOException {
    Verbs.destroyQueue(queue);
    queue = 0;
    // What the old one has left must not be taken for the new one's.
    int left = BATCH;
    while (left == BATCH) {
      left = Verbs.pollCompletions(completionQueueId, completions, BATCH);
    }
    completed = 0;
    next = 0;
    requested = 0;
    posted = made;
    done = made;
    signalled = made;
    fault = null;
    create();
  }

  @Override
  public void close() throws IOException {
    if (queue != 0) {
      Verbs.destroyQueue(queue);
      queue = 0;
    }
    verbs.deregMr(region).execute().free();
    verbs.destroyCQ(completionQueue);
    verbs.destroyCompChannel(channel);
    Verbs.destroyWake(wake);
  }
}
