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

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
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

  /** What was submitted and has not begun. */
  private final Queue<Operation> waiting = new ConcurrentLinkedQueue<>();

  /** The worker does it once for each of those. */
  private final Runnable arrival;

  // Of the worker's thread from here on.

  private ReplicaSession replicaSession;

  /** How many of those that wait may begin: sessions take turns in the order of their arrivals. */
  private int arrived;

  private Operation current;
  private boolean closed;

  /** What a caller waits for. */
  private static final class Answer extends CompletableFuture<Operation>
      implements Consumer<Operation> {
    @Override
    public void accept(Operation ended) {
      if (ended.failure() == null) {
        complete(ended);
      } else {
        completeExceptionally(ended.failure());
      }
    }
  }

  MapSession(HostedMap map, MapSession first) {
    this.map = map;
    this.first = first;
    this.arrival = () -> map.onArrival(this);
  }

  /**
   * Submits an operation.
   *
   * @return the same when it has ended, completed by the thread that does the map's work, which
   *     must not wait for the map: {@link SessionEndedException} if what came of it is not known
   *     and never will be, {@link java.util.concurrent.RejectedExecutionException} if too much is
   *     under way, and whatever the model refuses
   * @throws IllegalStateException if it was submitted before
   */
  public CompletableFuture<Operation> submit(Operation operation) {
    Answer answer = new Answer();
    operation.listener(answer);
    map.submit(this, operation);
    return answer;
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

  // --- for the map, in any thread ----------------------------------------------------------------

  /** Has one more operation wait; {@link #arrival} is to be given to the worker. */
  void add(Operation operation) {
    waiting.add(operation);
  }

  Runnable arrival() {
    return arrival;
  }

  // --- for the worker ----------------------------------------------------------------------------

  void onArrival() {
    arrived++;
  }

  boolean isIdle() {
    return current == null;
  }

  /** Has the next operation under way, if one may begin; null if none may. */
  Operation next() {
    if (arrived > 0) {
      arrived--;
      current = waiting.poll();
    }
    return current;
  }

  /** The operation under way has ended, or could not be begun. */
  void ended(Operation operation) {
    if (current != operation) {
      throw new IllegalStateException(operation + " is not under way");
    }
    current = null;
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

  /** Nothing will come of what is under way or waits; of how many operations that is. */
  int fail(RuntimeException reason) {
    closed = true;
    Operation next = current == null ? waiting.poll() : current;
    current = null;
    int failed = 0;
    for (; next != null; next = waiting.poll()) {
      next.fail(reason);
      failed++;
    }
    return failed;
  }
}
