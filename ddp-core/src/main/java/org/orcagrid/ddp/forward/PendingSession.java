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
package org.orcagrid.ddp.forward;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.map.Maps;
import org.orcagrid.ddp.map.NotBegunException;
import org.orcagrid.ddp.map.SessionEndedException;
import org.orcagrid.ddp.map.Withdrawable;
import org.orcagrid.ddp.replica.consistency.Operation;

/**
 * A session that was opened while a home of its map is looked for. What is submitted waits for
 * that, within the bounds of the {@link Backlog}, and goes on in its order. If none is found the
 * session has ended, and nothing of it was done.
 */
final class PendingSession implements MapSession {
  private final Backlog backlog;

  /** Sessions beside it that were opened before it was bound. Guarded by this. */
  private final List<PendingSession> beside = new ArrayList<>();

  /** What waits; empty once it is bound or has ended. Guarded by this. */
  private final Queue<Waiting> waiting = new ArrayDeque<>();

  private boolean closed;

  /** The session at the home; null before. */
  private volatile MapSession bound;

  /** Why there is none; null while there may be one. */
  private volatile RuntimeException failure;

  /** An operation that waits. */
  private final class Waiting extends CompletableFuture<Operation> implements Withdrawable {
    private final Operation operation;

    /** What it became; null while it waits. */
    private volatile CompletableFuture<Operation> submitted;

    Waiting(Operation operation) {
      this.operation = operation;
    }

    @Override
    public boolean withdraw() {
      boolean waits;
      synchronized (PendingSession.this) {
        waits = waiting.remove(this);
      }
      if (!waits) {
        return submitted instanceof Withdrawable sent && sent.withdraw();
      }
      backlog.remove(operation);
      completeExceptionally(new NotBegunException("It was taken back"));
      return true;
    }

    /** Is done at the home. */
    @SuppressWarnings("FutureReturnValueIgnored")
    void submit(MapSession to) {
      backlog.remove(operation);
      try {
        submitted = to.submit(operation);
      } catch (RuntimeException e) {
        submitted = CompletableFuture.failedFuture(e);
      }
      submitted.whenComplete(
          (done, reason) -> {
            if (reason == null) {
              complete(done);
            } else {
              completeExceptionally(ForwardedMaps.cause(reason));
            }
          });
    }
  }

  private PendingSession(Backlog backlog) {
    this.backlog = backlog;
  }

  /** Waits for the home that a route looks for. */
  // What comes of it, those who wait are told.
  @SuppressWarnings("FutureReturnValueIgnored")
  static PendingSession on(Route route, Opening opening, Backlog backlog) {
    PendingSession session = new PendingSession(backlog);
    route
        .find()
        .whenComplete(
            (home, reason) -> {
              try {
                if (reason == null) {
                  session.bind(opening.at(home));
                } else {
                  session.end(ended(ForwardedMaps.cause(reason)));
                }
              } catch (IllegalStateException e) {
                session.end(ended(e));
              }
            });
    return session;
  }

  /** Opens the session at a home. */
  interface Opening {
    MapSession at(Maps home);
  }

  private static RuntimeException ended(Throwable reason) {
    return reason instanceof SessionEndedException known
        ? known
        : new NotBegunException(String.valueOf(reason.getMessage()));
  }

  // --- it begins ---------------------------------------------------------------------------------

  private void bind(MapSession at) {
    // What is submitted meanwhile comes behind, also by callbacks, which run without the lock.
    for (Waiting next = nextOrBound(at); next != null; next = nextOrBound(at)) {
      next.submit(at);
    }
    List<PendingSession> others;
    boolean isOver;
    synchronized (this) {
      isOver = closed;
      others = List.copyOf(beside);
      beside.clear();
    }
    others.forEach(each -> each.bind(at.openBeside()));
    if (isOver) {
      at.close();
    }
  }

  /** Null if nothing waits: it is bound then. */
  private synchronized Waiting nextOrBound(MapSession at) {
    Waiting next = waiting.poll();
    if (next == null) {
      bound = at;
    }
    return next;
  }

  private void end(RuntimeException reason) {
    List<PendingSession> others;
    List<Waiting> left;
    synchronized (this) {
      failure = reason;
      left = List.copyOf(waiting);
      waiting.clear();
      left.forEach(each -> backlog.remove(each.operation));
      others = List.copyOf(beside);
      beside.clear();
    }
    left.forEach(each -> each.completeExceptionally(reason));
    others.forEach(each -> each.end(reason));
  }

  // --- any thread --------------------------------------------------------------------------------

  @Override
  public CompletableFuture<Operation> submit(Operation operation) {
    MapSession at = bound;
    if (at != null) {
      return at.submit(operation);
    }
    synchronized (this) {
      if (bound == null && failure == null && !closed) {
        try {
          backlog.add(operation);
        } catch (RejectedExecutionException e) {
          return CompletableFuture.failedFuture(e);
        }
        Waiting next = new Waiting(operation);
        waiting.add(next);
        return next;
      }
    }
    if (bound != null) {
      return bound.submit(operation);
    }
    return CompletableFuture.failedFuture(
        failure == null ? new NotBegunException("The session was closed") : failure);
  }

  @Override
  public MapSession openBeside() {
    PendingSession other = new PendingSession(backlog);
    synchronized (this) {
      if (bound == null) {
        other.failure = failure;
        if (failure == null) {
          beside.add(other);
        }
        return other;
      }
    }
    return bound.openBeside();
  }

  @Override
  public boolean isEnded() {
    MapSession at = bound;
    return at == null ? failure != null : at.isEnded();
  }

  @Override
  public void close() {
    List<Waiting> left;
    synchronized (this) {
      closed = true;
      left = List.copyOf(waiting);
      waiting.clear();
      left.forEach(each -> backlog.remove(each.operation));
    }
    left.forEach(each -> each.completeExceptionally(new NotBegunException("It was closed")));
    if (bound != null) {
      bound.close();
    }
  }
}
