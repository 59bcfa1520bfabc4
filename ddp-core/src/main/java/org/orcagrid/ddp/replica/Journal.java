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
package org.orcagrid.ddp.replica;

import java.util.ArrayDeque;
import java.util.Deque;

/** What was handed to the durable medium, and what is to be done when it is durable, in order. */
final class Journal {
  private final Effects effects;
  private final Deque<Pending> pending = new ArrayDeque<>();

  /** Of all records so far. */
  private long bytes;

  private long appended;
  private long durable;

  private record Pending(long position, Runnable durable) {}

  Journal(Effects effects) {
    this.effects = effects;
  }

  /** Persists a record for somebody who waits; its position. */
  long persist(LogRecord record, Runnable whenDurable) {
    pending.add(new Pending(append(record, true), whenDurable));
    return appended;
  }

  /** Persists a record some time. */
  void persistLater(LogRecord record) {
    append(record, false);
  }

  /** Does something when all that was handed over so far is durable, and what waits for it done. */
  void afterAll(Runnable what) {
    if (pending.isEmpty() && isDurable(appended)) {
      what.run();
    } else {
      pending.add(new Pending(appended, what));
    }
  }

  private long append(LogRecord record, boolean eager) {
    bytes += LogCodec.bytes(record);
    appended = effects.persist(record, eager);
    return appended;
  }

  /** No record before this position is needed any more. */
  void trim(long position) {
    effects.trim(position);
  }

  /** Everything up to a position is durable. */
  void onDurable(long position) {
    durable = Math.max(durable, position);
    while (!pending.isEmpty() && pending.peek().position() <= position) {
      pending.poll().durable().run();
    }
  }

  /** The bytes of all records so far. */
  long bytes() {
    return bytes;
  }

  /** The position of the last record. */
  long appended() {
    return appended;
  }

  boolean isDurable(long position) {
    return position <= durable;
  }
}
