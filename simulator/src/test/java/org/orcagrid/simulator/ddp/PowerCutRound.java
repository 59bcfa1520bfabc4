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
package org.orcagrid.simulator.ddp;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.orcagrid.ddp.durable.segment.PoweredDevice;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/**
 * A round: clients work on maps of several models, the power of one node, of some or of all is cut
 * under them once or twice, all come back on what has survived, and the histories are judged.
 *
 * <p>The seed says what clients do, when the power is cut and what survives of what was not forced.
 * Threads are real, so that the same seed is another run each time: a failure tells all that is
 * known.
 */
final class PowerCutRound {
  private static final int NODES = 3;
  private static final int MAPS = 2;
  private static final long PATIENCE_SECONDS = 120;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Whose power is cut. */
  private enum Cut {
    ONE,
    SOME,
    /** One after the other: who is left goes on alone for a while. */
    ALL_IN_TURN,
    /** Nobody learns of anybody's end. */
    ALL_AT_ONCE
  }

  private final long seed;
  private final SplittableRandom random;
  private final ExecutorService threads;
  private final PoweredGrid grid;
  private final List<MapHistory> histories = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private int crashes;

  private PowerCutRound(
      long seed, ExecutorService threads, Path folder, PoweredDevice.Honesty honesty)
      throws IOException, InterruptedException {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.threads = threads;
    this.grid = new PoweredGrid(NODES, folder, random.split(), honesty);
  }

  /**
   * What was found.
   *
   * @param cuts nodes that lost power
   * @param operations operations that ended
   * @param landed records that the nodes of the last lives have put into each other's memory
   * @param faults promises that were broken; none if all is well
   */
  record Result(int cuts, int operations, long landed, List<String> faults) {
    Result {
      faults = List.copyOf(faults);
    }
  }

  /** Runs a round on maps with these models. */
  static Result of(
      long seed,
      List<Ddp> models,
      ExecutorService threads,
      Path folder,
      PoweredDevice.Honesty honesty)
      throws IOException, InterruptedException {
    PowerCutRound round = new PowerCutRound(seed, threads, folder, honesty);
    try {
      return round.run(models);
    } catch (AssertionError | IllegalStateException e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage() + round.describe(), e);
    } finally {
      round.grid.close();
    }
  }

  /** The models of a seed: all come round. */
  static List<Ddp> models(long seed) {
    List<Ddp> bound = new ArrayList<>(Ddp.ofPaper());
    List<Ddp> chosen = new ArrayList<>();
    for (int map = 0; map < MAPS; map++) {
      chosen.add(bound.get(Math.floorMod(seed * MAPS + map, bound.size())));
    }
    return chosen;
  }

  private Result run(List<Ddp> models) throws IOException, InterruptedException {
    define(models);
    grid.awaitServing();
    int cycles = 1 + random.nextInt(2);
    for (int cycle = 0; cycle < cycles; cycle++) {
      cycle(Cut.values()[random.nextInt(Cut.values().length)]);
    }
    await(load(10, new AtomicBoolean()));
    return judged();
  }

  private void define(List<Ddp> models) throws IOException, InterruptedException {
    for (int map = 0; map < models.size(); map++) {
      Conflicts conflicts = random.nextBoolean() ? Conflicts.ABORT : Conflicts.WAIT;
      MapDefinition defined = null;
      for (int node = 0; node < NODES; node++) {
        defined = grid.node(node).define("map" + map, models.get(map), conflicts, PATIENCE_NANOS);
      }
      histories.add(new MapHistory(defined, 1 + random.nextInt(5)));
    }
  }

  /** Clients of all maps, under way. */
  private List<CompletableFuture<Void>> load(int operations, AtomicBoolean over) {
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    for (MapHistory history : histories) {
      int count = 1 + random.nextInt(4);
      for (int client = 0; client < count; client++) {
        int some = 1 + random.nextInt(2 * operations);
        MapClient each = new MapClient(grid, history, random.split(), some, over::get);
        clients.add(CompletableFuture.runAsync(each::run, threads));
      }
    }
    return clients;
  }

  private static void await(List<CompletableFuture<Void>> clients) throws InterruptedException {
    try {
      CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new))
          .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("A client has failed: " + e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      throw new AssertionError("Clients hang", e);
    }
  }

  private void cycle(Cut cut) throws IOException, InterruptedException {
    List<Integer> order = new ArrayList<>(IntStream.range(0, NODES).boxed().toList());
    Collections.shuffle(order, new Random(random.nextLong()));
    boolean all = cut == Cut.ALL_AT_ONCE || cut == Cut.ALL_IN_TURN;
    int many = all ? NODES : cut == Cut.ONE ? 1 : 1 + random.nextInt(NODES - 1);
    List<Integer> victims = List.copyOf(order.subList(0, many));
    AtomicBoolean over = new AtomicBoolean();
    List<CompletableFuture<Void>> clients = load(30, over);
    if (cut == Cut.ALL_AT_ONCE) {
      grid.stopAgreeing();
    }
    int operations = 1 + random.nextInt(120);
    for (int node : victims) {
      int after = cut == Cut.ALL_AT_ONCE ? operations : random.nextInt(120);
      grid.device(node).cutAfter(after);
    }
    told.add(cut + " " + victims + " at " + System.nanoTime());
    awaitDead(victims, cut == Cut.ALL_AT_ONCE, clients);
    if (all) {
      // Whoever still asks is told nothing any more, and asks nothing new.
      over.set(true);
      await(clients);
    }
    told.add("started again at " + System.nanoTime());
    grid.restart(victims, cut == Cut.ALL_AT_ONCE);
    grid.awaitServing();
    if (all) {
      for (MapHistory history : histories) {
        history.recovered(grid.node(order.get(0)));
      }
    }
    await(clients);
  }

  /** When all of them have lost power, at the latest when there is nothing to do any more. */
  private void awaitDead(
      List<Integer> victims, boolean together, List<CompletableFuture<Void>> clients) {
    PoweredGrid.await(
        () ->
            clients.stream().allMatch(CompletableFuture::isDone)
                || victims.stream().allMatch(node -> grid.device(node).isDead())
                || (together && victims.stream().anyMatch(node -> grid.device(node).isDead())),
        "the power is cut");
    victims.forEach(node -> grid.device(node).cut());
    crashes += victims.size();
    victims.forEach(grid::abandon);
  }

  private Result judged() throws InterruptedException {
    List<String> faults = new ArrayList<>();
    int operations = 0;
    for (MapHistory history : histories) {
      DdpVerdict verdict = history.judge(finalStates(history), crashes);
      List<String> found = new ArrayList<>(verdict.broken());
      verdict
          .missed()
          .forEach(
              (promise, example) -> {
                if (promise.isMadeBy(history.map().model())) {
                  found.add(promise + ": " + example);
                }
              });
      if (!found.isEmpty()) {
        faults.add("seed " + seed + ": " + found + describe());
      }
      operations += verdict.operations();
    }
    return new Result(crashes, operations, grid.recordsInZones(), faults);
  }

  /** What the nodes have when they have told each other all; the judge sees it if they differ. */
  private List<Map<Integer, Long>> finalStates(MapHistory history) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      List<Map<Integer, Long>> states = new ArrayList<>();
      for (int node = 0; node < NODES; node++) {
        states.add(history.state(grid.node(node)));
      }
      if (states.stream().distinct().count() == 1 || System.nanoTime() - end > 0) {
        return states;
      }
      Thread.onSpinWait();
    }
  }

  private String describe() {
    StringBuilder text = new StringBuilder("\n" + told + "\n");
    histories.forEach(history -> text.append(history.describe()));
    return text.toString();
  }
}
