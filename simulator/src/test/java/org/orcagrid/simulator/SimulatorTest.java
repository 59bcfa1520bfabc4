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
package org.orcagrid.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatorTest {

  @Test
  void whatIsDueFirstHappensFirstAndTiesKeepTheirOrder() {
    Simulation simulation = new Simulation(1);
    List<String> happened = new ArrayList<>();
    simulation.after(20, () -> happened.add("late"));
    simulation.after(10, () -> happened.add("first"));
    simulation.after(
        10,
        () -> {
          happened.add("second");
          simulation.after(0, () -> happened.add("third"));
        });
    simulation.runUntil(15);
    assertEquals(List.of("first", "second", "third"), happened);
    assertEquals(15, simulation.nowNanos());
  }

  @Test
  void theSameSeedIsTheSameRun() {
    assertEquals(run(7), run(7));
    assertNotEquals(run(7), run(8));
  }

  private static List<Long> run(long seed) {
    Simulation simulation = new Simulation(seed);
    SimulatedNetwork network = new SimulatedNetwork(simulation, 2, 10, 1_000, 20);
    List<Long> arrivals = new ArrayList<>();
    for (int n = 0; n < 10; n++) {
      network.open(0, 1).send(() -> arrivals.add(simulation.nowNanos()));
    }
    simulation.runUntil(1_000_000);
    return arrivals;
  }

  @Test
  void aChannelKeepsItsOrderAndStallsWhileItsLinkIsDown() {
    Simulation simulation = new Simulation(3);
    SimulatedNetwork network = new SimulatedNetwork(simulation, 2, 1, 1_000, 10);
    SimulatedNetwork.Channel channel = network.open(0, 1);
    List<Integer> arrived = new ArrayList<>();
    for (int n = 0; n < 100; n++) {
      int number = n;
      channel.send(() -> arrived.add(number));
    }
    network.isolate(1);
    simulation.runUntil(50_000_000);
    assertEquals(List.of(), arrived);
    network.heal();
    simulation.runUntil(100_000_000);
    assertEquals(100, arrived.size());
    for (int n = 0; n < 100; n++) {
      assertEquals(n, arrived.get(n));
    }
  }

  @Test
  void aBrokenChannelDeliversNothing() {
    Simulation simulation = new Simulation(3);
    SimulatedNetwork.Channel channel = new SimulatedNetwork(simulation, 2, 1, 9, 0).open(0, 1);
    List<Integer> arrived = new ArrayList<>();
    channel.send(() -> arrived.add(1));
    channel.breakOff();
    channel.send(() -> arrived.add(2));
    simulation.runUntil(1_000);
    assertEquals(List.of(), arrived);
  }

  @Test
  void aClockDrifts() {
    Simulation simulation = new Simulation(1);
    SimulatedClock clock = new SimulatedClock(simulation, 500, 2);
    List<Long> shown = new ArrayList<>();
    clock.after(100, () -> shown.add(clock.nanos()));
    simulation.runUntil(60);
    assertEquals(List.of(600L), shown);
  }

  @Test
  void aCrashKeepsWhatWasForcedAndAPrefixOfTheRest() {
    for (long seed = 0; seed < 200; seed++) {
      SimulatedLog<Integer> log = new SimulatedLog<>();
      for (int n = 0; n < 10; n++) {
        log.append(n);
      }
      log.force(4);
      log.crash(new Simulation(seed));
      int left = log.entries().size();
      assertTrue(left >= 4 && left <= 10, () -> "left=" + left);
      assertEquals(left, log.forced());
    }
  }
}
