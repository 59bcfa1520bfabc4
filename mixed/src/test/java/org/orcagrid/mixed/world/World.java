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
package org.orcagrid.mixed.world;

import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.orcagrid.simulator.Simulation;

/**
 * What simulated worlds have in common: virtual milliseconds and chance from a seed, faults that
 * end some time, and the first violation, after which nothing happens any more.
 */
public abstract class World {
  private final Simulation simulation;
  private final Set<String> happened = new TreeSet<>();
  private final long faultsEnd;
  private String violation;

  /** A world whose faults end at a time. */
  protected World(long seed, long faultsEnd) {
    this.simulation = new Simulation(seed);
    this.faultsEnd = faultsEnd;
  }

  /** Plays until all has come to rest; what is wrong, null if nothing is. */
  public final String run() {
    begin();
    simulation.runUntil(restsAt());
    if (violation == null) {
      judge();
    }
    return violation;
  }

  /** Who begins with something. */
  protected abstract void begin();

  /** When nothing is left to be done. */
  protected abstract long restsAt();

  /** What is looked at in the end. */
  protected abstract void judge();

  /** What has happened, in words. */
  public Set<String> happened() {
    return happened;
  }

  /** Something has happened that tests want to see. */
  protected final void happens(String what) {
    happened.add(what);
  }

  /** All chance. */
  protected final SplittableRandom random() {
    return simulation.random();
  }

  /** The present time. */
  protected final long now() {
    return simulation.nowNanos();
  }

  /** Does something later than now. */
  protected final void later(long wait, Runnable what) {
    simulation.after(
        1 + wait,
        () -> {
          if (violation == null) {
            what.run();
          }
        });
  }

  /** Whether there are no faults any more. */
  protected final boolean isQuiet() {
    return now() > faultsEnd;
  }

  /** Whether a fault happens, of so many in a hundred. */
  protected final boolean chance(int ofHundred) {
    return !isQuiet() && random().nextInt(100) < ofHundred;
  }

  /** A promise is broken. */
  protected final void wrong(String what) {
    violation = violation == null ? "at " + now() + ": " + what : violation;
  }
}
