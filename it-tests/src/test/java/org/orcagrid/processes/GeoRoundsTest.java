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
package org.orcagrid.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.Orca;
import org.orcagrid.client.Codec;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.client.GeoException;
import org.orcagrid.geo.client.GeoSession;
import org.orcagrid.geo.client.GeoView;
import org.orcagrid.geo.client.RemoteGeo;
import org.orcagrid.geo.client.Seen;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.WriteGuarantee;

/**
 * A geo store of processes, and sessions that go from datacenter to datacenter, while nodes are
 * killed, stand still, are cut off from each other, lose power with what was not forced, and have
 * wrong clocks. After each round all faults end. Then all replicas come to be the same, and all
 * that clients were told is judged. {@code -Drounds=500} for so many, {@code -Dseed=N} for another
 * first round. A round's seed decides its faults, and when {@code -Drounds=1}, its store's shape.
 *
 * <p>Networks are cut where this machine lets its user make network namespaces.
 */
@Timeout(value = 6, unit = TimeUnit.HOURS)
class GeoRoundsTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 3);
  private static final long SEED = Long.getLong("seed", 1);

  /** Rounds of one store; the next one has another shape. */
  private static final int ROUNDS_OF_STORE = 20;

  private static final List<GeoProcesses.Shape> SHAPES =
      List.of(
          new GeoProcesses.Shape(2, 3, 6),
          new GeoProcesses.Shape(3, 1, 4),
          new GeoProcesses.Shape(3, 3, 4));

  /** Until processes that were started on a busy machine serve. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Until what all of them serve is the same. */
  private static final Duration CONVERGENCE = Duration.ofSeconds(30);

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** So many operations are answered before something fails. */
  private static final int BEFORE_OPERATIONS = 50;

  private static final int OLD_ROUNDS = 8;
  private static final int ANSWER_SECONDS = 3;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path dir;

  private Namespaces namespaces;
  private GeoProcesses processes;

  /** Looks at the store between the rounds. */
  private RemoteGeo looking;

  /** What was there when earlier rounds ended: nobody has written it since. */
  private final Map<String, GeoLedger.Found> old = new LinkedHashMap<>();

  @AfterEach
  void end() {
    endStore();
  }

  private void endStore() {
    if (looking != null) {
      looking.close();
      looking = null;
    }
    if (processes != null) {
      processes.close();
      processes = null;
    }
    if (namespaces != null) {
      namespaces.close();
      namespaces = null;
    }
    old.clear();
  }

  private void beginStore(long seed) throws Exception {
    endStore();
    GeoProcesses.Shape shape =
        SHAPES.get((int) Math.floorMod(seed / ROUNDS_OF_STORE, (long) SHAPES.size()));
    if (new Namespaces.Allowed().missing() == null) {
      namespaces = Namespaces.make(shape.nodes());
    }
    processes = new GeoProcesses(dir.resolve("store-" + seed), shape, namespaces);
    for (int node : shape.all()) {
      processes.start(node, GeoTrialNode.Disk.FORGETS);
    }
    await("store " + seed, PATIENCE, this::connects, () -> "nobody can be connected to");
  }

  private boolean connects() {
    try {
      looking = RemoteGeo.connect(processes.settings().timeout(TIMEOUT));
      return true;
    } catch (GeoException e) {
      // It is tried again.
      return false;
    }
  }

  @Test
  void whatSessionsAskForHoldsWhateverHappens() throws Exception {
    int controls = 0;
    for (int i = 0; i < ROUNDS; i++) {
      long seed = SEED + i;
      if (processes == null || seed % ROUNDS_OF_STORE == 0) {
        beginStore(seed);
      }
      controls += round(seed) ? 1 : 0;
    }
    assertTrue(controls > 0, "who asks for nothing sees older versions, and the judge sees that");
    // The command says so, too.
    assertEquals(0, Orca.commandLine().execute("geo", "verify", "--dir", "" + processes.dir()));
  }

  /** Whether the one who asked for nothing got something that others would not have got. */
  private boolean round(long seed) throws Exception {
    GeoFaults faults = new GeoFaults(processes, new SplittableRandom(seed));
    List<GeoOperation> history;
    Map<String, GeoLedger.Found> found;
    long calmNanos;
    try (GeoLoad load =
        new GeoLoad(processes.settings(), processes.shape(), seed, "r" + seed + "k")) {
      awaitServing("before round " + seed);
      Eventually.await(
          PATIENCE, () -> load.done() >= BEFORE_OPERATIONS, () -> "clients do nothing");
      faults.run();
      calmNanos = System.nanoTime();
      awaitServing("after round " + seed + ": " + faults);
      history = load.stop();
      awaitSame("round " + seed + ": " + faults);
      found = read(load.keys());
    }
    long calmMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - calmNanos);
    List<String> wrong = new ArrayList<>(GeoLedger.judge(history, found));
    Map<String, GeoLedger.Found> again = read(List.copyOf(old.keySet()));
    old.forEach(
        (key, before) -> {
          if (!before.equals(again.get(key))) {
            wrong.add(key + " was " + before + ", and is " + again.get(key));
          }
        });
    remember(found);
    boolean isControlWrong = GeoLedger.judgeControls(history).isPresent();
    System.out.println(line(seed, faults, history, calmMillis, isControlWrong));
    if (!wrong.isEmpty()) {
      Path kept = keep(seed, history);
      fail(
          "-Dseed="
              + seed
              + " -Drounds=1, "
              + faults
              + ", history in "
              + kept
              + ": "
              + wrong
              + "\n"
              + logs());
    }
    return isControlWrong;
  }

  /** Threads and processes are real: what follows from the seed are the faults alone. */
  private static Path keep(long seed, List<GeoOperation> history) throws IOException {
    Path file = Path.of("target", "histories", "geo-" + seed).toAbsolutePath();
    Files.createDirectories(file.getParent());
    return Files.write(file, history.stream().map(GeoOperation::toString).toList());
  }

  private void remember(Map<String, GeoLedger.Found> found) {
    old.putAll(found);
    List<String> keys = List.copyOf(old.keySet());
    keys.subList(0, Math.max(0, keys.size() - OLD_ROUNDS * found.size())).forEach(old::remove);
  }

  private String line(
      long seed,
      GeoFaults faults,
      List<GeoOperation> history,
      long calmMillis,
      boolean isControlWrong) {
    Map<GeoOperation.Outcome, Integer> outcomes = new TreeMap<>();
    history.forEach(each -> outcomes.merge(each.outcome(), 1, Integer::sum));
    return String.format(
        "round %d, %d x %d nodes: %s; %s; the same after %d ms%s",
        seed,
        processes.shape().datacenters(),
        processes.shape().replicas(),
        faults,
        outcomes,
        calmMillis,
        isControlWrong ? "" : "; no control");
  }

  private String logs() {
    StringBuilder all = new StringBuilder();
    processes.shape().all().forEach(node -> all.append(processes.log(node)).append('\n'));
    return all.toString();
  }

  // --- when all is calm --------------------------------------------------------------------------

  private void await(
      String what, Duration limit, Eventually.Condition condition, Supplier<String> otherwise)
      throws Exception {
    Eventually.await(
        limit,
        () -> {
          List<Integer> ended = processes.ended();
          if (!ended.isEmpty()) {
            fail(what + ": nodes " + ended + " have ended by themselves\n" + logs());
          }
          return condition.holds();
        },
        () -> what + ": " + otherwise.get() + "\n" + logs());
  }

  /**
   * Each node serves, each datacenter writes in each partition, and reads what the others have
   * written. A node that comes late keeps all from being the same, and is no fault of the store.
   */
  private void awaitServing(String what) throws Exception {
    String[] last = {"nobody was asked"};
    await(what, PATIENCE, () -> allServe(last) && serves(last), () -> last[0]);
  }

  private boolean allServe(String[] last) throws InterruptedException {
    for (int node : processes.shape().all()) {
      try {
        String text =
            looking.status(processes.address(node), false).get(ANSWER_SECONDS, TimeUnit.SECONDS);
        if (!text.lines().skip(1).allMatch(line -> word(line, "serves").equals("true"))) {
          last[0] = "node " + node + " does not serve all: " + text;
          return false;
        }
      } catch (ExecutionException | TimeoutException e) {
        last[0] = "node " + node + " does not answer: " + e;
        return false;
      }
    }
    return true;
  }

  private boolean serves(String[] last) {
    try (GeoSession session = looking.openSession()) {
      GeoView<String, String> view = session.view("probes", Codec.STRING, Codec.STRING);
      List<String> datacenters = looking.datacenters();
      for (int i = 0; i < 4 * processes.shape().partitions(); i++) {
        GeoView<String, String> writing = view.at(datacenters.get(i % datacenters.size()));
        GeoView<String, String> reading = view.at(datacenters.get((i + 1) % datacenters.size()));
        String value = "at " + System.nanoTime();
        writing.put("probe" + i, value, WriteGuarantee.MONOTONIC_WRITE_FOLLOWS_READS);
        Seen<String> seen = reading.get("probe" + i, ReadGuarantee.MONOTONIC_READ_YOUR_WRITE);
        assertEquals(value, seen.value());
      }
      return true;
    } catch (GeoException e) {
      last[0] = e.getMessage();
      return false;
    }
  }

  /** All replicas have the same, and nobody remembers a deletion. */
  private void awaitSame(String what) throws Exception {
    String[] last = {"nobody was asked"};
    await(what, CONVERGENCE, () -> areSame(last), () -> last[0]);
  }

  private boolean areSame(String[] last) throws InterruptedException {
    Map<String, Map<Integer, String>> digests = new TreeMap<>();
    for (int node : processes.shape().all()) {
      try {
        String text =
            looking.status(processes.address(node), true).get(ANSWER_SECONDS, TimeUnit.SECONDS);
        for (String line : text.lines().skip(1).toList()) {
          digests
              .computeIfAbsent(word(line, "partition"), none -> new TreeMap<>())
              .put(node, word(line, "digest") + "/" + word(line, "deletions"));
        }
      } catch (ExecutionException | TimeoutException e) {
        last[0] = "node " + node + " does not answer: " + e;
        return false;
      }
    }
    last[0] = "digests and deletions by partition and node: " + digests;
    return digests.size() == processes.shape().partitions()
        && digests.values().stream().allMatch(this::isSame);
  }

  private boolean isSame(Map<Integer, String> ofNodes) {
    return ofNodes.size() == processes.shape().nodes()
        && ofNodes.values().stream().distinct().count() == 1
        && ofNodes.get(0).endsWith("/0");
  }

  private static String word(String line, String name) {
    int at = (" " + line).indexOf(" " + name + "=");
    String rest = line.substring(at + name.length() + 1);
    return rest.contains(" ") ? rest.substring(0, rest.indexOf(' ')) : rest;
  }

  /** What all datacenters have. */
  private Map<String, GeoLedger.Found> read(List<String> keys) {
    Map<String, GeoLedger.Found> found = new LinkedHashMap<>();
    try (GeoSession session = looking.openSession()) {
      GeoView<String, String> view = session.view(GeoLoad.VIEW, Codec.STRING, Codec.STRING);
      for (String key : keys) {
        for (String datacenter : looking.datacenters()) {
          Seen<String> seen = view.at(datacenter).get(key, ReadGuarantee.EVENTUAL);
          // Where in the log of its datacenter it is does not matter here.
          Version version = new Version(seen.version().time(), seen.version().datacenter(), 0);
          GeoLedger.Found there = new GeoLedger.Found(version, GeoLoad.id(seen.value()));
          GeoLedger.Found before = found.putIfAbsent(key, there);
          assertTrue(before == null || before.equals(there), () -> key + ": " + before + there);
        }
      }
    }
    return found;
  }
}
