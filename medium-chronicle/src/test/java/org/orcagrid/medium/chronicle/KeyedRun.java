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
package org.orcagrid.medium.chronicle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.durable.segment.CrashableFiles.Fault;
import org.orcagrid.ddp.durable.segment.FaultyFiles;
import org.orcagrid.ddp.durable.segment.SegmentLimits;

/**
 * A medium that is used at random, dies again and again, and is judged after each start by what it
 * has promised. All from a seed.
 */
final class KeyedRun {
  private static final int LIVES = 4;
  private static final int STEPS_MAX = 60;
  private static final ChronicleLimits LIMITS =
      new ChronicleLimits(new SegmentLimits(2048, 300, 1400, 2048 * 3), 40, 6_000);

  private final SplittableRandom random;
  private final Set<MapRule> rules;
  private final FaultyFiles logFiles;
  private final FaultyMapFolder maps;
  private final Fault fault;

  /** All records that the medium may show, by their positions from 1 on. */
  private final List<byte[]> history = new ArrayList<>();

  private long promised;
  private long trimmed;

  /** How many operations there were. */
  record Operations(int ofLog, int ofMaps) {}

  /** Where the fault comes: at an operation of the log's files or of the maps'. */
  record Point(boolean inMaps, int at) {
    static final Point NOWHERE = new Point(false, Integer.MAX_VALUE);
  }

  /** What a medium has shown, does not do and must. */
  static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    Violation(String message) {
      super(message);
    }
  }

  private KeyedRun(Path folder, long seed, Fault fault, Point point, Set<MapRule> rules) {
    this.random = new SplittableRandom(seed);
    this.rules = rules;
    this.fault = fault;
    long chance = seed * 1_000_003 + point.at() * 2L + (point.inMaps() ? 1 : 0);
    this.logFiles = new FaultyFiles(chance);
    this.maps = new FaultyMapFolder(folder, chance);
    if (point.inMaps()) {
      maps.planFault(point.at());
    } else {
      logFiles.planFault(fault, point.at());
    }
  }

  /**
   * Runs.
   *
   * @throws Violation if a promise was broken
   */
  static Operations of(Path folder, long seed, Fault fault, Point point, Set<MapRule> rules)
      throws IOException {
    KeyedRun run = new KeyedRun(folder, seed, fault, point, rules);
    for (int life = 0; life < LIVES; life++) {
      run.live();
    }
    return new Operations(run.logFiles.operations(), run.maps.operations());
  }

  private boolean hasStruck() {
    return logFiles.hasStruck() || maps.hasStruck();
  }

  private void live() {
    try {
      SteppedLog log = new SteppedLog(logFiles, LIMITS.log());
      KeyedLog medium = new KeyedLog(log, maps, LIMITS, TestRecord::sort, rules);
      replay(medium);
      use(medium);
      if (!hasStruck() && random.nextInt(3) == 0) {
        medium.close();
        promised = history.size();
      }
    } catch (IOException | IllegalStateException e) {
      check(hasStruck(), "Refused: " + e);
    }
    die();
  }

  private void die() {
    boolean powerCut = fault == Fault.POWER_CUT || random.nextBoolean();
    if (hasStruck() && random.nextBoolean()) {
      // Soon again: also while what the first fault has left is read.
      maps.planFault(maps.operations() + 1 + random.nextInt(3));
    }
    if (powerCut) {
      logFiles.restartAfterPowerCut();
      maps.restartAfterPowerCut();
    } else {
      logFiles.restart();
      maps.restart();
    }
  }

  private static void check(boolean holds, String violation) {
    if (!holds) {
      throw new Violation(violation);
    }
  }

  // --- after a start -----------------------------------------------------------------------------

  private record Shown(long position, ByteBuffer record) {}

  private void replay(KeyedLog medium) throws IOException {
    List<Shown> shown = new ArrayList<>();
    medium.replay(
        (position, record) ->
            shown.add(
                new Shown(position, ByteBuffer.allocate(record.remaining()).put(record).flip())));
    long last = medium.durable();
    check(last >= promised, "Record " + promised + " was durable, " + last + " is the last");
    check(last <= history.size(), "Record " + last + " was never appended");
    history.subList((int) last, history.size()).clear();
    promised = last;
    long before = 0;
    for (Shown each : shown) {
      check(each.position() >= before, "Out of order: " + each.position());
      check(each.position() <= last, each.position() + " is behind what is durable");
      before = each.position();
      checkRecord(each);
    }
    long first = shown.isEmpty() ? trimmed : Math.min(trimmed, shown.get(0).position());
    checkThatAllIsThere(shown, Math.max(1, first));
  }

  private void checkRecord(Shown shown) {
    byte[] record = history.get((int) shown.position() - 1);
    boolean known = ByteBuffer.wrap(record).equals(shown.record());
    for (byte[] each : TestRecord.keyedParts(record)) {
      known = known || ByteBuffer.wrap(each).equals(shown.record());
    }
    check(known, shown.position() + " is another record");
  }

  /** The order that counts of a key, and where it is. */
  private record Latest(long position, long order) {}

  private Map<Integer, Latest> latest() {
    Map<Integer, Latest> latest = new HashMap<>();
    for (int i = 0; i < history.size(); i++) {
      for (byte[] each : TestRecord.keyedParts(history.get(i))) {
        latest.merge(
            TestRecord.key(each),
            new Latest(i + 1L, TestRecord.order(each)),
            (a, b) -> a.order() > b.order() ? a : b);
      }
    }
    return latest;
  }

  private void checkThatAllIsThere(List<Shown> shown, long first) {
    Map<Integer, Latest> latest = latest();
    for (long position = first; position <= history.size(); position++) {
      byte[] record = history.get((int) position - 1);
      if (record[0] == 'U') {
        check(isShown(shown, position, record), position + " is lost");
      }
      for (byte[] each : TestRecord.keyedParts(record)) {
        int key = TestRecord.key(each);
        boolean counts = latest.get(key).equals(new Latest(position, TestRecord.order(each)));
        check(
            !counts || isShown(shown, position, each) || isShown(shown, position, record),
            position + ", the latest of key " + key + ", is lost");
      }
    }
  }

  private static boolean isShown(List<Shown> shown, long position, byte[] record) {
    return shown.stream()
        .anyMatch(
            each -> each.position() == position && each.record().equals(ByteBuffer.wrap(record)));
  }

  // --- use ---------------------------------------------------------------------------------------

  private void use(KeyedLog medium) {
    boolean trimsOften = random.nextBoolean();
    for (int left = random.nextInt(STEPS_MAX); left > 0 && medium.failure() == null; left--) {
      int choice = random.nextInt(20);
      if (choice < 14) {
        append(medium);
      } else if (choice < 17) {
        medium.force();
      } else if (choice < 19) {
        medium.step();
      } else if (trimsOften) {
        trim(medium);
      }
      long durable = medium.durable();
      check(durable >= promised, "What is durable only grows");
      check(durable <= history.size(), "What is durable was appended");
      promised = durable;
    }
    check(medium.failure() == null || hasStruck(), "Failed: " + medium.failure());
  }

  private void append(KeyedLog medium) {
    byte[] record = TestRecord.random(random, history.size() + 1);
    long position = medium.append(ByteBuffer.wrap(record));
    for (int attempt = 0; attempt < 3 && position == DurableMedium.NOTHING; attempt++) {
      medium.force();
      medium.step();
      if (attempt == 1) {
        trim(medium);
      }
      if (medium.failure() != null) {
        return;
      }
      position = medium.append(ByteBuffer.wrap(record));
    }
    if (position != DurableMedium.NOTHING) {
      history.add(record);
      check(position == history.size(), "Positions go on after " + (history.size() - 1));
    }
  }

  private void trim(KeyedLog medium) {
    long to = random.nextBoolean() ? promised + 1 : trimmed + random.nextInt(20);
    trimmed = Math.max(trimmed, Math.min(to, promised + 1));
    medium.trim(trimmed);
  }
}
