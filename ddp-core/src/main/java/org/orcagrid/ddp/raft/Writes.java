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
package org.orcagrid.ddp.raft;

import java.util.ArrayDeque;

/**
 * What a node has handed to its disk, and the messages that wait for it.
 *
 * <p>Invariant: a message that says something of the disk is sent when all is there that was handed
 * out before it.
 */
final class Writes {
  private final RaftEffects effects;
  private long lastTicket;
  private long persistedTicket;
  private long persistedIndex;
  private final ArrayDeque<Writing> writing = new ArrayDeque<>();
  private final ArrayDeque<Held> held = new ArrayDeque<>();

  /** A record on its way to the disk, and the last entry that is there with it. */
  private static final class Writing {
    private final long ticket;
    private long lastIndex;

    private Writing(long ticket, long lastIndex) {
      this.ticket = ticket;
      this.lastIndex = lastIndex;
    }
  }

  /** A message that waits for the disk. */
  private record Held(long ticket, int to, RaftMessage message) {}

  /** The disk has all entries up to an index. */
  Writes(RaftEffects effects, long persistedIndex) {
    this.effects = effects;
    this.persistedIndex = persistedIndex;
  }

  /**
   * Hands out a record.
   *
   * @param lastEntry the last entry that is on the disk with it, 0 if it has none
   */
  void persist(RaftRecord record, long lastEntry) {
    lastTicket++;
    writing.add(new Writing(lastTicket, lastEntry));
    effects.persist(lastTicket, record);
  }

  /** The record that was handed out last. */
  long lastTicket() {
    return lastTicket;
  }

  boolean isPersisted(long ticket) {
    return persistedTicket >= ticket;
  }

  /** The last entry that is on the disk, with all before it. */
  long persistedIndex() {
    return persistedIndex;
  }

  /** The disk is going to have other entries behind this one. */
  void forget(long last) {
    persistedIndex = Math.min(persistedIndex, last);
    for (Writing each : writing) {
      each.lastIndex = Math.min(each.lastIndex, last);
    }
  }

  void onPersisted(long ticket) {
    while (!writing.isEmpty() && writing.peek().ticket <= ticket) {
      persistedIndex = Math.max(persistedIndex, writing.poll().lastIndex);
    }
    persistedTicket = Math.max(persistedTicket, ticket);
    while (!held.isEmpty() && held.peek().ticket() <= persistedTicket) {
      Held each = held.poll();
      effects.send(each.to(), each.message());
    }
  }

  /** Sends a message when all is on the disk that was handed out by now. */
  void sendPersisted(int to, RaftMessage message) {
    if (isPersisted(lastTicket)) {
      effects.send(to, message);
      return;
    }
    Held last = held.peekLast();
    boolean isSame =
        last != null
            && last.to() == to
            && last.ticket() == lastTicket
            && last.message() instanceof RaftMessage.Appended
            && message instanceof RaftMessage.Appended;
    if (isSame) {
      // The answers to beats do not pile up while the disk stands still.
      held.pollLast();
    }
    held.add(new Held(lastTicket, to, message));
  }
}
