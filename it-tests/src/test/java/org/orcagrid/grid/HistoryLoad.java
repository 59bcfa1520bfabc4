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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.MemberGrid;
import org.orcagrid.client.OutcomeUnknownException;
import org.orcagrid.client.View;
import org.orcagrid.grid.CounterHistory.Addition;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.TransportChoice;

/**
 * Sessions at members of a grid that add to counters, write what only they write, and read what
 * others have released. What was added is written down for {@link CounterHistory}; that whoever
 * acquires a flag sees what was written before it is checked at once.
 */
final class HistoryLoad {
  private static final int COUNTERS = 16;
  private static final int DATA = 4;

  private static final String GRID = "history";

  /** How long the processes wait for each other, which have as much to do and not the same time. */
  private static final Duration MEETING = Duration.ofHours(1);

  private final Plan plan;
  private final Meeting meeting;
  private final List<MemberGrid> members = new ArrayList<>();
  private final BufferedWriter out;
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private final long begun = System.nanoTime();

  /**
   * Where the grid is.
   *
   * @param server who knows the members; in the process of the first one
   * @param nodes where all members of the grid are
   * @param selves which of them are here
   * @param folder what this process keeps
   */
  record Places(HostPort server, List<HostPort> nodes, List<Integer> selves, Path folder) {
    Places {
      nodes = List.copyOf(nodes);
      selves = List.copyOf(selves);
    }

    private boolean hostsTheServer() {
      return selves.contains(0);
    }
  }

  /**
   * What is to be done.
   *
   * @param places of the members
   * @param sessions of each member
   * @param operations of each session
   * @param file what was added
   */
  record Plan(Places places, int sessions, int operations, Path file) {
    /** Operations of all sessions here. */
    long operationsHere() {
      return (long) places.selves().size() * sessions * operations;
    }

    /** Sessions of all members. */
    int sessionsOfAll() {
      return places.nodes().size() * sessions;
    }
  }

  private HistoryLoad(Plan plan, Meeting meeting) throws IOException {
    this.plan = plan;
    this.meeting = meeting;
    this.out = Files.newBufferedWriter(plan.file());
  }

  /** The server, the folder, nodes, members here, sessions of each, operations, the file. */
  public static void main(String[] args) throws Exception {
    List<Integer> selves = Arrays.stream(args[3].split(",", -1)).map(Integer::valueOf).toList();
    Places places =
        new Places(HostPort.parse(args[0]), HostPort.parseAll(args[2]), selves, Path.of(args[1]));
    Plan plan =
        new Plan(places, Integer.parseInt(args[4]), Integer.parseInt(args[5]), Path.of(args[6]));
    run(plan);
    System.out.println("Done with " + plan);
  }

  /** Returns when all sessions of all members are done. */
  static void run(Plan plan) throws Exception {
    Places places = plan.places();
    if (!places.hostsTheServer()) {
      runWithServer(plan);
      return;
    }
    try (OrcaServer server = LabServer.start(places.server(), places.folder())) {
      System.out.println("The server is at " + server.connectString());
      runWithServer(plan);
    }
  }

  private static void runWithServer(Plan plan) throws Exception {
    try (Meeting meeting = new Meeting(plan.places().server().toString(), MEETING)) {
      HistoryLoad load = new HistoryLoad(plan, meeting);
      try {
        load.run();
      } finally {
        load.members.forEach(MemberGrid::close);
        load.out.close();
      }
      load.sayOfAll("left");
      if (plan.places().hostsTheServer()) {
        // The others may need the server until they have left.
        load.awaitAll("left");
      }
    }
  }

  private void run() throws Exception {
    if (plan.places().hostsTheServer()) {
      meeting.say("the server is there");
    }
    meeting.await("the server is there");
    for (int self : plan.places().selves()) {
      members.add(Grid.join(settings(self)));
    }
    for (MemberGrid member : members) {
      if (!member.awaitServing(Ports.PATIENCE)) {
        throw new IllegalStateException(
            "A member does not serve; refused: " + member.lastRefusal(), member.failure());
      }
    }
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < members.size(); i++) {
        for (int session = 0; session < plan.sessions(); session++) {
          MemberGrid member = members.get(i);
          int number = plan.places().selves().get(i) * plan.sessions() + session;
          running.add(threads.submit(() -> new Client(number).run(member)));
        }
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    // Others may still need the answers of the members here.
    sayOfAll("done");
    awaitAll("done");
  }

  private NodeSettings settings(int self) throws IOException {
    Places places = plan.places();
    Path folder = places.folder().resolve("member" + self);
    return NodeSettings.of(GRID, places.nodes().size(), places.nodes().get(self), folder)
        .withKeys(Ports.KEYS)
        .withSecurity(Ports.security())
        .withTransport(TransportChoice.parse(Ports.TRANSPORT))
        .withLease(Ports.LEASE)
        .withEnsemble(places.server().toString());
  }

  /** Says of all members here that they have come so far. */
  private void sayOfAll(String what) throws Exception {
    for (int self : plan.places().selves()) {
      meeting.say(what + " " + self);
    }
  }

  /** Waits until all members have come so far. */
  private void awaitAll(String what) throws Exception {
    for (int node = 0; node < plan.places().nodes().size(); node++) {
      meeting.await(what + " " + node);
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
            acquire(view, random.nextInt(plan.sessionsOfAll()));
          } else if (dice < 50) {
            view.set("own" + number, (long) i);
          } else {
            view.get("data0-" + random.nextInt(plan.sessionsOfAll()));
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
