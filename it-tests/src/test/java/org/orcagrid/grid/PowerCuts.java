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
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;

/**
 * One life of a machine whose power is cut in its midst: processes of {@link MapLoad} on slow
 * disks, each with memory that the others write into. In the second life they are killed as well;
 * in the last one all that was ever written down is judged. {@code build/lab.sh power} has the
 * machine.
 */
final class PowerCuts {
  /** Of each process and map in a life: so many that logs are behind when the power goes. */
  private static final int WRITES = 30;

  private static final String LANDED = "had landed in this node's memory";

  private final Path machine;
  private final List<MapProcess> processes = new ArrayList<>();

  private PowerCuts(Path machine) {
    this.machine = machine;
  }

  /**
   * A folder on a disk, one for the server, one that outlives the machine, whether this is the last
   * life, and the devices of memory, if there are any. The life is {@code -Dorca.lab.life}, from 1.
   */
  public static void main(String[] args) throws Exception {
    int life = Integer.getInteger("orca.lab.life");
    PowerCuts cuts = new PowerCuts(Path.of(args[2]));
    OrcaServer server = OrcaServer.start(OrcaServerConfig.standalone(Path.of(args[1])));
    try {
      MapProcess.Servers servers = new MapProcess.Servers(server.connectString(), null);
      for (int i = 0; i < MapLoad.SIZE; i++) {
        MapProcess.Where where =
            new MapProcess.Where(
                Path.of(args[0], "node" + i),
                cuts.machine.resolve("node" + i),
                args.length > 4 ? args[4 + i] : null);
        cuts.processes.add(new MapProcess(i, where, servers));
      }
      cuts.live(life, Boolean.parseBoolean(args[3]));
    } finally {
      for (MapProcess each : cuts.processes) {
        if (each.isAlive()) {
          each.kill();
        }
      }
      server.close();
    }
  }

  private void live(int life, boolean isLast) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    // All that was in memory is gone with the power, or there was nothing.
    lose();
    start(processes);
    MapProgress.await(processes);
    say(life, "all serve", begun);
    MapProgress.await(processes, WRITES);
    if (life > 1) {
      kill(processes.subList(1, 2));
      say(life, "one was killed", begun);
      lose();
      kill(processes);
      say(life, "all were killed", begun);
    }
    for (MapProcess each : processes) {
      each.output().lines().filter(line -> line.contains(LANDED)).forEach(System.out::println);
    }
    if (isLast) {
      MapProgress.stop(processes);
      judge();
      return;
    }
    // Whoever cuts the power looks for it, while all go on.
    Files.createFile(machine.resolve("cut"));
    MapProgress.await(() -> false, "the power is cut");
  }

  /**
   * One after the other: an emulated machine that is busy with three at once takes them for lost.
   */
  private static void start(List<MapProcess> which) throws IOException {
    for (MapProcess each : which) {
      long mark = each.mark();
      each.start();
      MapProgress.await(
          () -> each.linesSince(mark).size() > 0 || !each.isAlive(), each.ledger() + " begins");
    }
  }

  private void kill(List<MapProcess> which) throws IOException, InterruptedException {
    for (MapProcess each : which) {
      each.kill();
    }
    start(which);
    MapProgress.await(processes);
  }

  private Path losses() {
    return machine.resolve("losses");
  }

  private void lose() throws IOException {
    Files.writeString(
        losses(),
        "LOST " + MapLoad.now() + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static void say(int life, String what, long begun) {
    System.out.printf(
        "life %d: %s after %d s%n", life, what, (System.nanoTime() - begun) / 1_000_000_000);
  }

  private void judge() throws IOException {
    MapLedger ledger = new MapLedger();
    ledger.add(losses());
    for (MapProcess each : processes) {
      ledger.add(each.ledger());
    }
    List<String> faults = ledger.judge();
    System.out.printf(
        "%d writes were acknowledged, and %d reads answered, of keys %d additions and %d acquires;"
            + " faults: %s%n",
        ledger.acknowledged(),
        ledger.reads(),
        ledger.keys().additions(),
        ledger.keys().acquires(),
        faults);
    if (!faults.isEmpty() || !ledger.isOfAll()) {
      throw new AssertionError(faults.size() + " faults");
    }
  }
}
