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
package org.orcagrid.examples.jobs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridException;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.NotDoneException;
import org.orcagrid.client.concurrent.GridQueue;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.examples.demo.Loop;

/** A queue with its producers and consumers, and what has become of their jobs. */
final class Lane implements AutoCloseable {
  private static final Ddp DURABLE = Ddp.parse("linearizable/synchronous");
  private static final int PRODUCERS = 2;
  private static final int CONSUMERS = 2;

  /** So many jobs of a producer wait at most: there is always something to lose. */
  private static final int WAITING_MAX = 25;

  private static final long PACE_MILLIS = 25;
  private static final long PAUSE_MILLIS = 100;
  private static final Duration PATIENCE = Duration.ofMillis(500);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** How a job is written: its producer and its number. */
  private static final Codec<Job> JOB =
      Codec.of(
          (job, out) -> out.putInt(job.producer()).putInt(job.number()),
          in -> new Job(in.getInt(), in.getInt()));

  private record Job(int producer, int number) {}

  /** Which queue it is. */
  enum Kind {
    /** In a map of the model {@code linearizable/synchronous}. */
    DURABLE("durable", "Durable", "grid.queue(\"jobs\", codec, linearizable/synchronous)"),
    /** Among the keys of sessions. */
    MEMORY("memory", "In memory", "new GridQueue<>(session, \"jobs\", codec)");

    private final String id;
    private final String title;
    private final String code;

    Kind(String id, String title, String code) {
      this.id = id;
      this.title = title;
      this.code = code;
    }
  }

  private final Kind kind;
  private final Grid grid;
  private final List<Ledger> ledgers = new ArrayList<>();
  private final List<Loop> loops = new ArrayList<>();

  /** Starts producers and consumers, each with a thread. */
  Lane(Kind kind, Grid grid) {
    this.kind = kind;
    this.grid = grid;
    for (int number = 0; number < PRODUCERS; number++) {
      ledgers.add(new Ledger());
      Producer producer = new Producer(number);
      loops.add(Loop.start(kind.id + "-producer-" + number, producer::once));
    }
    for (int number = 0; number < CONSUMERS; number++) {
      Consumer consumer = new Consumer();
      loops.add(Loop.start(kind.id + "-consumer-" + number, consumer::once));
    }
  }

  /** A queue, and the session that it may have. */
  private static final class Access {
    private final GridSession session;
    private final GridQueue<Job> queue;

    Access(Kind kind, Grid grid) {
      if (kind == Kind.DURABLE) {
        session = null;
        queue = grid.queue("jobs", JOB, DURABLE);
      } else {
        session = grid.openSession().timeout(TIMEOUT);
        queue = new GridQueue<>(session, "jobs", JOB);
      }
    }

    void close() {
      if (session != null) {
        session.close();
      }
    }
  }

  /** A thread's own access, which it opens again after a failure. */
  private abstract class Worker {
    private Access access;

    /** Does what it does, once; what it cannot do now it does later. */
    void once() throws InterruptedException {
      try {
        if (access == null) {
          access = new Access(kind, grid);
        }
      } catch (GridException | IllegalStateException e) {
        // The nodes are just killed, or starting.
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        return;
      }
      try {
        work(access.queue);
      } catch (NotDoneException e) {
        again();
      } catch (GridException | IllegalStateException e) {
        inDoubt();
        again();
      }
    }

    private void again() throws InterruptedException {
      access.close();
      access = null;
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }

    abstract void work(GridQueue<Job> queue) throws InterruptedException;

    /** Nobody knows whether the last operation was done. */
    abstract void inDoubt();
  }

  private final class Producer extends Worker {
    private final int own;
    private int next;

    Producer(int own) {
      this.own = own;
    }

    @Override
    void work(GridQueue<Job> queue) throws InterruptedException {
      Ledger ledger = ledgers.get(own);
      if (ledger.counts().waiting() < WAITING_MAX) {
        queue.offer(new Job(own, next));
        ledger.offered(next++);
      }
      TimeUnit.MILLISECONDS.sleep(PACE_MILLIS);
    }

    @Override
    void inDoubt() {
      // It may be in the queue: the next one has another number.
      next++;
    }
  }

  private final class Consumer extends Worker {
    @Override
    void work(GridQueue<Job> queue) throws InterruptedException {
      int[] marks = ledgers.stream().mapToInt(Ledger::mark).toArray();
      Job job = queue.poll(PATIENCE);
      if (job != null) {
        ledgers.get(job.producer()).taken(job.number());
      } else {
        for (int producer = 0; producer < PRODUCERS; producer++) {
          ledgers.get(producer).empty(marks[producer]);
        }
      }
      TimeUnit.MILLISECONDS.sleep(2 * PACE_MILLIS);
    }

    @Override
    void inDoubt() {
      ledgers.get(0).pollInDoubt();
    }
  }

  /** What has become of all jobs. */
  Ledger.Counts counts() {
    return ledgers.stream().map(Ledger::counts).reduce(Ledger.Counts::and).orElseThrow();
  }

  /** What the page shows of it. */
  Map<String, Object> state() {
    Ledger.Counts counts = counts();
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("id", kind.id);
    state.put("title", kind.title);
    state.put("code", kind.code);
    state.put("offered", counts.offered());
    state.put("taken", counts.taken());
    state.put("waiting", counts.waiting());
    // A poll that was never answered has taken one job at most.
    int withPolls = Math.min(counts.lost(), counts.inDoubt());
    state.put("lost", counts.lost() - withPolls);
    state.put("twice", counts.twice());
    state.put("withPolls", withPolls);
    state.put("inDoubt", counts.inDoubt());
    return state;
  }

  @Override
  public void close() {
    loops.forEach(Loop::close);
  }
}
