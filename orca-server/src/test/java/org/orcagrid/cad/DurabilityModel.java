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
package org.orcagrid.cad;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One epoch of an ensemble on virtual time: a leader (server 0, which stays) and followers that
 * crash, lose what they had not forced, and come back. The leader's messages keep their order and
 * are lost with the link; reports may overtake each other, and the last of them may still be read
 * after their sender is gone. An entry that has arrived waits in a queue before the log, a demand
 * does not. What is on each disk is kept apart from what the decisions believe.
 *
 * <p>A run has two phases: first everything may fail, then the faults stop and every demand must be
 * answered.
 */
final class DurabilityModel {
  /** What must hold does not. */
  static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
      super(message);
    }
  }

  private static final long NONE = FlushRounds.NONE;
  private static final int STEPS = 400;
  private static final int LIVENESS_STEPS = 2_000;
  private static final long INTERVAL_NANOS = 50;

  private enum Kind {
    PROPOSAL,
    FLUSH
  }

  private record Message(Kind kind, long index) {}

  /** A server and the links to and from the leader. */
  private final class Server {
    private final int id;
    private final ArrayDeque<Message> inbox = new ArrayDeque<>();
    private final ArrayDeque<Long> beforeLog = new ArrayDeque<>();
    private final ArrayDeque<Long> reports = new ArrayDeque<>();
    private DurabilityParts.Schedule schedule;
    private long log;
    private long disk;
    private final List<Long> flushing = new ArrayList<>();
    private boolean up = true;

    Server(int id) {
      this.id = id;
      this.schedule = parts.schedules().make(intervalNanos, 0, now);
    }

    void take(Message message) {
      if (message.kind == Kind.PROPOSAL) {
        beforeLog.add(message.index);
      } else {
        schedule.onDemand(message.index);
      }
    }

    void append() {
      Long next = beforeLog.poll();
      if (next != null) {
        log = next;
        schedule.onAppended(log);
      }
    }

    void startFlushIfDue() {
      if (schedule.isDue(now)) {
        check(
            flushing.size() < FlushSchedule.RUNNING_MAX,
            "more flushes run at once than a log has descriptors for");
        schedule.onFlushStarted(now);
        flushing.add(log);
      }
    }

    void endFlush() {
      if (flushing.isEmpty()) {
        return;
      }
      long ended = flushing.remove(random.nextInt(flushing.size()));
      disk = Math.max(disk, ended);
      schedule.onFlushed(ended);
      reports.add(schedule.persisted());
    }

    void crash() {
      up = false;
      log = disk;
      flushing.clear();
      inbox.clear();
      beforeLog.clear();
    }

    /** Comes back in sync: what it lacks is sent again, then the round that is under way. */
    void recover() {
      up = true;
      schedule = parts.schedules().make(intervalNanos, disk, now);
      for (long index = log + 1; index <= last; index++) {
        inbox.add(new Message(Kind.PROPOSAL, index));
      }
      reports.add(schedule.persisted());
      if (rounds.target() > durable.value()) {
        inbox.add(new Message(Kind.FLUSH, rounds.target()));
      }
    }
  }

  private final SplittableRandom random;
  private final DurabilityParts parts;
  private final long intervalNanos;
  private final int faultPercent;
  private final List<Server> servers = new ArrayList<>();
  private final DurabilityParts.Rounds rounds;
  private final DurabilityParts.Index durable;
  private long now;
  private long last;
  private long highestDemand;
  private long lastDurable;

  /** A model of which every choice follows from {@code seed}. */
  DurabilityModel(long seed, DurabilityParts parts) {
    this.random = new SplittableRandom(seed);
    this.parts = parts;
    // In half of the runs nothing is flushed in the background: then a demand has to do it.
    this.intervalNanos = random.nextBoolean() ? INTERVAL_NANOS : Long.MAX_VALUE / 2;
    int count = random.nextBoolean() ? 3 : 5;
    this.faultPercent = random.nextInt(3) * 20;
    this.rounds = parts.rounds().get();
    this.durable = parts.indexes().apply(count);
    for (int id = 0; id < count; id++) {
      servers.add(new Server(id));
    }
  }

  /** Runs both phases. */
  void run() {
    for (int step = 0; step < STEPS; step++) {
      step();
    }
    servers.stream().filter(server -> !server.up).forEach(Server::recover);
    for (int step = 0; step < LIVENESS_STEPS && durable.value() < highestDemand; step++) {
      now++;
      servers.forEach(this::runToRest);
    }
    check(
        durable.value() >= highestDemand,
        "the demand for " + highestDemand + " is lost: durable is " + durable.value());
  }

  private void step() {
    now += random.nextInt(5);
    Server server = servers.get(random.nextInt(servers.size()));
    switch (random.nextInt(14)) {
      case 0, 1 -> propose();
      case 2 -> demand();
      case 3, 4, 5 -> deliver(server);
      case 6, 7 -> deliverReport(server);
      case 8 -> ifUp(server, Server::startFlushIfDue);
      case 9, 10 -> ifUp(server, Server::endFlush);
      case 11, 12 -> ifUp(server, Server::append);
      default -> fail(server);
    }
  }

  private void fail(Server server) {
    if (server.id == 0 || random.nextInt(100) >= faultPercent) {
      return;
    }
    if (!server.up) {
      server.recover();
    } else {
      server.crash();
    }
  }

  private static void ifUp(Server server, java.util.function.Consumer<Server> action) {
    if (server.up) {
      action.accept(server);
    }
  }

  private void propose() {
    last++;
    broadcast(new Message(Kind.PROPOSAL, last));
  }

  private void demand() {
    if (last == 0) {
      return;
    }
    long index = 1 + random.nextLong(last);
    highestDemand = Math.max(highestDemand, index);
    flush(rounds.onDemand(index, durable.value(), last));
  }

  private void flush(long target) {
    if (target != NONE) {
      broadcast(new Message(Kind.FLUSH, target));
    }
  }

  private void broadcast(Message message) {
    servers.stream().filter(server -> server.up).forEach(server -> server.inbox.add(message));
  }

  private void deliver(Server server) {
    Message message = server.inbox.poll();
    if (message != null) {
      server.take(message);
    }
  }

  private void deliverReport(Server server) {
    Long report = random.nextInt(4) == 0 ? server.reports.pollLast() : server.reports.pollFirst();
    if (report == null) {
      return;
    }
    boolean advanced = durable.onReport(server.id, report);
    checkDurable();
    if (advanced) {
      flush(rounds.onDurable(durable.value(), last));
    }
  }

  private void runToRest(Server server) {
    while (!server.inbox.isEmpty()) {
      deliver(server);
    }
    while (!server.beforeLog.isEmpty()) {
      server.append();
    }
    server.startFlushIfDue();
    server.endFlush();
    while (!server.reports.isEmpty()) {
      deliverReport(server);
    }
  }

  private void checkDurable() {
    long value = durable.value();
    check(value >= lastDurable, "the durable-index goes back from " + lastDurable + " to " + value);
    lastDurable = value;
    long holders = servers.stream().filter(server -> server.disk >= value).count();
    check(
        holders > servers.size() / 2,
        value + " is said to be durable and is on " + holders + " of " + servers.size());
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new Violation(otherwise);
    }
  }
}
