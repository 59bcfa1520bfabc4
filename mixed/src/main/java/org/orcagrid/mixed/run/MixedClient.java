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
package org.orcagrid.mixed.run;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.orcagrid.mixed.Mixed;
import org.orcagrid.mixed.Stmt;
import org.orcagrid.mixed.commit.Outcome;
import org.orcagrid.mixed.plan.FunctionFailedException;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.plan.Plan;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Reply;
import org.orcagrid.mixed.store.Snapshot;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.Traits;
import org.orcagrid.mixed.track.Tracked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs transactions over several stores. Any thread may use it. What one of its transactions has
 * seen, later ones go by, on whatever thread: it is one client to the stores.
 */
public final class MixedClient implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MixedClient.class);
  private static final Duration DEADLINE_MAX = Duration.ofSeconds(10);
  private static final int THREADS_MAX = 64;
  private static final long REST_MILLIS = 3_000;
  private static final long BACK_OFF_MAX_MILLIS = 200;

  private final Map<String, Store> byName = new LinkedHashMap<>();
  private final Map<String, Store> byGroup = new HashMap<>();
  private final Map<String, Traits> traits = new LinkedHashMap<>();
  private final Duration deadline;
  private final Seen seen;
  private final Counts counts = new Counts();
  private final ThreadPoolExecutor executor;
  private final Closer closer;

  /** Null for none. */
  private final Peers peers;

  /**
   * One with a deadline of five seconds for each transaction.
   *
   * @param stores which it closes with itself
   */
  public MixedClient(List<Store> stores) {
    this(stores, Duration.ofSeconds(5));
  }

  /**
   * One.
   *
   * @param stores which it closes with itself
   * @param deadline of each transaction, with all its attempts; 10 seconds at most
   * @throws IllegalArgumentException if two stores have one name, or the deadline is longer
   */
  public MixedClient(List<Store> stores, Duration deadline) {
    this(stores, deadline, null);
  }

  /**
   * One that other clients ask for what their replicas lack, and that asks them (section 4.3).
   *
   * @param stores which it closes with itself
   * @param deadline of each transaction; 10 seconds at most
   * @param peers null for a client that waits for its replicas
   * @throws UncheckedIOException if it cannot listen
   */
  public MixedClient(List<Store> stores, Duration deadline, PeerSettings peers) {
    if (deadline.toMillis() <= 0 || deadline.compareTo(DEADLINE_MAX) > 0) {
      throw new IllegalArgumentException(
          "A transaction's deadline is " + deadline + "; give it up to " + DEADLINE_MAX);
    }
    for (Store each : stores) {
      Traits its = each.traits();
      if (byName.put(its.name(), each) != null || byGroup.put(its.group(), each) != null) {
        throw new IllegalArgumentException(
            "Two stores are called " + its.name() + " or have its group; rename one");
      }
      traits.put(its.name(), its);
    }
    this.deadline = deadline;
    this.peers = peers == null ? null : new Peers(peers, this::told);
    this.seen =
        new Seen(
            peers == null
                ? Long.toHexString(ThreadLocalRandom.current().nextLong())
                : this.peers.address());
    this.executor =
        new ThreadPoolExecutor(
            0,
            THREADS_MAX,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            MixedClient::thread,
            MixedClient::runHere);
    this.closer = new Closer(byGroup, executor);
  }

  /** What another client is told. */
  private Tracked told(String name) throws StoreException {
    Store store = byName.get(name);
    if (store == null || store.traits().isStrong() || !store.traits().isWhole()) {
      throw new StoreException(name + " is no causal store here; ask a replica", null);
    }
    Snapshot snapshot = store.read(seen.tracked(name), Set.of());
    return seen.told(name, Seen.replica(store.traits(), snapshot));
  }

  /** Who asks does it, where there are no more threads. */
  private static void runHere(Runnable run, ThreadPoolExecutor executor) {
    if (executor.isShutdown()) {
      throw new RejectedExecutionException("The client is closed");
    }
    run.run();
  }

  private static Thread thread(Runnable run) {
    Thread thread = new Thread(run, "mixed-client");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Runs a transaction.
   *
   * @throws IllegalTransactionException if it is not allowed, or uses stores that are not there
   * @throws FunctionFailedException if one of its functions fails on what is there
   * @throws TransactionAbortedException if it could not be done in time
   * @throws OutcomeUnknownException if it is not known in time whether it is done
   */
  public Committed transaction(Stmt<?>... statements) {
    return run(Mixed.plan(statements));
  }

  /** Runs a transaction that was checked and split before; as {@link #transaction}. */
  public Committed run(Plan plan) {
    plan.endorsements()
        .forEach(each -> LOG.info("Endorsed as {}: {}", each.level(), each.reason()));
    long until = System.nanoTime() + deadline.toNanos();
    for (int attempts = 1; ; attempts++) {
      Attempt attempt =
          new Attempt(
              plan,
              traits,
              seen,
              peers != null,
              System.currentTimeMillis(),
              ThreadLocalRandom.current().nextLong());
      Driver driver = new Driver(attempt, byName, byGroup, executor, counts, closer, peers);
      Outcome outcome = outcome(attempt, driver, until);
      if (!(outcome instanceof Outcome.Aborted aborted && aborted.isConflict())) {
        return told(outcome, attempt, driver);
      }
      counts.conflicts.increment();
      if (!backOff(attempts, until)) {
        counts.aborted.increment();
        throw new TransactionAbortedException(
            "Others have changed what the transaction reads, in each of "
                + attempts
                + " attempts within "
                + deadline,
            null);
      }
    }
  }

  private Outcome outcome(Attempt attempt, Driver driver, long until) {
    boolean interrupted = false;
    driver.begin();
    try {
      driver.runUntilOver(until);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (attempt.outcome() == null) {
      driver.onDeadline();
    }
    if (driver.isBusy()) {
      finish(driver);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return attempt.outcome();
  }

  /** What is left does not hold up the caller; workers do it if nobody else has. */
  private void finish(Driver driver) {
    if (executor.getActiveCount() == THREADS_MAX) {
      return;
    }
    try {
      executor.execute(
          () -> {
            try {
              driver.runUntilIdle(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(REST_MILLIS));
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("The client is closed; workers finish the transaction", e);
    }
  }

  private Committed told(Outcome outcome, Attempt attempt, Driver driver) {
    if (outcome instanceof Outcome.Committed) {
      counts.committed.increment();
      return new Committed(attempt.results(), List.of());
    } else if (outcome instanceof Outcome.CommittedPending pending) {
      counts.pending.increment();
      return new Committed(attempt.results(), pending.missing());
    } else if (outcome instanceof Outcome.Unknown unknown) {
      counts.unknown.increment();
      throw new OutcomeUnknownException(unknown.id());
    }
    counts.aborted.increment();
    if (attempt.failure() != null) {
      throw attempt.failure();
    }
    throw new TransactionAbortedException(why(attempt, driver), driver.lastFailure());
  }

  private String why(Attempt attempt, Driver driver) {
    String waiting = attempt.waitingFor();
    if (waiting != null) {
      return "A replica does not have by now what the client has seen: "
          + waiting
          + "; nothing is changed";
    }
    return "A store has not answered within "
        + deadline
        + (driver.lastFailure() == null ? "" : ": " + driver.lastFailure().getMessage())
        + "; nothing is changed";
  }

  private static boolean backOff(int attempts, long until) {
    long longest = Math.min(2L << Math.min(attempts, 7), BACK_OFF_MAX_MILLIS);
    long nanos = ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(longest));
    if (System.nanoTime() + nanos >= until) {
      return false;
    }
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Whether a transaction was committed whose outcome was not known. If it was not, it never will
   * be.
   *
   * @throws StoreException if the store that decides cannot be asked, or has forgotten
   */
  public boolean isCommitted(TransactionId id) throws StoreException {
    Store store = byGroup.get(id.decider());
    if (store == null) {
      throw new StoreException(
          id + " is decided by " + id.decider() + ", which this client does not have", null);
    }
    Reply reply = store.fence(id);
    return switch (reply.answer()) {
      case DONE -> true;
      case NEVER -> false;
      default -> throw new StoreException(store.traits() + " does not know of " + id, null);
    };
  }

  /** What its transactions did. */
  public MixedMetrics metrics() {
    return counts.metrics();
  }

  /** Closes its stores, too. */
  @Override
  public void close() {
    if (peers != null) {
      peers.close();
    }
    closer.flush();
    executor.shutdown();
    try {
      if (!executor.awaitTermination(REST_MILLIS, TimeUnit.MILLISECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
    new ArrayList<>(byName.values()).forEach(Store::close);
  }
}
