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
package org.orcagrid.simulator.ddp;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Promise;

/**
 * What a run has shown.
 *
 * @param broken what no model may do; empty if nothing was wrong
 * @param missed the promises that would not have been kept, each with an example
 * @param operations operations that ended
 * @param aborted transactions that were aborted by others
 */
public record DdpVerdict(
    List<String> broken, Map<Promise, String> missed, int operations, int aborted) {

  /** Keeps copies. */
  public DdpVerdict {
    broken = List.copyOf(broken);
    Map<Promise, String> copy = new EnumMap<>(Promise.class);
    copy.putAll(missed);
    missed = copy;
  }

  /** Whether the run has shown what no node with this model may do. */
  public boolean isAgainst(Ddp model) {
    return !broken.isEmpty()
        || missed.keySet().stream().anyMatch(promise -> promise.isMadeBy(model));
  }

  static DdpVerdict failed(String reason) {
    return new DdpVerdict(List.of(reason), Map.of(), 0, 0);
  }
}
