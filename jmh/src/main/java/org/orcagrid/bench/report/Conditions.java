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

import java.util.List;
import java.util.Locale;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.load.LoadMode;
import org.orcagrid.bench.load.LoadPlan;

/** Says in words under which conditions figures were measured; every output carries it. */
final class Conditions {
  private Conditions() {}

  /** Returns the machine in one line. */
  static String machine(Machine machine) {
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
  static String load(ExperimentPlan plan) {
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
            + " bytes, %s s warm-up and %s s measured, %d rounds.",
        plan.servers(),
        sending,
        switch (plan.load().reads()) {
          case LEADER -> "the leader";
          case ALL -> "all servers";
        },
        plan.load().data().records(),
        plan.load().data().valueBytes(),
        Numbers.setting(plan.load().time().warmUpSeconds()),
        Numbers.setting(plan.load().time().measuredSeconds()),
        plan.rounds());
  }

  /** Returns which kind of latency the figures are. */
  static String latency(ExperimentPlan plan) {
    return plan.load().pacing().mode() == LoadMode.RATE
        ? "Latency counts from when an operation was due."
        : "Latency is service time; data.csv and data.json also have it corrected for coordinated"
            + " omission.";
  }

  /** Returns what an added delay means, as one line. */
  static String delay(double delayMs) {
    return delayMs == 0
        ? "No delay added."
        : "ADDED DELAY: every fsync of every server takes "
            + Numbers.setting(delayMs)
            + " ms longer than this disk needs.";
  }

  /** Returns the notes that a chart carries. */
  static List<String> notes(ExperimentPlan plan, Machine machine, double delayMs) {
    return List.of(delay(delayMs), load(plan), machine(machine));
  }
}
