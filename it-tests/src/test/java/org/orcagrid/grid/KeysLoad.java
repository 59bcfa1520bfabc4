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
package org.orcagrid.grid;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Deadlines;
import org.orcagrid.client.GridException;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.OutcomeUnknownException;
import org.orcagrid.client.View;
import org.orcagrid.ddp.node.Node;

/**
 * Clients of Kite's keys at a node: they add to counters, and write data that they release by a
 * flag, or acquire a flag and read what it tells of. {@link KeysLedger} reads what they write down.
 *
 * <p>Each line has the memory that its session is of ({@link LoadedNode#memory}). A flag's value
 * says which session has released it, and the data of each session are its own: what a session that
 * was killed had under way may take effect at any later time.
 */
final class KeysLoad {
  static final int COUNTERS = 2;
  static final int DATA = 2;

  /** Of the bits of a value: they count within a session. */
  private static final int COUNT_BITS = 24;

  private static final long PAUSE_NANOS = 3_000_000;

  private final Deadlines deadlines = new Deadlines();
  private final LedgerFile ledger;
  private final LoadedNode host;
  private final Duration patience;
  private final BooleanSupplier stopping;

  /** Sessions of this process have numbers from here on, which nobody else's have. */
  private final AtomicLong sessions;

  KeysLoad(
      LedgerFile ledger,
      LoadedNode host,
      Duration patience,
      long firstValue,
      BooleanSupplier stopping) {
    this.ledger = ledger;
    this.host = host;
    this.patience = patience;
    this.sessions = new AtomicLong(firstValue >>> COUNT_BITS);
    this.stopping = stopping;
  }

  /** A session with the memory that it is of. */
  private static final class Client implements AutoCloseable {
    private final GridSession session;
    private final View<String, Long> view;
    private final int memory;
    private long lastValue;

    Client(GridSession session, int memory, long number) {
      this.session = session;
      this.view = session.view(Codec.STRING, Codec.LONG);
      this.memory = memory;
      this.lastValue = number << COUNT_BITS;
    }

    @Override
    public void close() {
      session.close();
    }
  }

  /** The key of a datum that a flag's value tells of. */
  private static String data(long flag, int index) {
    return "data-" + (flag >>> COUNT_BITS) + "-" + index;
  }

  private static String flag(int process) {
    return "flag" + process;
  }

  /** Adds until it is to stop. */
  void add(SplittableRandom random) {
    run(client -> add(client, random));
  }

  /** Releases for a process, and acquires what all have released, until it is to stop. */
  void release(int process, SplittableRandom random) {
    run(
        client -> {
          if (random.nextBoolean()) {
            release(client, process);
          } else {
            acquire(client, random.nextInt(MapLoad.SIZE));
          }
        });
  }

  private interface Step {
    void run(Client client);
  }

  private void run(Step step) {
    try {
      while (!stopping.getAsBoolean()) {
        try (Client client = open()) {
          while (client != null && !stopping.getAsBoolean()) {
            step.run(client);
            LockSupport.parkNanos(PAUSE_NANOS);
          }
        } catch (IllegalStateException | OutcomeUnknownException e) {
          // The session has ended with its memory, or with its node.
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    } catch (GridException | InterruptedException e) {
      ledger.write("FAILED keys: " + e);
    }
  }

  /** A session of a memory that is known; null if it is time to stop. */
  private Client open() throws InterruptedException {
    while (true) {
      Node node = host.await();
      OptionalInt before = host.memory(node);
      if (before.isPresent()) {
        GridSession session = new GridSession(node.openSession(), node.valueBytesMax(), deadlines);
        if (before.equals(host.memory(node))) {
          long number = sessions.incrementAndGet();
          return new Client(session.timeout(patience), before.getAsInt(), number);
        }
        session.close();
      }
      if (stopping.getAsBoolean()) {
        return null;
      }
      TimeUnit.NANOSECONDS.sleep(PAUSE_NANOS);
    }
  }

  private void tell(String what, String key, Client client, long value, long... times) {
    StringBuilder line = new StringBuilder(what + " KEYS " + key + " " + value);
    line.append(' ').append(client.memory);
    for (long time : times) {
      line.append(' ').append(time);
    }
    ledger.write(line.toString());
  }

  private void add(Client client, SplittableRandom random) {
    String counter = "counter" + random.nextInt(COUNTERS);
    long began = MapLoad.now();
    tell("ADDS", counter, client, 0, began);
    long found = client.view.getAndAdd(counter, 1);
    tell("ADDED", counter, client, found, began, MapLoad.now());
  }

  private void release(Client client, int process) {
    long value = ++client.lastValue;
    for (int i = 0; i < DATA; i++) {
      client.view.set(data(value, i), value);
    }
    long began = MapLoad.now();
    tell("RELEASES", flag(process), client, value, began);
    client.view.setRelease(flag(process), value);
    tell("RELEASED", flag(process), client, value, began, MapLoad.now());
  }

  private void acquire(Client client, int process) {
    long began = MapLoad.now();
    Long flag = client.view.getAcquire(flag(process));
    long ended = MapLoad.now();
    tell("ACQUIRED", flag(process), client, flag == null ? 0 : flag, began, ended);
    for (int i = 0; flag != null && i < DATA; i++) {
      Long data = client.view.get(data(flag, i));
      tell("SAW", data(flag, i), client, data == null ? 0 : data, flag);
    }
  }

  /** What all counters are in the end. */
  void count() throws InterruptedException {
    while (true) {
      try (Client client = openInTheEnd()) {
        for (int i = 0; i < COUNTERS; i++) {
          String counter = "counter" + i;
          long began = MapLoad.now();
          Long value = client.view.getAcquire(counter);
          tell("COUNTED", counter, client, value == null ? 0 : value, began, MapLoad.now());
        }
        return;
      } catch (IllegalStateException | OutcomeUnknownException e) {
        // The session has ended; another one is opened.
        TimeUnit.NANOSECONDS.sleep(PAUSE_NANOS);
      }
    }
  }

  private Client openInTheEnd() throws InterruptedException {
    Client client = null;
    while (client == null) {
      client = open();
    }
    return client;
  }
}
