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

import java.util.ArrayList;
import java.util.List;

/**
 * A log on a disk that keeps what was forced. A crash may keep some of what was not, but never with
 * a gap: a record behind one that is torn is not read.
 *
 * @param <E> an entry
 */
public final class SimulatedLog<E> {

  private final List<E> entries = new ArrayList<>();
  private int forced;

  /** All entries, also those not forced; not to be changed. */
  public List<E> entries() {
    return entries;
  }

  /** How many entries a crash cannot take. */
  public int forced() {
    return forced;
  }

  /** Adds an entry that is not forced. */
  public void append(E entry) {
    entries.add(entry);
  }

  /** The first {@code count} entries are on the disk, if they have not been cut off since. */
  public void force(int count) {
    forced = Math.max(forced, Math.min(count, entries.size()));
  }

  /** Cuts the log back to {@code count} entries, and forces that. */
  public void truncate(int count) {
    while (entries.size() > count) {
      entries.remove(entries.size() - 1);
    }
    forced = Math.min(forced, entries.size());
  }

  /** The first {@code count} entries, which are forced, are not needed any more. */
  public void trim(int count) {
    entries.subList(0, count).clear();
    forced -= count;
  }

  /** The machine loses power: what was not forced is lost from some point on. */
  public void crash(Simulation simulation) {
    truncate((int) simulation.between(forced, entries.size()));
    forced = entries.size();
  }
}
