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
package org.orcagrid.ddp.kite;

import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.wire.Message;

/**
 * What a worker's duty cycle needs of a protocol. All calls are the worker's thread's. A protocol
 * that is not Kite's sends messages of the type {@link org.orcagrid.ddp.wire.MessageType#OTHER}.
 */
public interface ProtocolWorker {

  /** Is told how the operation of a session has ended. */
  @FunctionalInterface
  interface Completions {

    /** The operation that the session has begun last has ended; what came of it is in it. */
    void onCompleted(int slot);
  }

  /** Whether a session has no operation under way. */
  boolean isIdle(int slot);

  /**
   * Begins an operation of a session; it may complete before this returns.
   *
   * @param nowNanos of a clock that never goes back
   * @return false, and nothing was begun, if too much is under way, or the node has not caught up
   *     yet: try again after a poll; or if it {@linkplain #isOver is over}
   */
  boolean begin(int slot, Operation asked, long nowNanos);

  /**
   * Tells the other nodes of a relaxed write of a session that a {@link LocalCopy} has taken.
   *
   * @param key what was written; the worker's until this returns
   * @return false, and nothing was done, if too much is under way: try again after a poll; or if
   *     this is over
   */
  boolean announce(int slot, Bytes key, long nowNanos);

  /** Whether a whole message is one that a node of this grid can have sent. */
  boolean mayBeOurs(Message message);

  /** A whole message from another node, of which {@link #mayBeOurs} holds. */
  void onMessage(int from, Message message, long nowNanos);

  /** Does what the time asks for, and puts what has gathered into the outbox. */
  void poll(long nowNanos);

  /** Whether the node has lost its place to another one: nothing comes of what it does. */
  boolean isOver();

  /** Whether anything is under way that needs {@link #poll} soon. */
  boolean isBusy();

  /** Slow releases so far; any thread. */
  default long slowReleases() {
    return 0;
  }
}
