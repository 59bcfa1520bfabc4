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
import java.util.function.Supplier;
import org.orcagrid.client.Codec;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;

/** A number that many threads add to, 0 in the beginning; linearizable. */
final class Tally {
  private final LongUnaryOperator adding;
  private final Supplier<Long> reading;

  /**
   * A number.
   *
   * @param adding adds and returns the number before
   * @param reading null for 0
   */
  private Tally(LongUnaryOperator adding, Supplier<Long> reading) {
    this.adding = adding;
    this.reading = reading;
  }

  /** One among a session's keys. */
  static Tally of(GridSession session, String name) {
    return of(session.view(Part.CODEC, Codec.LONG), Part.of(name, Part.HEAD));
  }

  /** One in a map of its own. */
  static Tally of(GridMaps maps, String map, Ddp model) {
    Part number = Part.of("", Part.HEAD);
    if (model.consistency() == Consistency.RELEASE) {
      return of(maps.releaseMap(map, Part.CODEC, Codec.LONG, model), number);
    }
    Cells<Long> cells = MapCells.of(maps, map, Codec.LONG, model);
    return new Tally(delta -> add(cells, number, delta), () -> cells.getAcquire(number));
  }

  private static Tally of(View<Part, Long> view, Part number) {
    return new Tally(delta -> view.getAndAdd(number, delta), () -> view.getAcquire(number));
  }

  /** Adds to it and returns what it was. */
  long getAndAdd(long delta) {
    return adding.applyAsLong(delta);
  }

  /** What it is. */
  long get() {
    return number(reading.get());
  }

  private static long number(Long present) {
    return present == null ? 0 : present;
  }

  private static long add(Cells<Long> cells, Part number, long delta) {
    while (true) {
      Long present = cells.getAcquire(number);
      if (cells.compareAndSet(number, present, number(present) + delta)) {
        return number(present);
      }
    }
  }
}
