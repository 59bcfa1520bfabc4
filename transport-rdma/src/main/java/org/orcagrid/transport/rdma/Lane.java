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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A queue pair's part of a {@link MessageQueue}: how many requests it has made and done, and the
 * places that it receives into.
 *
 * <p>Requests are counted from 1 and never anew, so that whatever an earlier queue pair has left in
 * the completion queue is known to be old: a request to send by its number, one to receive by its
 * generation.
 */
final class Lane {
  /** Requests of one call. */
  static final int BATCH = 64;

  private static final int GIVEN_BACK_AT_ONCE = 8;
  private static final int SIGNAL_EVERY = 32;
  private static final long RECEIVED = 1L << 62;
  private static final int INDEX_SHIFT = 48;
  private static final long NUMBER_MASK = (1L << INDEX_SHIFT) - 1;
  private static final int GENERATION_SHIFT = 32;
  private static final int GENERATION_MASK = (1 << 30) - 1;

  /** The memory for what is received. */
  record Ring(int at, int slotBytes, int messageBytesMax, long region) {}

  private final int index;
  private final int sendsMax;
  private final int firstSlot;
  private final int slots;
  private final Ring ring;
  private final ByteBuffer receives =
      ByteBuffer.allocateDirect(BATCH * Verbs.RECEIVE_BYTES).order(ByteOrder.nativeOrder());

  private long queue;
  private int generation;
  private int toGiveBack;
  private int inlineBytesMax;
  private boolean heard;
  private long madeBefore;
  private String fault;

  private long made;
  private long posted;
  private long done;
  private long signalled;

  Lane(int index, int sendsMax, int slots, Ring ring) {
    this.index = index;
    this.sendsMax = sendsMax;
    this.firstSlot = index * slots;
    this.slots = slots;
    this.ring = ring;
  }

  /** Which lane a request to send is of. */
  static int indexOf(long id) {
    return (int) (id >>> INDEX_SHIFT);
  }

  static boolean isReceived(long id) {
    return (id & RECEIVED) != 0;
  }

  static int slotOf(long id) {
    return (int) id;
  }

  // --- its queue pair ----------------------------------------------------------------------------

  /** What was under way is lost, and no longer waited for. */
  void end() {
    queue = 0;
    generation = (generation + 1) & GENERATION_MASK;
    toGiveBack = 0;
    posted = made;
    done = made;
    signalled = made;
    heard = false;
    fault = null;
  }

  /**
   * A queue pair that all places are given to.
   *
   * @param inline bytes that a request of it can have
   */
  void begin(long of, int inline) throws IOException {
    queue = of;
    inlineBytesMax = inline;
    madeBefore = made;
    for (int slot = firstSlot; slot < firstSlot + slots; slot++) {
      if (toGiveBack == BATCH) {
        giveBackAll();
      }
      giveBack(slot);
    }
    giveBackAll();
  }

  long queue() {
    return queue;
  }

  /** Whether anything has come since it began. */
  boolean isHeard() {
    return heard;
  }

  /** Whether nothing was sent since it began. */
  boolean isMute() {
    return made == madeBefore;
  }

  String fault() {
    return fault;
  }

  void fail(String reason) {
    if (fault == null) {
      fault = reason;
    }
  }

  // --- sending -----------------------------------------------------------------------------------

  boolean isInline(int bytes) {
    return bytes <= inlineBytesMax;
  }

  boolean hasRoom(int count) {
    return made - done + count <= sendsMax;
  }

  /** The number of the next request; {@link #isSignalled} says whether it is to tell of its end. */
  long make(boolean signals) {
    made++;
    if (signals || made - signalled >= SIGNAL_EVERY) {
      signalled = made;
    }
    return (long) index << INDEX_SHIFT | made;
  }

  boolean isSignalled() {
    return signalled == made;
  }

  void onPosted() {
    posted = made;
  }

  boolean isFree(long id, boolean inline) {
    return (id & NUMBER_MASK) <= (inline ? posted : done);
  }

  /**
   * A request to send has ended, and with it all before.
   *
   * @return whether it is of the present queue pair
   */
  boolean onDone(long id) {
    long number = id & NUMBER_MASK;
    if (number <= done) {
      return false;
    }
    done = number;
    return true;
  }

  /** Whether the end of a request is to be told of. */
  boolean isOwed() {
    return signalled > done;
  }

  long done() {
    return done;
  }

  /** Whether a request is of the present queue pair and has not ended. */
  boolean isUnderWay(long id) {
    return (id & NUMBER_MASK) > done;
  }

  // --- receiving ---------------------------------------------------------------------------------

  /** Whether a request to receive is of the present queue pair. */
  boolean isPresent(long id) {
    return ((int) (id >>> GENERATION_SHIFT) & GENERATION_MASK) == generation;
  }

  /** A message has come into a place, which is the device's again with the next batch. */
  void onReceived(int slot) {
    heard = true;
    giveBack(slot);
  }

  private void giveBack(int slot) {
    if (toGiveBack == BATCH) {
      giveBackSome(true);
    }
    int at = toGiveBack++ * Verbs.RECEIVE_BYTES;
    receives
        .putLong(at, RECEIVED | (long) generation << GENERATION_SHIFT | slot)
        .putInt(at + Verbs.RECEIVE_AT, ring.at() + slot * ring.slotBytes())
        .putInt(at + Verbs.RECEIVE_LENGTH, ring.messageBytesMax());
  }

  /** Posts places that were taken from, if that is worth a call. */
  void giveBackSome(boolean isIdle) {
    if (toGiveBack >= GIVEN_BACK_AT_ONCE || (isIdle && toGiveBack > 0)) {
      try {
        giveBackAll();
      } catch (IOException e) {
        fail(e.getMessage());
      }
    }
  }

  /** Whether all places are posted. */
  boolean isGivenBack() {
    return toGiveBack == 0;
  }

  private void giveBackAll() throws IOException {
    if (toGiveBack == 0) {
      return;
    }
    int count = toGiveBack;
    toGiveBack = 0;
    int given = Verbs.postReceives(queue, ring.region(), receives, count);
    if (given < count) {
      throw new IOException("ibv_post_recv: took " + given + " of " + count + " places");
    }
  }
}
