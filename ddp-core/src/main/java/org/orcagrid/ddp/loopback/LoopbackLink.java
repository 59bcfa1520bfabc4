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
package org.orcagrid.ddp.loopback;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One direction between two workers: a bounded ring of packets with one producer and one consumer.
 * When it is full the producer gets no buffer; nothing is lost.
 */
final class LoopbackLink {
  private static final VarHandle SENT;
  private static final VarHandle TAKEN;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      SENT = lookup.findVarHandle(LoopbackLink.class, "sent", long.class);
      TAKEN = lookup.findVarHandle(LoopbackLink.class, "taken", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int packetBytes;

  /** Made when they are needed first: most links need few of them. */
  private final ByteBuffer[] packets;

  private final int[] lengths;
  private final int mask;

  // Written by the producer and by the consumer, each its own.
  private long sent;
  private long taken;

  LoopbackLink(int capacity, int packetBytes) {
    this.packetBytes = packetBytes;
    this.packets = new ByteBuffer[capacity];
    this.lengths = new int[capacity];
    this.mask = capacity - 1;
  }

  ByteBuffer claim() {
    if (sent - (long) TAKEN.getAcquire(this) > mask) {
      return null;
    }
    int at = (int) sent & mask;
    if (packets[at] == null) {
      packets[at] = ByteBuffer.allocateDirect(packetBytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    return packets[at];
  }

  /** Whether more than half of it is in use; for the producer. */
  boolean isCrowded() {
    return sent - (long) TAKEN.getAcquire(this) > mask / 2;
  }

  void send(int length) {
    lengths[(int) sent & mask] = length;
    SENT.setRelease(this, sent + 1);
  }

  /** The next packet, null if there is none; it is the consumer's until {@link #release}. */
  ByteBuffer peek() {
    return taken == (long) SENT.getAcquire(this) ? null : packets[(int) taken & mask];
  }

  int peekLength() {
    return lengths[(int) taken & mask];
  }

  void release() {
    TAKEN.setRelease(this, taken + 1);
  }
}
