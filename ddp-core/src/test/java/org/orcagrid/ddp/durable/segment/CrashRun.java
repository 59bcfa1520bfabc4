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
package org.orcagrid.ddp.durable.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.orcagrid.ddp.durable.DurableMedium;

/**
 * A log that is used at random, dies again and again, and is judged after each start by what it has
 * promised. All from a seed.
 */
public final class CrashRun {
  private static final int LIVES = 5;
  private static final int STEPS_MAX = 50;
  private static final int RECORD_BYTES_MAX = 300;

  private final SplittableRandom random;
  private final Set<SegmentRule> rules;
  private final CrashableFiles files;
  private final CrashableFiles.Fault fault;

  /** All records that the log may show, by their positions from 1 on. */
  private final List<byte[]> history = new ArrayList<>();

  /** What it must show: up to here, but nothing before {@link #trimmed}. */
  private long promised;

  private long trimmed;
  private int shown;

  /** What the last replay has not shown, and may be appended again as it was. */
  private final Deque<byte[]> again = new ArrayDeque<>();

  /** What a log has shown, does not do and must. */
  public static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    Violation(String message) {
      super(message);
    }
  }

  private CrashRun(
      CrashableFiles files,
      long seed,
      CrashableFiles.Fault fault,
      int faultAt,
      Set<SegmentRule> rules) {
    this.random = new SplittableRandom(seed);
    this.rules = rules;
    this.fault = fault;
    this.files = files;
    files.planFault(fault, faultAt);
  }

  /**
   * Runs.
   *
   * @return how many operations of its files there were
   * @throws Violation if a promise was broken
   */
  static int of(long seed, CrashableFiles.Fault fault, int faultAt, Set<SegmentRule> rules) {
    // What is lost differs from one place of the fault to the next.
    CrashableFiles files = new FaultyFiles(seed * 1_000_003 + faultAt);
    return of(files, seed, fault, faultAt, rules);
  }

  /**
   * The same on other files, which are empty: those of another medium.
   *
   * @return how many operations of its files there were
   * @throws Violation if a promise was broken
   */
  public static int of(CrashableFiles files, long seed, CrashableFiles.Fault fault, int faultAt) {
    return of(files, seed, fault, faultAt, SegmentRule.all());
  }

  /** The same with a log that calls durable what it has not forced: it must be found. */
  public static int withoutForce(
      CrashableFiles files, long seed, CrashableFiles.Fault fault, int faultAt) {
    return of(files, seed, fault, faultAt, SegmentRule.without(SegmentRule.FORCE_BEFORE_DURABLE));
  }

  private static int of(
      CrashableFiles files,
      long seed,
      CrashableFiles.Fault fault,
      int faultAt,
      Set<SegmentRule> rules) {
    CrashRun run = new CrashRun(files, seed, fault, faultAt, rules);
    for (int life = 0; life < LIVES; life++) {
      run.live();
    }
    return run.files.operations();
  }

  private SegmentLimits limits() {
    // A file may be found that is longer or shorter than those that are made now.
    int segmentBytes = random.nextInt(8) == 0 ? 3072 : 2048;
    return new SegmentLimits(
        segmentBytes, RECORD_BYTES_MAX, 1400, segmentBytes * (2L + random.nextInt(3)));
  }

  private void live() {
    SegmentLog log = null;
    try {
      log = new SegmentLog(files, limits(), rules);
      replay(log);
      use(log);
    } catch (IOException e) {
      check(files.hasStruck(), "Refused: " + e.getMessage());
    }
    die(log);
  }

  private void die(SegmentLog log) {
    boolean struck = files.hasStruck();
    if (!struck && log != null && random.nextInt(3) == 0) {
      close(log);
    }
    boolean powerCut = fault == CrashableFiles.Fault.POWER_CUT;
    if (!struck || fault == CrashableFiles.Fault.REFUSAL) {
      powerCut = random.nextInt(3) != 0;
    }
    if (powerCut) {
      files.restartAfterPowerCut();
    } else {
      files.restart();
    }
    if (struck && random.nextBoolean()) {
      // Soon again: also while what the first fault has left is read.
      files.planFault(fault, files.operations() + 1 + random.nextInt(12));
    }
  }

  private void close(SegmentLog log) {
    try {
      log.close();
      promised = history.size();
      check(log.durable() == promised, "What was closed is durable");
    } catch (IOException e) {
      check(files.hasStruck(), "Cannot be closed: " + e.getMessage());
      promised = log.durable();
    }
  }

  // --- after a start -----------------------------------------------------------------------------

  private void replay(SegmentLog log) throws IOException {
    long[] positions = {0, 0};
    shown = 0;
    log.replay(
        (position, record) -> {
          if (positions[0] == 0) {
            positions[0] = position;
          } else {
            check(position == positions[1] + 1, "A gap before " + position);
          }
          positions[1] = position;
          checkRecord(position, record);
          shown++;
        });
    long last = shown == 0 ? log.durable() : positions[1];
    long first = shown == 0 ? last + 1 : positions[0];
    check(first <= Math.max(1, trimmed), "Records before " + first + " are lost");
    check(last >= promised, "Record " + promised + " was durable, " + last + " is the last");
    check(last <= history.size(), "Record " + last + " was never appended");
    check(log.durable() == last, "What was read is durable");
    List<byte[]> notShown = history.subList((int) last, history.size());
    again.clear();
    again.addAll(notShown);
    notShown.clear();
    promised = last;
  }

  private void checkRecord(long position, ByteBuffer record) {
    check(position >= 1 && position <= history.size(), position + " was never appended");
    byte[] bytes = new byte[record.remaining()];
    record.get(bytes);
    check(Arrays.equals(history.get((int) position - 1), bytes), position + " is another record");
  }

  private static void check(boolean holds, String violation) {
    if (!holds) {
      throw new Violation(violation);
    }
  }

  // --- use ---------------------------------------------------------------------------------------

  private void use(SegmentLog log) {
    // Else it is trimmed when it is full, and the file that comes free is used at once.
    boolean trimsOften = random.nextBoolean();
    for (int left = random.nextInt(STEPS_MAX); left > 0 && log.failure() == null; left--) {
      int choice = random.nextInt(20);
      if (choice < 11) {
        append(log);
      } else if (choice < 16) {
        step(log);
      } else if (choice < 19 && trimsOften) {
        trim(log);
      } else {
        log.makeSpare();
      }
    }
    if (log.failure() != null) {
      checkThatItHasFailedForGood(log);
    }
  }

  private void append(SegmentLog log) {
    byte[] record = nextRecord();
    long position = log.append(ByteBuffer.wrap(record));
    if (position == DurableMedium.NOTHING) {
      step(log);
      trim(log);
      position = log.failure() == null ? log.append(ByteBuffer.wrap(record)) : position;
    }
    if (position != DurableMedium.NOTHING) {
      history.add(record);
      check(position == history.size(), "Positions go on after " + (history.size() - 1));
    }
  }

  private byte[] nextRecord() {
    if (!again.isEmpty() && random.nextInt(4) != 0) {
      return again.poll();
    }
    again.clear();
    byte[] record = new byte[random.nextInt(random.nextBoolean() ? 20 : RECORD_BYTES_MAX + 1)];
    for (int i = 0; i < record.length; i++) {
      // Many zeros: a sector that was not written may look as if it had been.
      record[i] = (byte) (random.nextInt(3) == 0 ? random.nextInt() : 0);
    }
    return record;
  }

  private void step(SegmentLog log) {
    log.step();
    long durable = log.durable();
    check(durable >= promised, "What is durable only grows");
    check(durable <= history.size(), "What is durable was appended");
    promised = durable;
  }

  private void trim(SegmentLog log) {
    trimmed =
        random.nextBoolean()
            ? promised + 1
            : trimmed + random.nextInt((int) (promised + 2 - trimmed));
    log.trim(trimmed);
  }

  private void checkThatItHasFailedForGood(SegmentLog log) {
    check(files.hasStruck(), "Failed without a fault: " + log.failure());
    long durable = log.durable();
    check(!log.step() && log.durable() == durable, "Nothing becomes durable after a failure");
    try {
      log.append(ByteBuffer.allocate(1));
      throw new Violation("A log that has failed took a record");
    } catch (IllegalStateException expected) {
      check(expected.getCause() == log.failure(), "It says why it has failed");
    }
  }
}
