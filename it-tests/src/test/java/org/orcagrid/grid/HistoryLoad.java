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

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.orcagrid.client.Codec;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.MemberGrid;
import org.orcagrid.client.OutcomeUnknownException;
import org.orcagrid.client.View;
import org.orcagrid.grid.CounterHistory.Addition;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TransportWish;
import org.orcagrid.transport.tcp.member.MemberSettings;

/**
 * Sessions at members of a grid that add to counters, write what only they write, and read what
 * others have released. What was added is written down for {@link CounterHistory}; that whoever
 * acquires a flag sees what was written before it is checked at once.
 */
final class HistoryLoad {
  private static final int COUNTERS = 16;
  private static final int DATA = 4;

  private final Plan plan;
  private final List<MemberGrid> members = new ArrayList<>();
  private final BufferedWriter out;
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private final long begun = System.nanoTime();

  /**
   * What is to be done.
   *
   * @param nodes where all members of the grid are
   * @param selves which of them are here
   * @param sessions of each member
   * @param operations of each session
   * @param file what was added
   */
  record Plan(List<HostPort> nodes, List<Integer> selves, int sessions, int operations, Path file) {
    Plan {
      nodes = List.copyOf(nodes);
      selves = List.copyOf(selves);
    }

    /** Operations of all sessions here. */
    long operationsHere() {
      return (long) selves.size() * sessions * operations;
    }
  }

  private HistoryLoad(Plan plan) throws IOException {
    this.plan = plan;
    this.out = Files.newBufferedWriter(plan.file());
  }

  /** Nodes, members here, sessions of each, operations of each session, the file. */
  public static void main(String[] args) throws Exception {
    List<Integer> selves = Arrays.stream(args[1].split(",", -1)).map(Integer::valueOf).toList();
    Plan plan =
        new Plan(
            HostPort.parseAll(args[0]),
            selves,
            Integer.parseInt(args[2]),
            Integer.parseInt(args[3]),
            Path.of(args[4]));
    run(plan);
    System.out.println("Done with " + plan);
    // Others may still need this member's answers.
    LockSupport.parkNanos(Duration.ofSeconds(Long.getLong("orca.lab.grace", 20)).toNanos());
  }

  /** Returns when all sessions of all members are done. */
  static void run(Plan plan) throws IOException, InterruptedException, ExecutionException {
    HistoryLoad load = new HistoryLoad(plan);
    try {
      load.run();
    } finally {
      load.members.forEach(MemberGrid::close);
      load.out.close();
    }
  }

  private void run() throws InterruptedException, ExecutionException {
    for (int self : plan.selves()) {
      members.add(
          MemberGrid.join(
              new MemberSettings(
                      "history",
                      self,
                      plan.nodes(),
                      1,
                      64,
                      10_000,
                      1024,
                      64 << 20,
                      PortSecurity.NONE)
                  .withTransport(TransportWish.parse(Ports.TRANSPORT))));
    }
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < members.size(); i++) {
        for (int session = 0; session < plan.sessions(); session++) {
          MemberGrid member = members.get(i);
          int number = plan.selves().get(i) * plan.sessions() + session;
          running.add(threads.submit(() -> new Client(number).run(member)));
        }
      }
      for (Future<?> each : running) {
        each.get();
      }
      awaitOthers();
    } finally {
      threads.shutdownNow();
    }
  }

  private void awaitOthers() {
    try (GridSession session = members.get(0).openSession().timeout(Ports.PATIENCE)) {
      View<String, Long> view = session.view(Codec.STRING, Codec.LONG);
      for (int self : plan.selves()) {
        view.setRelease("done" + self, 1L);
      }
      for (int node = 0; node < plan.nodes().size(); node++) {
        while (view.getAcquire("done" + node) == null) {
          LockSupport.parkNanos(50_000_000);
        }
      }
    }
  }

  /** Says of each tenth that it is done, and how long an operation of it has taken at most. */
  private void onOperation(long nanos) {
    longestNanos.accumulateAndGet(nanos, Math::max);
    long count = done.incrementAndGet();
    long all = plan.operationsHere();
    if (count * 10 / all != (count - 1) * 10 / all) {
      System.out.printf(
          "%d%% of %d operations after %d s; the longest took %d ms%n",
          count * 10 / all * 10,
          all,
          Duration.ofNanos(System.nanoTime() - begun).toSeconds(),
          Duration.ofNanos(longestNanos.getAndSet(0)).toMillis());
    }
  }

  private void write(String line) {
    try {
      synchronized (out) {
        out.write(line);
        out.newLine();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What {@link #write} has written, of any number of files. */
  static CounterHistory read(List<Path> files) throws IOException {
    CounterHistory history = new CounterHistory();
    for (Path file : files) {
      for (String line : Files.readAllLines(file, UTF_8)) {
        String[] words = line.split(" ", -1);
        if (words.length == 1) {
          history.addUnknown(words[0]);
        } else {
          history.add(
              words[0],
              new Addition(
                  file.toString(),
                  words[1],
                  Long.parseLong(words[2]),
                  Long.parseLong(words[3]),
                  Long.parseLong(words[4])));
        }
      }
    }
    return history;
  }

  /** One session; its number is unique in the grid. */
  private final class Client {
    private final int number;
    private final Random random;
    private long released;

    Client(int number) {
      this.number = number;
      this.random = new Random(number);
    }

    private Void run(MemberGrid member) {
      try (GridSession session = member.openSession().timeout(Ports.PATIENCE)) {
        View<String, Long> view = session.view(Codec.STRING, Codec.LONG);
        for (int i = 0; i < plan.operations(); i++) {
          long invoked = System.nanoTime();
          int dice = random.nextInt(100);
          if (dice < 10) {
            add(view, "counter" + random.nextInt(COUNTERS));
          } else if (dice < 13) {
            release(view);
          } else if (dice < 18) {
            acquire(view, random.nextInt(plan.nodes().size() * plan.sessions()));
          } else if (dice < 50) {
            view.set("own" + number, (long) i);
          } else {
            view.get("data0-" + random.nextInt(plan.nodes().size() * plan.sessions()));
          }
          onOperation(System.nanoTime() - invoked);
        }
      }
      return null;
    }

    private void add(View<String, Long> view, String counter) {
      long invoked = System.nanoTime();
      try {
        long found = view.getAndAdd(counter, 1);
        write(number + " " + counter + " " + found + " " + invoked + " " + System.nanoTime());
      } catch (OutcomeUnknownException e) {
        write(counter);
      }
    }

    private void release(View<String, Long> view) {
      released++;
      for (int i = 0; i < DATA; i++) {
        view.set("data" + i + "-" + number, released);
      }
      try {
        view.setRelease("flag" + number, released);
      } catch (OutcomeUnknownException e) {
        // Others may see it or not; there is always the next one.
        return;
      }
    }

    private void acquire(View<String, Long> view, int other) {
      Long flag;
      try {
        flag = view.getAcquire("flag" + other);
      } catch (OutcomeUnknownException e) {
        // Nothing was seen.
        return;
      }
      for (int i = 0; flag != null && i < DATA; i++) {
        Long data = view.get("data" + i + "-" + other);
        if (data == null || data < flag) {
          throw new IllegalStateException(
              "Session "
                  + number
                  + " has acquired flag"
                  + other
                  + "="
                  + flag
                  + ", and data"
                  + i
                  + " is "
                  + data);
        }
      }
    }
  }
}
