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
package org.orcagrid.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.load.LoadMode;
import org.orcagrid.bench.load.LoadPlan;
import org.orcagrid.bench.system.SystemSpec;

/** Says in words under which conditions figures were measured; every output carries it. */
public final class Conditions {
  private Conditions() {}

  /** Returns the machine in one line. */
  public static String machine(Machine machine) {
    return String.format(
        Locale.ROOT,
        "%s, %d cores, %.0f GB, %s, %s; fsync of 512 bytes %s us (p99 %s us), loopback round trip"
            + " %s us (medians).",
        machine.cpu(),
        machine.cores(),
        machine.memoryGb(),
        machine.kernel(),
        machine.jdk(),
        Numbers.plain(machine.fsyncMicros()),
        Numbers.plain(machine.fsyncP99Micros()),
        Numbers.plain(machine.loopbackMicros()));
  }

  /** Returns what was sent, in one line. */
  public static String load(ExperimentPlan plan) {
    LoadPlan.Pacing pacing = plan.load().pacing();
    String sending =
        switch (pacing.mode()) {
          case CLOSED -> "closed-loop clients";
          case PIPELINED -> "clients with up to " + pacing.window() + " operations in flight";
          case RATE ->
              "clients that send " + Numbers.setting(pacing.ratePerSecond()) + " operations/s";
        };
    return String.format(
        Locale.ROOT,
        "%d servers and all clients on this one machine, %s, reads from %s, %d records of %d"
            + " bytes, %s s warm-up and %s s measured, %d %s.",
        plan.servers().count(),
        sending,
        switch (plan.load().reads()) {
          case LEADER -> "the leader";
          case ALL -> "all servers";
          case ANSWERING -> "the leader where only that answers, otherwise from all servers";
        },
        plan.load().data().records(),
        plan.load().data().valueBytes(),
        Numbers.setting(plan.load().time().warmUpSeconds()),
        Numbers.setting(plan.load().time().measuredSeconds()),
        plan.rounds(),
        plan.rounds() == 1 ? "round" : "rounds");
  }

  /** Returns which kind of latency the figures are. */
  public static String latency(ExperimentPlan plan) {
    return plan.load().pacing().mode() == LoadMode.RATE
        ? "Latency counts from when an operation was due."
        : "Latency is service time; data.csv and data.json also have it corrected for coordinated"
            + " omission.";
  }

  /** Returns what an added delay means, as one line. */
  public static String delay(double delayMs) {
    return delayMs == 0
        ? "No delay added."
        : "ADDED DELAY: every fsync of every server takes "
            + Numbers.setting(delayMs)
            + " ms longer than this disk needs.";
  }

  /** Returns what an added delay between servers means, as one line. */
  public static String linkDelay(double delayMs) {
    return "ADDED DELAY: everything that one server sends to another takes "
        + Numbers.setting(delayMs)
        + " ms longer on its way, by a relay in the measuring process.";
  }

  /** Returns the lines under a chart: added delays if there are any, load, machine. */
  public static List<String> notes(ExperimentPlan plan, Machine machine) {
    List<String> notes = new ArrayList<>();
    List<Double> added = plan.fsyncDelaysMs().stream().filter(delay -> delay > 0).toList();
    if (added.isEmpty()) {
      notes.add(delay(0));
    }
    added.forEach(delay -> notes.add(delay(delay)));
    if (plan.servers().linkDelayMs() > 0) {
      notes.add(linkDelay(plan.servers().linkDelayMs()));
    }
    notes.add(load(plan));
    notes.add(machine(machine));
    return notes;
  }

  /** Returns all of it as the opening paragraphs of a Markdown page, with what each system is. */
  public static String page(ExperimentPlan plan, Machine machine) {
    StringBuilder page = new StringBuilder();
    page.append("Machine: ").append(machine(machine)).append("\n\n");
    page.append("Load: ").append(load(plan)).append("\n\n");
    if (plan.servers().linkDelayMs() > 0) {
      page.append(linkDelay(plan.servers().linkDelayMs())).append("\n\n");
    }
    page.append(latency(plan));
    page.append(" Figures are medians over the rounds, with their range where there are several.");
    page.append(" A read-modify-write is two requests.\n\n");
    for (SystemSpec spec : plan.systems()) {
      page.append("- **").append(spec.id()).append("**: ").append(spec.guarantee()).append('\n');
    }
    return page.append('\n').toString();
  }
}
