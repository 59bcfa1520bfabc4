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
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.track.Context;

/**
 * What is to be done once a transaction is decided. The store that decides keeps it, from its own
 * commit until all of it is done.
 *
 * @param prepared stores that have prepared their parts
 * @param parts of weaker stores
 */
public record Intent(TransactionId id, List<String> prepared, List<Part> parts) {
  /** One whose lists do not change, with one part for each group. */
  public Intent {
    prepared = List.copyOf(prepared);
    parts = List.copyOf(parts);
    long groups = parts.stream().map(Part::group).distinct().count();
    if (groups < parts.size()) {
      throw new IllegalArgumentException("Two parts are of one group; make them one: " + parts);
    }
  }

  /** Whether nothing is left to be done once it is decided. */
  public boolean isEmpty() {
    return prepared.isEmpty() && parts.isEmpty();
  }

  /** The same, its writes together with versions of strong objects. */
  public Intent with(Map<StoredObject, Context.Stamp> together) {
    return new Intent(id, prepared, parts.stream().map(part -> part.with(together)).toList());
  }
}
