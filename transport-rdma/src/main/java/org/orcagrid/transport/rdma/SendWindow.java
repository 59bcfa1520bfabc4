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

/**
 * How many datagrams a peer has memory for. Counts from the beginning of a connection: what is lost
 * on the way is made good when a later count arrives.
 */
final class SendWindow {
  private static final long STUCK_NANOS = 10_000_000;
  private static final long SILENCE_NANOS_MAX = 2_000_000_000L;

  private final boolean isReliable;
  private int most;
  private long sent;
  private long returned;
  private long heardAt;
  private long askedAt;

  /**
   * A window without memory.
   *
   * @param isReliable whether nothing is lost on the way. Then nobody is asked: a peer says by
   *     itself how far it is, and an ask would want a place that is none of the window's
   */
  SendWindow(boolean isReliable) {
    this.isReliable = isReliable;
  }

  /** A new connection to a peer with memory for {@code most}. */
  void begin(int most, long now) {
    this.most = most;
    sent = 0;
    returned = 0;
    heardAt = now;
    askedAt = now;
  }

  boolean hasRoom(int datagrams) {
    return sent - returned + datagrams <= most;
  }

  boolean isHalfFull() {
    return sent - returned > most / 2;
  }

  /** The number of the datagram that is sent next. */
  long next(long now) {
    boolean was = isHalfFull();
    sent++;
    if (!was && isHalfFull()) {
      // Until now the peer had nothing to say.
      heardAt = now;
    }
    return sent;
  }

  /** The number of the last that was sent. */
  long last() {
    return sent;
  }

  /** The peer has given memory back up to a number. */
  void onReturned(long upTo, long now) {
    if (upTo > returned) {
      returned = Math.min(upTo, sent);
    }
    heardAt = now;
  }

  /** Whether the peer should be asked, since what is missing may be lost. */
  boolean isToBeAsked(long now) {
    boolean waits = now - heardAt < STUCK_NANOS || now - askedAt < STUCK_NANOS;
    if (isReliable || !isHalfFull() || waits) {
      return false;
    }
    askedAt = now;
    return true;
  }

  /** Whether the peer owes an answer for so long that nothing of this can be getting through. */
  boolean isSilent(long now) {
    return isHalfFull() && now - heardAt > SILENCE_NANOS_MAX;
  }
}
