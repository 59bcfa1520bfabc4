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

import org.orcagrid.client.Codec;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Ddp;

/** A number that many add to, 0 in the beginning; linearizable. */
interface Tally {
  /** Adds to it and returns what it was. */
  long getAndAdd(long delta);

  /** What it is. */
  long get();

  /** One among a session's keys. */
  static Tally of(GridSession session, String name) {
    View<Part, Long> view = session.view(Part.CODEC, Codec.LONG);
    Part number = Part.of(name, Part.HEAD);
    return new Tally() {
      @Override
      public long getAndAdd(long delta) {
        return view.getAndAdd(number, delta);
      }

      @Override
      public long get() {
        Long present = view.getAcquire(number);
        return present == null ? 0 : present;
      }
    };
  }

  /** One in a map of its own. */
  static Tally of(GridMaps maps, String map, Ddp model) {
    Cells<Long> cells = new MapCells<>(maps, map, Codec.LONG, model);
    Part number = Part.of("", Part.HEAD);
    return new Tally() {
      @Override
      public long getAndAdd(long delta) {
        while (true) {
          Long present = cells.getAcquire(number);
          long before = present == null ? 0 : present;
          if (cells.compareAndSet(number, present, before + delta)) {
            return before;
          }
        }
      }

      @Override
      public long get() {
        Long present = cells.getAcquire(number);
        return present == null ? 0 : present;
      }
    };
  }
}
