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

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Ask;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.store.Reply;
import org.orcagrid.mixed.store.Snapshot;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.track.Tracked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one attempt with real stores: on its caller's thread while one thing is to be asked, and
 * with others for several.
 */
final class Driver {
  private static final Logger LOG = LoggerFactory.getLogger(Driver.class);
  private static final long WAIT_MIN_MILLIS = 2;
  private static final long WAIT_MAX_MILLIS = 200;
  private static final int DOUBLINGS_MAX = 7;

  private final Attempt attempt;
  private final Map<String, Store> byName;
  private final Map<String, Store> byGroup;
  private final Executor executor;
  private final Counts counts;
  private final Closer closer;
  private final Peers peers;
  private final Deque<Request> ready = new ArrayDeque<>();
  private final PriorityQueue<Timed> timed =
      new PriorityQueue<>(Comparator.comparingLong(Timed::atNanos));
  private final BlockingQueue<Runnable> answers = new LinkedBlockingQueue<>();
  private int underWay;
  private Exception lastFailure;

  private record Timed(long atNanos, Request request) {}

  Driver(
      Attempt attempt,
      Map<String, Store> byName,
      Map<String, Store> byGroup,
      Executor executor,
      Counts counts,
      Closer closer,
      Peers peers) {
    this.attempt = attempt;
    this.byName = byName;
    this.byGroup = byGroup;
    this.executor = executor;
    this.counts = counts;
    this.closer = closer;
    this.peers = peers;
  }

  /** What the last call that failed has thrown; null if none did. */
  Exception lastFailure() {
    return lastFailure;
  }

  void begin() {
    add(attempt.begin());
  }

  private void add(List<Request> requests) {
    for (Request each : requests) {
      if (each instanceof Request.Vote vote && vote.ask() instanceof Ask.Close) {
        // Nobody waits for that, and many are closed at once.
        closer.add(vote.group(), vote.ask().id());
      } else if (each.again() == 0) {
        ready.add(each);
      } else {
        if (each instanceof Request.Read) {
          counts.waits.increment();
        }
        addLater(each);
      }
    }
  }

  private void addLater(Request request) {
    long longest =
        Math.min(WAIT_MIN_MILLIS << Math.min(request.again(), DOUBLINGS_MAX), WAIT_MAX_MILLIS);
    long micros =
        ThreadLocalRandom.current()
            .nextLong(
                TimeUnit.MILLISECONDS.toMicros(longest) / 2,
                TimeUnit.MILLISECONDS.toMicros(longest));
    timed.add(new Timed(System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros), request));
  }

  /** Goes on until it is over, or a time has come. */
  void runUntilOver(long untilNanos) throws InterruptedException {
    while (attempt.outcome() == null && System.nanoTime() < untilNanos) {
      step(untilNanos);
    }
  }

  /** Does what is left to do once the outcome is known. */
  void runUntilIdle(long untilNanos) throws InterruptedException {
    while (isBusy() && System.nanoTime() < untilNanos) {
      step(untilNanos);
    }
  }

  /** Whether something is left to do. */
  boolean isBusy() {
    return underWay > 0 || !ready.isEmpty() || !timed.isEmpty();
  }

  /** The caller waits no longer. */
  void onDeadline() {
    ready.clear();
    timed.clear();
    add(attempt.onDeadline());
  }

  private void step(long untilNanos) throws InterruptedException {
    while (!timed.isEmpty() && timed.peek().atNanos() <= System.nanoTime()) {
      ready.add(timed.remove().request());
    }
    if (ready.size() == 1 && underWay == 0 && timed.isEmpty()) {
      call(ready.remove()).run();
      return;
    }
    while (!ready.isEmpty()) {
      Request request = ready.remove();
      underWay++;
      executor.execute(() -> answers.add(call(request)));
    }
    long until = timed.isEmpty() ? untilNanos : Math.min(untilNanos, timed.peek().atNanos());
    Runnable answer = answers.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
    if (answer != null) {
      underWay--;
      answer.run();
    }
  }

  /** Asks a store; what comes of it is for the attempt's thread. */
  private Runnable call(Request request) {
    try {
      if (request instanceof Request.Read read) {
        Snapshot snapshot =
            byName.get(read.store()).read(read.objects(), read.markers(), read.seen());
        return () -> add(attempt.onSnapshot(read, snapshot));
      } else if (request instanceof Request.Check check) {
        Reply reply = byName.get(check.store()).check(check.part());
        return () -> add(attempt.onChecked(check, reply));
      } else if (request instanceof Request.Vote vote) {
        if (vote.ask() instanceof Ask.Decide decide) {
          decide.intent().parts().forEach(each -> byGroup.get(each.group()).requireFits(each));
        }
        Reply reply = Votes.ask(byGroup.get(vote.group()), vote.ask(), vote.part());
        return () -> add(attempt.onReply(vote, reply));
      }
      Request.Fetch fetch = (Request.Fetch) request;
      Tracked told = peers.ask(fetch.missing().address(), fetch.store());
      return () -> add(attempt.onFetched(fetch, told));
    } catch (StoreException e) {
      return () -> onFailure(request, e);
    } catch (IllegalTransactionException e) {
      return () -> onRefused(request, e);
    } catch (RuntimeException e) {
      return () -> onBroken(request, e);
    }
  }

  private void onRefused(Request request, IllegalTransactionException e) {
    if (request instanceof Request.Vote vote
        && (vote.ask() instanceof Ask.Decide || vote.ask() instanceof Ask.Prepare)) {
      add(attempt.onRefused(vote, e));
    } else {
      onBroken(request, e);
    }
  }

  /** What a transaction has begun is brought to its end, whatever a store throws. */
  private void onBroken(Request request, RuntimeException e) {
    if (!(request instanceof Request.Vote)) {
      throw e;
    }
    LOG.warn("A store has failed at {}", request, e);
    onFailure(request, new StoreException("A store has failed: " + e, e));
  }

  private void onFailure(Request request, StoreException e) {
    lastFailure = e;
    counts.failures.increment();
    LOG.debug("A store has not answered {}", request, e);
    if (request instanceof Request.Vote vote) {
      add(attempt.onReply(vote, Reply.of(Answer.UNKNOWN)));
    } else if (!(request instanceof Request.Fetch)) {
      // Who has asked a client in vain has asked the replica, too.
      addLater(request instanceof Request.Read read ? again(read) : request);
    }
  }

  private static Request again(Request.Read read) {
    return new Request.Read(
        read.store(), read.objects(), read.markers(), read.seen(), read.turn(), read.again() + 1);
  }
}
