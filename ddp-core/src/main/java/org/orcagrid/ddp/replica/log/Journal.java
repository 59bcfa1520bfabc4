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
package org.orcagrid.ddp.replica.log;

import java.util.ArrayDeque;
import java.util.Deque;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.model.Persistency;

/**
 * What was handed to the durable medium, and what is to be done when it is durable, in order. One
 * of a map in memory only keeps nothing: what would wait for the medium is done at once.
 */
public final class Journal {
  /** Null if nothing is kept. */
  private final LogMedium medium;

  private final Deque<Pending> pending = new ArrayDeque<>();

  private long appended;
  private long durable;

  /** Nothing before this position is needed. */
  private long trimmed;

  private record Pending(long position, Runnable durable) {}

  /** A journal on a medium. */
  public Journal(LogMedium medium) {
    this.medium = medium;
  }

  /** The journal of a map of this persistency, on a medium if it has one. */
  public static Journal of(Persistency persistency, LogMedium medium) {
    return new Journal(persistency.isOnMedium() ? medium : null);
  }

  /** Persists a record for somebody who waits; its position. */
  public long persist(LogRecord record, Runnable whenDurable) {
    if (medium == null) {
      whenDurable.run();
      return appended;
    }
    pending.add(new Pending(append(record, true), whenDurable));
    return appended;
  }

  /** Persists a record some time. */
  public void persistLater(LogRecord record) {
    append(record, false);
  }

  /** Does something when all that was handed over so far is durable, and what waits for it done. */
  public void afterAll(Runnable what) {
    if (pending.isEmpty() && isDurable(appended)) {
      what.run();
    } else {
      pending.add(new Pending(appended, what));
    }
  }

  private long append(LogRecord record, boolean eager) {
    if (medium != null) {
      appended = medium.persist(record, eager);
    }
    return appended;
  }

  /** No record before this position is needed any more; so many bytes from there on are live. */
  void trim(long position, long live) {
    trimmed = position;
    if (medium != null) {
      medium.trim(position, live);
    }
  }

  /** Everything up to a position is durable. */
  public void onDurable(long position) {
    durable = Math.max(durable, position);
    while (!pending.isEmpty() && pending.peek().position() <= position) {
      pending.poll().durable().run();
    }
  }

  /** The position of the last record. */
  public long appended() {
    return appended;
  }

  /** Whether everything up to a position is durable. */
  public boolean isDurable(long position) {
    return position <= durable;
  }

  /** The position before which nothing is needed any more. */
  long trimmed() {
    return trimmed;
  }

  /** What is durable was done, what waits does so in order, and nothing is trimmed too early. */
  public void checkInvariants() {
    long before = durable;
    for (Pending each : pending) {
      Invariant.check(
          each.position() > durable && each.position() >= before,
          "what waits for the medium is not durable, and in order",
          "position",
          each.position(),
          "durable",
          durable);
      before = each.position();
    }
    Invariant.check(
        trimmed <= durable,
        "what is behind a trimmed part is durable",
        "trimmed",
        trimmed,
        "durable",
        durable);
  }
}
