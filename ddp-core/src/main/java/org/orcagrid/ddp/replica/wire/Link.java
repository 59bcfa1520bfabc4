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
package org.orcagrid.ddp.replica.wire;

import java.util.ArrayList;
import java.util.List;
import org.orcagrid.ddp.Invariant;

/**
 * Messages between this node and one other, in order and once, over packets that promise nothing:
 * numbered, acknowledged by how many have come, and sent again from the first that is missing. What
 * overtakes others is kept until it is its turn: where packets overtake each other, those that are
 * sent again do, too, and most of what is sent would be sent again for ever.
 *
 * <p>A link is between two lives of two nodes. When one of them has another life, what was under
 * way is forgotten: whoever has used the link knows from the view.
 */
public final class Link {
  private static final int MESSAGES_OF_A_PACKET = 32;

  /** What is sent ahead of acknowledgements, a power of two; the rest waits. */
  private static final int WINDOW = 1024;

  /** What was not acknowledged. */
  private final MessageRing waiting = new MessageRing();

  /** The life of the other node; 0 while it has none. */
  private int peer;

  /** The first that was not sent yet. */
  private long unsent;

  private long received;

  /** What has come and not had its turn, by its number; null until anything comes. */
  private ReplicaMessage[] early;

  private boolean answerDue;
  private long sentNanos;

  /** Something was acknowledged since this side looked at the time. */
  private boolean progressed;

  /** Whether anything has come from this life of the other node. */
  private boolean heard;

  int peer() {
    return peer;
  }

  /** The other node has this life from now on. */
  void connect(int incarnation) {
    peer = incarnation;
    waiting.clear();
    unsent = 0;
    received = 0;
    early = null;
    answerDue = false;
    progressed = false;
    heard = false;
  }

  void add(ReplicaMessage message) {
    waiting.add(message);
  }

  /** How many messages are on their way, or have yet to begin. */
  int backlog() {
    return waiting.size();
  }

  /** How many messages were handed to this link, and how many of them have arrived. */
  long sent() {
    return waiting.end();
  }

  long arrived() {
    return waiting.first();
  }

  /** How many messages have come. */
  long received() {
    return received;
  }

  /** A message has come; {@link #next} has it when it is its turn. */
  public void receive(long number, ReplicaMessage message) {
    if (number < received || number >= received + WINDOW) {
      return;
    }
    if (early == null) {
      early = new ReplicaMessage[WINDOW];
    }
    early[place(number)] = message;
  }

  private static int place(long number) {
    return (int) (number & (WINDOW - 1));
  }

  /** The next message in order, once; null if that has not come. */
  public ReplicaMessage next() {
    int place = place(received);
    ReplicaMessage next = early == null ? null : early[place];
    if (next != null) {
      early[place] = null;
      received++;
    }
    return next;
  }

  /** The other side is to be told how many messages have come. */
  public void answer() {
    answerDue = true;
  }

  /**
   * The other side has got so many. If it has just begun to talk, it was not there yet when what it
   * has not got was sent: that is sent again at once.
   */
  public void acknowledged(long count) {
    if (!heard) {
      heard = true;
      unsent = waiting.first();
    }
    while (waiting.first() < count && waiting.size() > 0) {
      waiting.removeFirst();
      progressed = true;
    }
    unsent = Math.max(unsent, waiting.first());
  }

  /**
   * What is to be sent now, a list a packet; an empty one says what was received.
   *
   * @param packetBytes of messages in a packet at most, or one message
   */
  List<Batch> takeDue(long nowNanos, long resendNanos, int packetBytes) {
    long first = waiting.first();
    if (progressed) {
      sentNanos = nowNanos;
      progressed = false;
    }
    if (unsent > first && nowNanos - sentNanos >= resendNanos) {
      unsent = first;
    }
    long end = Math.min(waiting.end(), first + WINDOW);
    if (unsent == end && !answerDue) {
      return List.of();
    }
    List<Batch> due = new ArrayList<>();
    if (unsent < end) {
      if (unsent == first) {
        sentNanos = nowNanos;
      }
      takeUntil(end, packetBytes, due);
    } else {
      due.add(new Batch(unsent, List.of()));
    }
    answerDue = false;
    return due;
  }

  /** Nanoseconds until something is sent again that was not acknowledged. */
  long nanosToResend(long nowNanos, long resendNanos) {
    boolean waits = peer != 0 && unsent > waiting.first();
    return waits ? Math.max(0, resendNanos - (nowNanos - sentNanos)) : Long.MAX_VALUE;
  }

  private void takeUntil(long end, int packetBytes, List<Batch> due) {
    Batch batch = new Batch(unsent, new ArrayList<>());
    int bytes = 0;
    while (unsent < end) {
      ReplicaMessage message = waiting.get(unsent);
      int more = PacketCodec.bytes(message);
      int before = batch.messages().size();
      if (before == MESSAGES_OF_A_PACKET || (before > 0 && bytes + more > packetBytes)) {
        due.add(batch);
        batch = new Batch(unsent, new ArrayList<>());
        bytes = 0;
      }
      batch.messages().add(message);
      bytes += more;
      unsent++;
    }
    due.add(batch);
  }

  /** What was sent is here until it is acknowledged, and what has come has had its turn. */
  void checkInvariants() {
    long first = waiting.first();
    Invariant.check(
        first <= unsent && unsent <= Math.min(waiting.end(), first + WINDOW),
        "what was sent and not acknowledged is kept",
        "first",
        first,
        "unsent",
        unsent);
    Invariant.check(
        early == null || early[place(received)] == null, "whatever has its turn has been taken");
  }

  /** Messages of one packet. */
  record Batch(long first, List<ReplicaMessage> messages) {}
}
