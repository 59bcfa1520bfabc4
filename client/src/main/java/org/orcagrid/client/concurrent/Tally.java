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
package org.orcagrid.client.concurrent;

import java.util.function.LongUnaryOperator;
import org.orcagrid.client.Codec;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Ddp;

/** A number that many threads add to, 0 in the beginning; linearizable. */
final class Tally {
  private final Cells<Long> cells;
  private final Part number;
  private final LongUnaryOperator adding;

  /**
   * A number.
   *
   * @param adding adds and returns the number before; null for a loop of compare-and-sets
   */
  private Tally(Cells<Long> cells, Part number, LongUnaryOperator adding) {
    this.cells = cells;
    this.number = number;
    this.adding = adding == null ? this::addByCompareAndSet : adding;
  }

  /** One among a session's keys. */
  static Tally of(GridSession session, String name) {
    View<Part, Long> view = session.view(Part.CODEC, Codec.LONG);
    Part number = Part.of(name, Part.HEAD);
    return new Tally(
        new SessionCells<>(session, Codec.LONG), number, delta -> view.getAndAdd(number, delta));
  }

  /** One in a map of its own. */
  static Tally of(GridMaps maps, String map, Ddp model) {
    return new Tally(new MapCells<>(maps, map, Codec.LONG, model), Part.of("", Part.HEAD), null);
  }

  /** Adds to it and returns what it was. */
  long getAndAdd(long delta) {
    return adding.applyAsLong(delta);
  }

  /** What it is. */
  long get() {
    return number(cells.getAcquire(number));
  }

  private static long number(Long present) {
    return present == null ? 0 : present;
  }

  private long addByCompareAndSet(long delta) {
    while (true) {
      Long present = cells.getAcquire(number);
      if (cells.compareAndSet(number, present, number(present) + delta)) {
        return number(present);
      }
    }
  }
}
