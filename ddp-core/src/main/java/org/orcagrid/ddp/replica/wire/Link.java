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
import java.util.function.Consumer;
import org.orcagrid.ddp.Invariant;

/**
 * Messages between this node and one other, in order and once, over packets that promise nothing:
 * numbered, acknowledged by how many have come, and sent again from the first that is missing. What
 * overtakes others is kept until it is its turn: where packets overtake each other, those that are
 * sent again do, too, and most of what is sent would be sent again for ever.
 *
 * <p>A packet costs both sides more than a small message in it. So a message that {@link
 * ReplicaMessage#mayWait} travels with the next packet, and so does an acknowledgement that the
 * other side does not wait for. They wait {@link #PATIENCE_NANOS_MAX} at most, and not at all while
 * operations wait at the other side.
 *
 * <p>A link is between two lives of two nodes. When one of them has another life, what was under
 * way is forgotten: whoever has used the link knows from the view.
 */
public final class Link {
  private static final int MESSAGES_OF_A_PACKET = 32;

  /** What is sent ahead of acknowledgements, a power of two; the rest waits. */
  private static final int WINDOW = 1024;

  /** How long a message waits at most for others; less where the resend time-out is short. */
  private static final long PATIENCE_NANOS_MAX = 1_000_000;

  private static final int PATIENCE_OF_RESEND = 8;

  /** After so many messages an acknowledgement is sent at once, before the window is full. */
  private static final int UNANSWERED_MAX = WINDOW / 4;

  /** What was not acknowledged, or is not told of yet: from {@code waiting.first()} on. */
  private final MessageRing waiting = new MessageRing();

  /** The first that was not acknowledged: what is sent again begins there. */
  private long acknowledged;

  /** The life of the other node; 0 while it has none. */
  private int peer;

  /** The first that was not sent yet. */
  private long unsent;

  private long received;

  /** What has come and not had its turn, by its number; null until anything comes. */
  private ReplicaMessage[] early;

  /**
   * How many have had their turn at the other side, to be told of when so many of its messages have
   * had theirs here; and the same of the newest packet, which comes next.
   */
  private long arrived;

  private long arrivedBehind;
  private long newest;
  private long newestBehind;

  /** Whether an acknowledgement is due, and whether it is due at once. */
  private boolean answers;

  private boolean answersNow;

  /** How many messages the last acknowledgement was for. */
  private long answered;

  /** Behind the last message that does not wait for others. */
  private long urgentEnd;

  /** Whether operations at the other side wait. */
  private boolean hurried;

  /** Whether something waits for other messages, and since when. */
  private boolean waits;

  private long waitsSinceNanos;

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
    acknowledged = 0;
    arrived = 0;
    arrivedBehind = 0;
    newest = 0;
    newestBehind = 0;
    unsent = 0;
    received = 0;
    early = null;
    answers = false;
    answersNow = false;
    answered = 0;
    urgentEnd = 0;
    hurried = false;
    waits = false;
    progressed = false;
    heard = false;
  }

  void add(ReplicaMessage message) {
    waiting.add(message);
    if (!message.mayWait()) {
      urgentEnd = waiting.end();
    }
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
    return acknowledged;
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

  /**
   * An acknowledgement is due.
   *
   * @param now whether the other side waits for it
   */
  public void answer(boolean now) {
    answers = true;
    answersNow |= now || received - answered >= UNANSWERED_MAX;
  }

  /** Says whether operations wait at the other side. While they do, no message waits here. */
  public void hurried(boolean isHurried) {
    hurried = isHurried;
  }

  /**
   * So many have had their turn at the other side. If it has just begun to talk, it was not there
   * yet when what it has not got was sent: that is sent again at once.
   *
   * @param behind how many messages the other side had for this link when it said so
   */
  public void acknowledged(long count, long behind) {
    if (!heard) {
      heard = true;
      unsent = acknowledged;
    }
    long known = Math.min(count, waiting.end());
    if (known > acknowledged) {
      acknowledged = known;
      progressed = true;
    }
    unsent = Math.max(unsent, acknowledged);
    if (known > newest) {
      newest = known;
      newestBehind = behind;
    }
  }

  /**
   * Tells of what has had its turn at the other side, once and in order: as if the other side had
   * said so by a message behind all that it had for this link. To be called when what has come has
   * had its turn here.
   */
  public void tellArrived(Consumer<ReplicaMessage> told) {
    while (true) {
      if (arrived <= waiting.first()) {
        arrived = newest;
        arrivedBehind = newestBehind;
      }
      if (arrived <= waiting.first() || received < arrivedBehind) {
        return;
      }
      while (waiting.first() < arrived) {
        ReplicaMessage first = waiting.get(waiting.first());
        waiting.removeFirst();
        told.accept(first);
      }
    }
  }

  /**
   * What is to be sent now, a list a packet; an empty one says what was received.
   *
   * @param packetBytes of messages in a packet at most, or one message
   */
  List<Batch> takeDue(long nowNanos, long resendNanos, int packetBytes) {
    long first = acknowledged;
    if (progressed) {
      sentNanos = nowNanos;
      progressed = false;
    }
    if (unsent > first && nowNanos - sentNanos >= resendNanos) {
      unsent = first;
      urgentEnd = waiting.end();
    }
    long end = Math.min(waiting.end(), first + WINDOW);
    if (unsent == end && !answers) {
      return List.of();
    }
    if (mayWait(end, nowNanos, resendNanos)) {
      return List.of();
    }
    List<Batch> due = new ArrayList<>(1);
    if (unsent < end) {
      if (unsent == first) {
        sentNanos = nowNanos;
      }
      takeUntil(end, packetBytes, due);
    } else {
      due.add(new Batch(unsent, List.of()));
    }
    answers = false;
    answersNow = false;
    answered = received;
    waits = false;
    return due;
  }

  private boolean mayWait(long end, long nowNanos, long resendNanos) {
    if (answersNow || unsent < urgentEnd || (hurried && unsent < end)) {
      return false;
    }
    if (!waits) {
      waits = true;
      waitsSinceNanos = nowNanos;
    }
    return nowNanos - waitsSinceNanos < patienceNanos(resendNanos);
  }

  private static long patienceNanos(long resendNanos) {
    return Math.min(PATIENCE_NANOS_MAX, resendNanos / PATIENCE_OF_RESEND);
  }

  /** Nanoseconds until a waiting message is sent, or an unacknowledged one again. */
  long nanosToSend(long nowNanos, long resendNanos) {
    long least = Long.MAX_VALUE;
    if (peer != 0 && unsent > acknowledged) {
      least = Math.max(0, resendNanos - (nowNanos - sentNanos));
    }
    if (waits) {
      long left = patienceNanos(resendNanos) - (nowNanos - waitsSinceNanos);
      least = Math.min(least, Math.max(0, left));
    }
    return least;
  }

  private void takeUntil(long end, int packetBytes, List<Batch> due) {
    Batch batch = new Batch(unsent, messages(end));
    int bytes = 0;
    while (unsent < end) {
      ReplicaMessage message = waiting.get(unsent);
      int more = PacketCodec.bytes(message);
      int before = batch.messages().size();
      if (before == MESSAGES_OF_A_PACKET || (before > 0 && bytes + more > packetBytes)) {
        due.add(batch);
        batch = new Batch(unsent, messages(end));
        bytes = 0;
      }
      batch.messages().add(message);
      bytes += more;
      unsent++;
    }
    due.add(batch);
  }

  private List<ReplicaMessage> messages(long end) {
    return new ArrayList<>((int) Math.min(end - unsent, MESSAGES_OF_A_PACKET));
  }

  /** What was sent is here until it is acknowledged, and what has come has had its turn. */
  void checkInvariants() {
    long first = acknowledged;
    Invariant.check(waiting.first() <= first, "what is not acknowledged is not told of");
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
