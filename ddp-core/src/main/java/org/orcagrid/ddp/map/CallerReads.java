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
package org.orcagrid.ddp.map;

import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.LocalReads;

/** Reads of a map in the threads that call, beside the map's worker. Any thread may ask. */
final class CallerReads {
  private final MapsEngine engine;

  /** Null when the map is over: whoever has called once may hold this, and is to hold no memory. */
  private volatile LocalReads reads;

  CallerReads(MapsEngine engine, LocalReads reads) {
    this.engine = engine;
    this.reads = reads;
  }

  /** The map is over; before the node has another life, and with it another lease. */
  void end() {
    reads = null;
  }

  /** Answers a read or an acquire if this node may; its session has nothing under way. */
  boolean answer(Operation read) {
    LocalReads from = reads;
    boolean acquires = read.kind() == Operation.Kind.ACQUIRE;
    LocalReads.Look look = new LocalReads.Look();
    if (from == null || !from.begin(look, acquires)) {
      return false;
    }
    from.find(look, read.key());
    // The lease is looked at when all else is done: it holds for what was found before. Another
    // life of the node has another lease, which it gets when this map is over.
    boolean counts =
        from.mayBeShown(look, acquires) && engine.servesNow() && reads != null && from.counts(look);
    if (counts) {
      read.answered(look.version());
    }
    return counts;
  }
}
