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
package org.orcagrid.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.node.NodeSession;

/**
 * The sessions at one node that all threads of a program share, each for one operation at a time as
 * long as there are enough. Safe for use by many threads; nobody waits with a lock.
 *
 * <p><b>Which session an operation gets</b>, and why the promises of {@link Grid#view} hold:
 *
 * <ol>
 *   <li>An acquire or a read gets any free one. So does a release or a read-modify-write of a
 *       thread that has no relaxed writes to release. Those but reads are linearizable, whichever
 *       session they are of.
 *   <li>Relaxed writes of a thread go through one of a few sessions, always the same one: its
 *       stripe.
 *   <li>A release or a read-modify-write goes through the stripe, too, if that has relaxed writes
 *       which no release has followed yet. The session's release barrier waits for them. When it
 *       has ended they are safe for good, and the next release is free again. What releases and
 *       read-modify-writes have written is at a majority when they end. Only a session's own next
 *       release would wait until all nodes have it, so a relaxed read may miss it.
 *   <li>All sessions here are of one node. Its copy of a key only goes forward, and each operation
 *       that has ended has put its version there: so a thread's accesses to a key are in its order.
 *   <li>What an acquire brings is the node's, not the session's: its copy, and its machine epoch.
 *       All sessions here are of one node, so a relaxed read after it finds what was released.
 * </ol>
 */
final class SharedKeys {
  /** How many sessions there are at most, unless a program says. */
  static final int SESSIONS = 64;

  /** As many as a long has bits. */
  static final int SESSIONS_MAX = Long.SIZE;

  private static final int STRIPES = 4;

  /** So long after the node has refused a session no other one is asked for. */
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Source source;
  private final Lane[] stripes;

  /** Those without relaxed writes; the first {@link #count} are there. */
  private final AtomicReferenceArray<Lane> lanes = new AtomicReferenceArray<>(SESSIONS_MAX);

  /** Written with the monitor. */
  private volatile int count;

  /** A bit for each lane in which nothing is under way; a hint. */
  private final AtomicLong idle = new AtomicLong();

  /** Whether sessions are being opened. */
  private final AtomicBoolean opening = new AtomicBoolean();

  /** When another session may be asked for. */
  private volatile long openNanos = System.nanoTime();

  private volatile boolean ended;

  /** Where the sessions come from. */
  interface Source {
    /** Opens another session at the same node; never waits. */
    CompletionStage<? extends NodeSession> open();

    /** How many sessions there may be at most, now. */
    int sessionsMax();

    /** Bytes of a value at most. */
    int valueBytesMax();

    /** Of all asynchronous operations of the grid. */
    Deadlines deadlines();
  }

  private SharedKeys(Source source, List<NodeSession> sessions) {
    this.source = source;
    int most = Math.max(1, sessions.size() - 1);
    this.stripes = new Lane[most];
    for (int i = 0; i < most; i++) {
      stripes[i] = new Lane(sessions.get(i), source, i, number -> {});
    }
    if (sessions.size() > 1) {
      add(sessions.get(most));
    } else {
      // There is one only, for everything.
      lanes.set(0, stripes[0]);
      count = 1;
    }
  }

  /**
   * Opens some; returns when they are there.
   *
   * @param first one that is there already, closed if there is a failure
   */
  static SharedKeys open(Source source, NodeSession first) {
    List<NodeSession> sessions = new ArrayList<>(List.of(first));
    List<CompletionStage<? extends NodeSession>> asked = new ArrayList<>();
    for (int i = 1; i < Math.min(STRIPES + 1, source.sessionsMax()); i++) {
      asked.add(source.open());
    }
    for (CompletionStage<? extends NodeSession> each : asked) {
      NodeSession another = await(each);
      if (another != null) {
        sessions.add(another);
      }
    }
    return new SharedKeys(source, sessions);
  }

  /** One more, null if there is none. */
  private static NodeSession await(CompletionStage<? extends NodeSession> stage) {
    try {
      return stage
          .toCompletableFuture()
          .get(Waiting.USUAL.timeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      // All of the node's are in use.
      return null;
    } catch (TimeoutException e) {
      stage.thenAccept(NodeSession::close);
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stage.thenAccept(NodeSession::close);
      return null;
    }
  }

  /** Whether these can be used no more: the node is gone, or its keys have begun anew. */
  boolean isEnded() {
    return ended || stripes[0].node().isEnded();
  }

  @Override
  public String toString() {
    return "keys of " + stripes[0].node().keys();
  }

  /** Whether the calling thread is one that must not wait. */
  boolean isWorker() {
    for (Lane each : stripes) {
      if (each.node().isWorker()) {
        return true;
      }
    }
    return false;
  }

  /** The lane of the calling thread's relaxed writes. */
  private Lane stripe() {
    long thread = Thread.currentThread().getId() * 0x9E3779B97F4A7C15L;
    return stripes[(int) ((thread >>> 32) % stripes.length)];
  }

  /** The same, locked: where relaxed accesses touch the node's copy at once. */
  Lane lockStripe() {
    requireNotEnded();
    return locked(stripe());
  }

  /** The lane for an operation of the calling thread, locked. */
  Lane lock(OperationKind kind) {
    requireNotEnded();
    if (kind != OperationKind.READ && kind != OperationKind.ACQUIRE) {
      Lane stripe = stripe();
      if (kind == OperationKind.WRITE || stripe.hasUnreleased()) {
        return locked(stripe);
      }
    }
    Lane free = lockIdle();
    if (free == null && grow()) {
      free = lockIdle();
    }
    return free == null ? locked(least()) : free;
  }

  private static Lane locked(Lane lane) {
    lane.lock();
    return lane;
  }

  private void requireNotEnded() {
    if (isEnded()) {
      throw new IllegalStateException(
          "The view has ended: its node is closed or lost, or the grid's keys have begun anew; ask"
              + " the grid for another view",
          stripes[0].node().failure());
    }
  }

  private Lane lockIdle() {
    for (long bits = idle.get(); bits != 0; bits = idle.get()) {
      long bit = Long.lowestOneBit(bits);
      if (idle.compareAndSet(bits, bits & ~bit)) {
        Lane lane = lanes.get(Long.numberOfTrailingZeros(bit));
        if (lane.tryLock()) {
          return lane;
        }
        // Another thread begins something there, and it is idle again when that has ended.
      }
    }
    return null;
  }

  /** Of two lanes that with less under way. */
  private Lane least() {
    Lane one = anyLane();
    Lane other = anyLane();
    return other.underWay() < one.underWay() ? other : one;
  }

  private Lane anyLane() {
    return lanes.get(ThreadLocalRandom.current().nextInt(count));
  }

  private void onIdle(int number) {
    idle.accumulateAndGet(1L << number, (all, one) -> all | one);
  }

  // --- more of them ------------------------------------------------------------------------------

  /** Has as many more opened as there are, if there may be more; whether any is there now. */
  private boolean grow() {
    int before = count;
    int most = Math.min(source.sessionsMax(), SESSIONS_MAX) - before - stripes.length;
    if (most <= 0 || System.nanoTime() - openNanos < 0 || !opening.compareAndSet(false, true)) {
      return false;
    }
    AtomicInteger asked = new AtomicInteger(Math.min(most, before));
    for (int i = asked.get(); i > 0; i--) {
      source
          .open()
          .whenComplete(
              (session, refusal) -> {
                opened(session, refusal);
                if (asked.decrementAndGet() == 0) {
                  opening.set(false);
                }
              });
    }
    return count > before;
  }

  private void opened(NodeSession session, Throwable refusal) {
    if (refusal != null) {
      // Those that there are do the work.
      openNanos = System.nanoTime() + REST_NANOS;
    } else if (session.keys() != stripes[0].node().keys()) {
      session.close();
      ended = true;
    } else {
      add(session);
    }
  }

  /** Never waits with the monitor. */
  private synchronized void add(NodeSession session) {
    int number = count;
    lanes.set(number, new Lane(session, source, number, this::onIdle));
    count = number + 1;
    onIdle(number);
  }
}
