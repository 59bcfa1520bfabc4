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
package org.orcagrid.mixed.commit;

import java.util.List;
import java.util.Map;
import org.orcagrid.mixed.plan.Operation;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.Tombstone;

/**
 * What a transaction does at one store.
 *
 * @param group of replicas that the client writes to: the part is committed there and nowhere else
 * @param writes in their order
 * @param reads versions that have to be the present ones; none in weaker stores
 * @param after what the group has to have before it takes the part; null for nothing
 */
public record Part(
    String group, List<Write> writes, Map<StoredObject, Long> reads, Tombstone after) {
  /** One whose collections do not change. */
  public Part {
    writes = List.copyOf(writes);
    reads = Map.copyOf(reads);
  }

  /**
   * A write.
   *
   * @param operation null if the object gets the value
   * @param context what comes with it
   */
  public record Write(StoredObject object, Operation operation, Object value, Context context) {}

  /** The same, its writes together with versions of strong objects. */
  public Part with(Map<StoredObject, Context.Stamp> together) {
    List<Write> all =
        writes.stream()
            .map(
                each ->
                    new Write(
                        each.object(),
                        each.operation(),
                        each.value(),
                        new Context(each.context().tombstones(), together)))
            .toList();
    return new Part(group, all, reads, after);
  }
}
