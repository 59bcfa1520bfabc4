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
package org.orcagrid.seeds;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs seeds of all kinds of simulated runs, by turns and by weight, so that a run which is stopped
 * has been at all of them. A seed that fails is told, and the others go on.
 */
public final class Seeds {
  private static final String USAGE =
      "build/seeds.sh COUNT [FIRST]: so many seeds of all kinds; or build/seeds.sh replay NAME"
          + " SEED";
  private static final long TOLD_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final List<SeedRun> runs;
  private final Consumer<String> console;
  private final Map<SeedRun, Spent> spent = new HashMap<>();

  /** What one kind has had. */
  private static final class Spent {
    private long seeds;
    private long nanos;
    private long failed;
  }

  Seeds(List<SeedRun> runs, Consumer<String> console) {
    this.runs = runs;
    this.console = console;
    runs.forEach(run -> spent.put(run, new Spent()));
  }

  /** Runs {@code COUNT} seeds, or one again; ends with 1 if a seed has failed. */
  public static void main(String[] args) {
    Seeds seeds = new Seeds(SeedRuns.all(), System.out::println);
    int status;
    try {
      if (args.length == 3 && args[0].equals("replay")) {
        status = seeds.replay(args[1], Long.parseLong(args[2])) ? 0 : 1;
      } else if (args.length == 1 || args.length == 2) {
        long first = args.length == 1 ? 1 : Long.parseLong(args[1]);
        status = seeds.run(Long.parseLong(args[0]), first) == 0 ? 0 : 1;
      } else {
        throw new IllegalArgumentException("Not understood: " + List.of(args));
      }
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "\n" + USAGE);
      status = 2;
    }
    System.exit(status);
  }

  /** Runs so many seeds in all; those of a kind begin with {@code first}. How many have failed. */
  long run(long count, long first) {
    long begun = System.nanoTime();
    long told = begun;
    for (long done = 0; done < count; done++) {
      runNext(first);
      if (System.nanoTime() - told > TOLD_NANOS) {
        told = System.nanoTime();
        console.accept((done + 1) + " seeds in " + seconds(told - begun) + " s, " + failed());
      }
    }
    for (SeedRun run : runs) {
      Spent of = spent.get(run);
      console.accept(
          String.format(
              "%8d seeds %8.1f s  %s%s",
              of.seeds, of.nanos / 1e9, run.name(), of.failed == 0 ? "" : ": FAILED " + of.failed));
    }
    console.accept(count + " seeds in " + seconds(System.nanoTime() - begun) + " s, " + failed());
    return spent.values().stream().mapToLong(each -> each.failed).sum();
  }

  private void runNext(long first) {
    SeedRun run = leastServed();
    Spent of = spent.get(run);
    long seed = first + of.seeds;
    long begin = System.nanoTime();
    List<String> wrong = run.run(seed, null);
    of.nanos += System.nanoTime() - begin;
    of.seeds++;
    if (!wrong.isEmpty()) {
      of.failed++;
      console.accept("FAILED: replay " + run.name() + " " + seed);
      wrong.forEach(each -> console.accept("  " + each));
    }
  }

  /** The kind that is farthest behind its share. */
  private SeedRun leastServed() {
    SeedRun least = runs.get(0);
    for (SeedRun each : runs) {
      long ofEach = (spent.get(each).seeds + 1) * least.weight();
      if (ofEach < (spent.get(least).seeds + 1) * each.weight()) {
        least = each;
      }
    }
    return least;
  }

  private String failed() {
    List<String> names = new ArrayList<>();
    for (SeedRun run : runs) {
      if (spent.get(run).failed > 0) {
        names.add(spent.get(run).failed + " of " + run.name());
      }
    }
    return "failed: " + (names.isEmpty() ? "none" : names);
  }

  private static long seconds(long nanos) {
    return TimeUnit.NANOSECONDS.toSeconds(nanos);
  }

  /** Runs a seed again and tells what happens; whether nothing is wrong with it. */
  boolean replay(String name, long seed) {
    SeedRun run =
        runs.stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "There is no '"
                            + name
                            + "'; there are "
                            + runs.stream().map(SeedRun::name).toList()));
    List<String> wrong = run.run(seed, console);
    wrong.forEach(console);
    console.accept(name + " " + seed + (wrong.isEmpty() ? ": nothing is wrong" : ": FAILED"));
    return wrong.isEmpty();
  }
}
