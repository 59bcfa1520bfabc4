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
package org.orcagrid.ddp.node;

import java.nio.ByteBuffer;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;

/**
 * Has what the next few messages or requests will need of the store brought into the processor's
 * caches at the same time. A store is larger than those, its keys are anywhere in it, and a worker
 * otherwise does little but wait for memory.
 */
final class Warmer {
  /** As many as a word of sessions has. */
  private static final int MOST = Long.SIZE;

  /** How many messages at once: more would push out what the first ones have brought in. */
  private static final int MESSAGES = 16;

  private static final int REQUESTS = 16;

  private final ReplicaStore store;
  private final long[] hashes = new long[MOST];
  private int count;

  /** What the loads have come to: without a use they would be left out. */
  @SuppressWarnings("UnusedVariable")
  private long sum;

  Warmer(ReplicaStore store) {
    this.store = store;
  }

  /** Adds what a session has submitted, if that was not done before. */
  void add(RequestQueue requests) {
    long warm = requests.warm();
    for (int i = 0; i < REQUESTS; i++) {
      Request request = requests.at(warm);
      if (request == null) {
        break;
      }
      hashes[count++] = KeyHash.hash(request.key().buffer(), 0, request.key().length());
      if (count == MOST) {
        warm();
      }
      warm++;
    }
    requests.warm(warm);
  }

  /** Has what was added brought in. */
  void warm() {
    // One alone is waited for by whoever needs it.
    if (count > 1) {
      sum = store.warm(hashes, count);
    }
    count = 0;
  }

  /**
   * Has the keys of the messages from {@code begin} brought in.
   *
   * @return where the first message is that was left out
   */
  int warm(Message message, ByteBuffer packet, int begin, int end) {
    int at = begin;
    for (int i = 0; i < MESSAGES && at < end; i++) {
      message.wrap(packet, at);
      if (!message.isWhole(end)) {
        break;
      }
      if (message.keyLength() > 0) {
        hashes[count++] = KeyHash.hash(packet, message.keyAt(), message.keyLength());
      }
      at += message.bytes();
    }
    warm();
    return Math.max(at, begin + 1);
  }
}
