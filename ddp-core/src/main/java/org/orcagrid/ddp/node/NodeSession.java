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

import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.store.Bytes;

/**
 * A session at a node, be the node in this process or another. Its operations take effect in
 * session order (Kite, section 2.1).
 *
 * <p>To be used by one thread at a time.
 */
public interface NodeSession extends AutoCloseable {

  /** How many more operations can be submitted now. */
  int room();

  /** A request to fill in and {@link #submit}; null if too many are under way. */
  Request next();

  /**
   * Submits the request of {@link #next}.
   *
   * @throws IllegalStateException if the session has ended, saying why
   */
  void submit(Request request);

  /**
   * Takes a request back that was submitted in this use of it ({@link Request#turn}), if it has not
   * begun; any thread.
   *
   * @return whether it was: it ends as not begun then, in its turn. A session of a node in this
   *     process takes nothing back
   */
  default boolean withdraw(Request request, long use) {
    return false;
  }

  /** Whether the calling thread is the one that completes requests: it must not wait for one. */
  boolean isWorker();

  /** What has ended the node, if that is known here; null while it works, or if it was closed. */
  default Throwable failure() {
    return null;
  }

  /** Whether nothing can be submitted any more; any thread. */
  boolean isEnded();

  /** Which keys it is a session of: those of another content, or at another node, are others. */
  Object keys();

  /** Waits until more operations can be submitted; false if the time was over. */
  boolean awaitRoom(long nanosMax);

  /**
   * Waits for a request's end.
   *
   * @return false if the time was over or the thread interrupted: the operation goes on, and those
   *     submitted after it wait for it
   */
  boolean await(Request request, long nanosMax);

  /**
   * A relaxed read, if it can be done at once.
   *
   * @return false if it cannot: submit it
   */
  boolean read(Bytes key, Bytes into);

  /**
   * A relaxed write, if it can be done at once.
   *
   * @return null if it cannot: submit it
   */
  Outcome write(Bytes key, Bytes value);

  /** Gives the session back once everything that was submitted has ended. */
  @Override
  void close();
}
