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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.orcagrid.ddp.replica.Replica;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.worker.AheadTask;

/** A session of a map that this node hosts. */
final class HostedSession implements MapSession {
  private final HostedMap map;

  /** Another session of the same client, null for none. */
  private final HostedSession first;

  /** What was submitted and has not begun. */
  private final Queue<Operation> waiting = new ConcurrentLinkedQueue<>();

  /** How many that were submitted have not ended, as far as their callers know. */
  private final AtomicInteger open = new AtomicInteger();

  /** Whether something that it has written may not be visible here yet. */
  private volatile boolean mayMissOwn;

  /** The worker does it once for each of those. */
  private final AheadTask arrival;

  // Of the worker's thread from here on.

  private ReplicaSession replicaSession;

  /** How many of those that wait may begin: sessions take turns in the order of their arrivals. */
  private int arrived;

  private Operation current;
  private boolean closed;

  private final SessionsUnderWay.Place place = new SessionsUnderWay.Place();

  private final class Arrival implements AheadTask {
    @Override
    public void lookAhead() {
      Operation next = waiting.peek();
      if (next != null && next.key() != null) {
        map.expect(next.key());
      }
    }

    @Override
    public void run() {
      map.onArrival(HostedSession.this);
    }
  }

  /** What a caller waits for. */
  private final class Answer extends CompletableFuture<Operation>
      implements Consumer<Operation>, Withdrawable {
    private final Operation operation;

    Answer(Operation operation) {
      this.operation = operation;
    }

    @Override
    public boolean withdraw() {
      // Whoever takes it out of the queue has it; its arrival is one too many then, and does
      // nothing.
      if (!waiting.remove(operation)) {
        return false;
      }
      map.withdrawn();
      operation.fail(new NotBegunException("It was taken back"));
      return true;
    }

    @Override
    public void accept(Operation ended) {
      // Before the caller knows: what it does then may be answered at once.
      open.decrementAndGet();
      if (ended.failure() == null) {
        complete(ended);
      } else {
        completeExceptionally(ended.failure());
      }
    }
  }

  HostedSession(HostedMap map, HostedSession first) {
    this.map = map;
    this.first = first;
    this.arrival = new Arrival();
  }

  @Override
  public CompletableFuture<Operation> submit(Operation operation) {
    Answer answer = new Answer(operation);
    operation.listener(answer);
    open.incrementAndGet();
    map.submit(this, operation);
    return answer;
  }

  @Override
  public boolean answerNow(Operation read) {
    boolean mayMiss = mayMissOwn || (first != null && first.mayMissOwn);
    return open.get() == 0 && !mayMiss && map.answerNow(read);
  }

  @Override
  public MapSession openBeside() {
    return new HostedSession(map, this);
  }

  @Override
  public boolean isEnded() {
    return map.isEnded();
  }

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
    mayMissOwn = replicaSession.hasOwnInvisible();
    if (first != null && first.mayMissOwn) {
      // A batch has written keys of all sessions in the first one, which may have nothing to do.
      first.mayMissOwn = first.replicaSession.hasOwnInvisible();
    }
  }

  /** Its session at the replica, which is opened if there is none. */
  ReplicaSession opened(Replica replica) {
    if (replicaSession == null) {
      replicaSession =
          first == null
              ? replica.openSession(null)
              : replica.openSessionBeside(first.opened(replica));
      replicaSession.owner(this);
    }
    return replicaSession;
  }

  /** The session that an operation is of. */
  static HostedSession of(Operation operation) {
    return (HostedSession) operation.session().owner();
  }

  SessionsUnderWay.Place place() {
    return place;
  }

  ReplicaSession replicaSession() {
    return replicaSession;
  }

  boolean isClosed() {
    return closed;
  }

  /** Nothing will come of what is under way or waits; of how many operations that is. */
  int fail(SessionEndedException reason) {
    closed = true;
    int failed = 0;
    if (current != null) {
      current.fail(reason);
      current = null;
      failed++;
    }
    for (Operation next = waiting.poll(); next != null; next = waiting.poll()) {
      next.fail(new NotBegunException(reason.getMessage()));
      failed++;
    }
    return failed;
  }
}
