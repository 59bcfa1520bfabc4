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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.orcagrid.client.Grid;
import org.orcagrid.client.MemberGrid;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.client.map.SessionLostException;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.log.RecoveryReport;
import org.orcagrid.grid.ModelTally.Claim;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.TransportChoice;

/**
 * Maps of all models on three members in two guests. The first guest has the server that knows who
 * is a member, and two members; the second has one, whose process is killed when it says so and
 * started again on the same folder.
 *
 * <p>All write keys of their own until all see everything, then there are {@link ModelRounds}.
 * While the second guest's member is away the others write on, and they still do while it comes
 * back. It has to have all of that then, and of its own what the model says.
 */
final class ModelLoad implements AutoCloseable {
  /** It is there when the process may be killed. */
  private static final String READY = "ready";

  private static final String LEDGER = "ledger";
  private static final String COMPLETED = "COMPLETED";
  private static final String READ = "READ";
  private static final String CLUSTER = "lab";
  private static final int SIZE = 3;
  private static final int FIRST_GUEST = 1;
  private static final int KEYS = 10;

  /** So many writes of each model have completed before the process may be killed. */
  private static final int WRITES = 5;

  /** So many models have their rounds at a time. */
  private static final int TOGETHER = 3;

  private static final String LAST = "last before the kill";
  private static final String AWAY = "while it was away ";
  private static final String ON = "while it came back";
  private static final long END = Long.MAX_VALUE;
  private static final SegmentLimits LOG = new SegmentLimits(1 << 20, 1 << 18, 1 << 20, 1L << 26);
  private static final long PAUSE_NANOS = 2_000_000;

  private final Plan plan;
  private final Meeting meeting;
  private final List<MemberGrid> members = new ArrayList<>();
  private final Map<Ddp, List<GridMap<String, Long>>> maps = new ConcurrentHashMap<>();
  private final Map<Ddp, ModelTally> tallies = new LinkedHashMap<>();
  private final AtomicInteger losses = new AtomicInteger();
  private final ExecutorService threads = Executors.newCachedThreadPool(ModelLoad::daemon);
  private final long begun = System.nanoTime();

  /**
   * What a process does.
   *
   * @param guest 1 or 2
   * @param server where the server is, in the first guest
   * @param folder all that the process keeps
   * @param rounds of each model
   * @param addresses of the members here
   */
  record Plan(int guest, HostPort server, Path folder, int rounds, List<HostPort> addresses) {
    Plan {
      addresses = List.copyOf(addresses);
    }

    /** Of the first member here, counted over both guests. */
    int firstMember() {
      return guest == FIRST_GUEST ? 0 : SIZE - addresses.size();
    }

    int otherGuest() {
      return 3 - guest;
    }

    Path ledger() {
      return folder.resolve(LEDGER);
    }
  }

  private ModelLoad(Plan plan) throws Exception {
    this.plan = plan;
    this.meeting = new Meeting(plan.server().toString(), Ports.PATIENCE);
    Ddp.all().forEach(model -> tallies.put(model, new ModelTally(model)));
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * The guest, the server, the folder, the rounds, and the members here. Ends with 0 if all was as
   * the models promise it.
   */
  public static void main(String[] args) throws Exception {
    Plan plan =
        new Plan(
            Integer.parseInt(args[0]),
            HostPort.parse(args[1]),
            Path.of(args[2]),
            Integer.parseInt(args[3]),
            Arrays.stream(args).skip(4).map(HostPort::parse).toList());
    Files.createDirectories(plan.folder());
    boolean kept;
    if (plan.guest() == FIRST_GUEST) {
      try (OrcaServer server = LabServer.start(plan.server(), plan.folder());
          ModelLoad load = new ModelLoad(plan)) {
        load.tell("The server is at " + server.connectString());
        kept = load.first();
      }
    } else {
      try (ModelLoad load = new ModelLoad(plan)) {
        kept = Files.exists(plan.ledger()) ? load.secondAgain() : load.second();
      }
    }
    System.exit(kept ? 0 : 1);
  }

  // --- the guests --------------------------------------------------------------------------------

  private boolean first() throws Exception {
    meeting.say("the server is there");
    join();
    work();
    meeting.await("gone");
    writeAway();
    meeting.say("written on");
    writeOnUntilBack();
    settle();
    boolean kept = isKept();
    meeting.await("left");
    meeting.awaitEndOf("here");
    return kept;
  }

  /** Until it is killed. */
  private boolean second() throws Exception {
    meeting.await("the server is there");
    join();
    work();
    return writeUntilKilled();
  }

  /** The life after the one that was killed. */
  private boolean secondAgain() throws Exception {
    meeting.sayWhileHere("here");
    meeting.say("gone");
    meeting.await("written on");
    join();
    comeBack();
    meeting.say("back");
    for (GridMap<String, Long> map : mine()) {
      persist(map, LAST, END);
    }
    settle();
    boolean kept = isKept();
    closeMembers();
    meeting.say("left");
    return kept;
  }

  // --- what they do ------------------------------------------------------------------------------

  private void join() throws IOException, InterruptedException {
    for (int i = 0; i < plan.addresses().size(); i++) {
      HostPort address = plan.addresses().get(i);
      Path folder = plan.folder().resolve("member" + (plan.firstMember() + i));
      members.add(
          Grid.join(
              NodeSettings.of(CLUSTER, SIZE, address, folder)
                  .withMedium(LogMedium.kind(LOG))
                  .withTransport(TransportChoice.parse(Ports.TRANSPORT))
                  .withLease(Ports.LEASE)
                  .withKeys(Ports.KEYS)
                  .withSecurity(Ports.security())
                  .withEnsemble(plan.server().toString())));
    }
    for (MemberGrid member : members) {
      if (!member.awaitServing(Ports.PATIENCE)) {
        throw new IllegalStateException("A member does not serve", member.failure());
      }
    }
    tell("Members serve: " + plan.addresses());
  }

  /** The maps of a model at the members here. */
  private List<GridMap<String, Long>> maps(Ddp model) {
    return maps.computeIfAbsent(
        model, key -> members.stream().map(member -> ModelRounds.map(member, key)).toList());
  }

  /** The maps of all models at the first member here. */
  private List<GridMap<String, Long>> mine() {
    return Ddp.all().stream().map(model -> maps(model).get(0)).toList();
  }

  /** What a member of both guests' writes at first. */
  private static Map<String, Long> own(int member) {
    Map<String, Long> own = new HashMap<>();
    for (long key = 0; key < KEYS; key++) {
      own.put("member" + member + "-" + key, key);
    }
    return own;
  }

  private void work() throws Exception {
    ExecutorService few = Executors.newFixedThreadPool(TOGETHER, ModelLoad::daemon);
    try {
      List<Callable<?>> models = new ArrayList<>();
      for (Ddp model : Ddp.all()) {
        models.add(done(() -> work(model)));
      }
      runAll(few, models);
    } finally {
      few.shutdownNow();
    }
    if (!tallies.values().stream().allMatch(ModelTally::isKept)) {
      // Whoever is killed cannot say so later.
      meeting.say("broken");
    }
    meeting.say("worked " + plan.guest());
    meeting.await("worked " + plan.otherGuest());
    tell("All models have worked");
  }

  private void work(Ddp model) throws Exception {
    losses(() -> spread(model));
    ModelTally tally = tallies.get(model);
    ModelRounds rounds = new ModelRounds(model, plan.rounds(), tally, this::losses);
    List<Callable<?>> parts = new ArrayList<>();
    parts.add(done(() -> rounds.tell(meeting, plan.guest(), members)));
    if (plan.guest() == FIRST_GUEST) {
      parts.add(done(() -> rounds.pass(members.get(1), members.get(0))));
      parts.add(done(() -> rounds.judge(members.get(0))));
    } else {
      parts.add(done(() -> rounds.write(members.get(0))));
    }
    runAll(threads, parts);
    tell(tally.toString());
  }

  /** All write what only they write, until all here see everything. */
  private Void spread(Ddp model) {
    Map<String, Long> all = new HashMap<>();
    for (int member = 0; member < SIZE; member++) {
      all.putAll(own(member));
    }
    for (int i = 0; i < members.size(); i++) {
      maps(model).get(i).setAll(own(plan.firstMember() + i));
    }
    for (GridMap<String, Long> map : maps(model)) {
      // The other guest may have gone on already.
      await(model + " shows all", () -> map.snapshot().entrySet().containsAll(all.entrySet()));
    }
    return null;
  }

  /**
   * Writes with all models at once, and writes down what was told, until it is killed. That may be
   * when all have written some times: those whose writes wait for nobody would keep the others from
   * it, and go on together with them.
   */
  private boolean writeUntilKilled() throws Exception {
    CountDownLatch ready = new CountDownLatch(Ddp.all().size());
    try (ModelLedger ledger = new ModelLedger(plan.ledger())) {
      List<Callable<?>> parts = new ArrayList<>();
      for (GridMap<String, Long> map : mine()) {
        parts.add(done(() -> writeUntilKilled(map, ledger, ready)));
      }
      parts.add(
          () -> {
            ready.await();
            tell("All models have written " + WRITES + " times, and go on until this is killed");
            return Files.createFile(plan.folder().resolve(READY));
          });
      runAll(threads, parts);
    }
    // Nobody but who kills ends this.
    return false;
  }

  private void writeUntilKilled(GridMap<String, Long> map, ModelLedger ledger, CountDownLatch ready)
      throws InterruptedException {
    for (long next = 1; next < END; next++) {
      long number = next;
      // What is done again is a write like any other; what was not told is not in the ledger.
      losses(
          () -> {
            map.set(LAST, number);
            ledger.add(COMPLETED, map.model(), number);
            ledger.add(READ, map.model(), map.get(LAST));
            return null;
          });
      if (number == WRITES) {
        ready.countDown();
        ready.await();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void writeAway() {
    for (Ddp model : Ddp.all()) {
      for (int i = 0; i < members.size(); i++) {
        persist(maps(model).get(i), AWAY + i, 1L);
      }
    }
    tell("Written while a member was away");
  }

  private void writeOnUntilBack() throws Exception {
    long number = 0;
    long end = System.nanoTime() + Ports.PATIENCE.toNanos();
    while (!meeting.isSaid("back")) {
      if (System.nanoTime() - end >= 0) {
        throw new IllegalStateException("The member is not back in " + Ports.PATIENCE);
      }
      number++;
      for (GridMap<String, Long> map : mine()) {
        persist(map, ON, number);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    for (GridMap<String, Long> map : mine()) {
      persist(map, ON, END);
    }
    tell("Written " + number + " times with each model while it came back");
  }

  /** What a model's map has when a member comes back, but for what is still written. */
  private Map<String, Long> before(Ddp model) {
    ModelRounds rounds = new ModelRounds(model, plan.rounds(), tallies.get(model), this::losses);
    Map<String, Long> all = new HashMap<>(rounds.result());
    for (int member = 0; member < SIZE; member++) {
      all.putAll(own(member));
    }
    all.put(AWAY + 0, 1L);
    all.put(AWAY + 1, 1L);
    return all;
  }

  private void comeBack() throws IOException {
    Map<Ddp, Long> completed = ModelLedger.last(plan.ledger(), COMPLETED);
    Map<Ddp, Long> read = ModelLedger.last(plan.ledger(), READ);
    for (Ddp model : Ddp.all()) {
      GridMap<String, Long> map = maps(model).get(0);
      Long found = losses(() -> map.get(LAST));
      long number = found == null ? 0 : found;
      tallies.get(model).look(Claim.COMPLETED_SURVIVES, number >= completed.get(model));
      tallies.get(model).look(Claim.READ_SURVIVES, number >= read.get(model));
      Map<String, Long> before = before(model);
      await(
          model + " has what was written",
          () -> losses(map::snapshot).entrySet().containsAll(before.entrySet()));
      RecoveryReport report = map.recovery().orElse(null);
      tell(
          tallies.get(model)
              + " of "
              + completed.get(model)
              + (report == null
                  ? "; nothing recovered"
                  : "; " + report.found() + " in its log, " + report.lacked() + " from others"));
      // The models that log before they show have all that this member had shown in its log.
      if (report == null
          || (model.persistency().isBeforeVisible() && report.found() < before.size() - 2)) {
        throw new IllegalStateException(model + " was not recovered from its log: " + report);
      }
    }
    tell("It is back with everything");
  }

  /** Waits until all members here have what all have written, and nothing else. */
  private void settle() throws Exception {
    for (Ddp model : Ddp.all()) {
      Map<String, Long> all = before(model);
      all.put(ON, END);
      all.put(LAST, END);
      for (GridMap<String, Long> map : maps(model)) {
        await(model + " settles", () -> losses(map::snapshot).equals(all));
      }
    }
    meeting.say("settled " + plan.guest());
    meeting.await("settled " + plan.otherGuest());
    tell("All members have the same of all models; lives that ended by themselves: " + losses);
  }

  private boolean isKept() throws Exception {
    boolean kept = tallies.values().stream().allMatch(ModelTally::isKept);
    if (!kept) {
      meeting.say("broken");
    }
    boolean broken = meeting.isSaid("broken");
    tell(
        broken
            ? "A model has not kept what it promises"
            : "All models have kept what they promise");
    return !broken;
  }

  // --- how ---------------------------------------------------------------------------------------

  private interface Part {
    void run() throws Exception;
  }

  private static Callable<Void> done(Part part) {
    return () -> {
      part.run();
      return null;
    };
  }

  private static void runAll(ExecutorService threads, List<Callable<?>> parts)
      throws InterruptedException, ExecutionException {
    List<Future<?>> running = new ArrayList<>();
    for (Callable<?> part : parts) {
      running.add(threads.submit(part));
    }
    for (Future<?> each : running) {
      each.get();
    }
  }

  private void persist(GridMap<String, Long> map, String key, long value) {
    losses(
        () -> {
          map.set(key, value);
          return null;
        });
  }

  /** Does something again when a member was left out of the grid meanwhile. */
  private <T> T losses(Supplier<T> what) {
    while (true) {
      try {
        return what.get();
      } catch (SessionLostException e) {
        losses.incrementAndGet();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + Ports.PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        throw new IllegalStateException(what + ": not in " + Ports.PATIENCE);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void tell(String what) {
    System.out.printf(
        "%4d s, guest %d: %s%n",
        Duration.ofNanos(System.nanoTime() - begun).toSeconds(), plan.guest(), what);
  }

  private void closeMembers() {
    members.forEach(MemberGrid::close);
    members.clear();
  }

  @Override
  public void close() throws InterruptedException {
    threads.shutdownNow();
    closeMembers();
    meeting.close();
  }
}
