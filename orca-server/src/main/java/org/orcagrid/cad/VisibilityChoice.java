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
package org.orcagrid.cad;

/**
 * When a leader shows a write: early, as soon as it is logged, or late, once it is durable.
 *
 * <p>With consistency-aware durability a write is shown early, and who reads it before it is
 * durable waits (section 3 of the paper). Section 5.1.2 calls it a bad workload for that if most
 * reads ask for what was just written. On a slow disk such readers wait for longer than writers
 * would. Both ways promise that what is read is durable. So the leader takes what costs its clients
 * less, by what they have waited for each write.
 *
 * <p>While writes are shown late, nobody waits that would if they were shown early. That is
 * estimated from the reads that there are, and from what a read has waited when it was measured
 * last. It is measured again once in a while, for a short time. While writes are shown early, what
 * showing them late has cost is forgotten by and by, so that it is tried again.
 *
 * <p>Not thread-safe; the owner guards it. It is told what has happened once in a heartbeat.
 */
public final class VisibilityChoice {

  /** With fewer writes than this in a heartbeat nothing is concluded. */
  static final int WRITES_MIN = 5;

  /** So many heartbeats in a row have to say the same. */
  static final int AGREEMENT = 4;

  /** Shown late for so many heartbeats, before it is measured what showing early costs. */
  static final int LATE_BEATS = 50;

  /** How many heartbeats that takes; the first is not counted. */
  static final int TRIAL_BEATS = 2;

  /** Late has to be better by this factor. */
  private static final double MARGIN = 1.05;

  /**
   * By how much more for each write, too: where both ways cost about the same, writes are shown
   * early. The few that are shown late wait for long, and many readers wait for a little.
   */
  private static final double PREFERENCE_NANOS = 700_000;

  /** How much of an estimate a new measurement makes up. */
  private static final double WEIGHT = 0.3;

  /** How much of what showing late has cost is forgotten in a heartbeat in which it is early. */
  private static final double FADE = 0.02;

  /** What a write waits for durability where nobody has measured it, in forces, and beside them. */
  private static final double FORCES = 1.5;

  private static final double ROUND_TRIP_NANOS = 500_000;

  /**
   * What a reply that is held costs beside its wait, as if it were one: a flush round that nothing
   * else asks for, its messages, and threads that are woken up. Measured on YCSB-D.
   */
  static final long HELD_NANOS = 500_000;

  private static final double UNKNOWN = -1;

  /**
   * What has happened in a heartbeat.
   *
   * @param held replies that were held until what they show was durable, at all servers
   * @param heldNanos how long those were held
   * @param reads at all servers
   * @param writes that were proposed
   * @param lateWrites that were committed late
   * @param lateNanos how long those have waited
   * @param forceNanos how long a force takes
   */
  public record Beat(
      long held,
      long heldNanos,
      long reads,
      long writes,
      long lateWrites,
      long lateNanos,
      long forceNanos) {

    private double heldCost() {
      return heldNanos + (double) held * HELD_NANOS;
    }
  }

  private boolean late;

  /** What clients wait for a write that is shown late, in nanoseconds. */
  private double lateCost = UNKNOWN;

  /** What a read waits, on average, while writes are shown early. */
  private double readCost = UNKNOWN;

  private int agreeing;
  private int beats;
  private boolean onTrial;

  /** Shows writes early. */
  public VisibilityChoice() {}

  /** Whether a write is to be committed only once it is durable. */
  public boolean isLate() {
    return late;
  }

  /** A heartbeat has passed. */
  public void onBeat(Beat beat) {
    beats++;
    if (late) {
      onLateBeat(beat);
    } else if (!onTrial) {
      onEarlyBeat(beat);
    } else if (beats == TRIAL_BEATS) {
      onTrialEnds(beat);
    }
  }

  /** Writes have waited for so long that they are committed before they are durable after all. */
  public void onOverdue() {
    change(false);
    onTrial = false;
    lateCost = UNKNOWN;
  }

  private void onEarlyBeat(Beat beat) {
    if (beat.reads() > 0) {
      readCost = mixed(readCost, beat.heldCost() / beat.reads());
    }
    if (beat.writes() < WRITES_MIN) {
      return;
    }
    double cost = beat.heldCost() / beat.writes();
    double estimate = FORCES * beat.forceNanos() + ROUND_TRIP_NANOS;
    if (lateCost > estimate) {
      // It may have been measured while the machine was busy with something else.
      lateCost += FADE * (estimate - lateCost);
    }
    if (agree(cost > MARGIN * Math.max(lateCost, estimate) + PREFERENCE_NANOS)) {
      change(true);
    }
  }

  private void onLateBeat(Beat beat) {
    if (beat.lateWrites() >= WRITES_MIN) {
      // What was written early before may still hold replies.
      lateCost = mixed(lateCost, (beat.lateNanos() + beat.heldCost()) / beat.lateWrites());
      double shadow = readCost * beat.reads() / beat.lateWrites();
      if (agree(isEarlyBetter(shadow))) {
        change(false);
        return;
      }
    }
    if (beats >= LATE_BEATS) {
      change(false);
      onTrial = true;
    }
  }

  private void onTrialEnds(Beat beat) {
    onTrial = false;
    if (beat.reads() > 0) {
      readCost = beat.heldCost() / beat.reads();
    }
    change(beat.writes() >= WRITES_MIN && !isEarlyBetter(beat.heldCost() / beat.writes()));
  }

  /** While writes are shown late; without the margin, so that the choice does not flutter. */
  private boolean isEarlyBetter(double earlyCost) {
    return earlyCost < lateCost + PREFERENCE_NANOS;
  }

  private boolean agree(boolean forChange) {
    agreeing = forChange ? agreeing + 1 : 0;
    return agreeing >= AGREEMENT;
  }

  private void change(boolean toLate) {
    late = toLate;
    agreeing = 0;
    beats = 0;
  }

  private static double mixed(double before, double now) {
    return before == UNKNOWN ? now : (1 - WEIGHT) * before + WEIGHT * now;
  }
}
