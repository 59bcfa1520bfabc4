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
package org.orcagrid.ddp.map;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.orcagrid.ddp.replica.Replica;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;

/**
 * A session of a map at a node: its operations are done one after the other, in the order in which
 * they were submitted. Safe for use by many threads, whose operations have some order then.
 */
public final class MapSession implements AutoCloseable {
  private final HostedMap map;

  /** Another session of the same client, null for none. */
  private final MapSession first;

  // Of the worker's thread from here on.

  private ReplicaSession replicaSession;
  private final Deque<Submitted> waiting = new ArrayDeque<>();
  private Submitted current;
  private boolean closed;

  /** What was asked for, and who wants to know what came of it. */
  static final class Submitted {
    private final Function<ReplicaSession, Operation> what;
    private final CompletableFuture<Operation> answer = new CompletableFuture<>();
    private Operation operation;

    private Submitted(Function<ReplicaSession, Operation> what) {
      this.what = what;
    }
  }

  MapSession(HostedMap map, MapSession first) {
    this.map = map;
    this.first = first;
  }

  /**
   * Submits an operation.
   *
   * @param what makes it; called by the thread that does the map's work
   * @return what came of it, completed by that thread, which must not wait for the map: {@link
   *     SessionEndedException} if it is not known and never will be, {@link
   *     java.util.concurrent.RejectedExecutionException} if too much is under way, whatever the
   *     model refuses, and what {@code what} throws
   */
  public CompletableFuture<Operation> submit(Function<ReplicaSession, Operation> what) {
    Submitted submitted = new Submitted(what);
    map.submit(this, submitted);
    return submitted.answer;
  }

  /**
   * Opens another session of the same client, for other keys: a read of all keys in any of them
   * waits for what all of them have written.
   */
  public MapSession openBeside() {
    return new MapSession(map, this);
  }

  /**
   * Whether the session has ended by itself: the map is gone from this node, or this life of the
   * node has ended.
   */
  public boolean isEnded() {
    return map.isEnded();
  }

  /**
   * Gives up the session: what has not begun is not done, and its transaction or scope is given up
   * unless it is decided.
   */
  @Override
  public void close() {
    map.close(this);
  }

  // --- for the worker ----------------------------------------------------------------------------

  /** Takes an operation; the next one to begin, null if another one is under way. */
  Operation take(Submitted submitted, Runnable failed) {
    waiting.add(submitted);
    return current == null ? next(failed) : null;
  }

  /**
   * The next operation to begin, null if there is none; {@code failed} is run for each that whoever
   * submitted it cannot make.
   */
  Operation next(Runnable failed) {
    for (current = waiting.poll(); current != null; current = waiting.poll()) {
      try {
        current.operation = current.what.apply(replicaSession);
        return current.operation;
      } catch (RuntimeException e) {
        failed.run();
        fail(current, e);
      }
    }
    return null;
  }

  /** The operation under way has ended. */
  CompletableFuture<Operation> ended(Operation operation) {
    if (current == null || current.operation != operation) {
      throw new IllegalStateException(operation + " is not under way");
    }
    CompletableFuture<Operation> answer = current.answer;
    current = null;
    return answer;
  }

  /** The operation under way could not be begun. */
  void refused(RuntimeException reason) {
    Submitted refused = current;
    current = null;
    refused.answer.completeExceptionally(reason);
  }

  /** Its session at the replica, which is opened if there is none. */
  ReplicaSession opened(Replica replica) {
    if (replicaSession == null) {
      replicaSession =
          first == null
              ? replica.openSession(null)
              : replica.openSessionBeside(first.opened(replica));
    }
    return replicaSession;
  }

  ReplicaSession replicaSession() {
    return replicaSession;
  }

  boolean isClosed() {
    return closed;
  }

  /** Nothing will come of what is under way; of how many operations that is. */
  int fail(RuntimeException reason) {
    closed = true;
    int failed = waiting.size();
    if (current != null) {
      failed++;
      fail(current, reason);
      current = null;
    }
    for (Submitted each = waiting.poll(); each != null; each = waiting.poll()) {
      fail(each, reason);
    }
    return failed;
  }

  static void fail(Submitted operation, RuntimeException reason) {
    operation.answer.completeExceptionally(reason);
  }
}
