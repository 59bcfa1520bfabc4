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
package org.orcagrid.ddp.replica.consistency;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.ddp.replica.state.Write;

/**
 * The versions that a node sees to until all have them: its own, and those that it stands in for.
 */
final class Coordinated {
  private final Map<Write, Invalidation> versions = new LinkedHashMap<>();
  private int standIns;

  void add(Invalidation started) {
    versions.put(started.write(), started);
    standIns += started.isStandIn() ? 1 : 0;
  }

  void remove(Invalidation over) {
    versions.remove(over.write());
    standIns -= over.isStandIn() ? 1 : 0;
  }

  /** Null if this node does not see to it. */
  Invalidation of(Write version) {
    return versions.get(version);
  }

  boolean has(Write version) {
    return versions.containsKey(version);
  }

  /** Whether some of them were begun by other nodes. */
  boolean hasStandIns() {
    return standIns > 0;
  }

  boolean isEmpty() {
    return versions.isEmpty();
  }

  /** A copy, in the order in which they have begun. */
  List<Invalidation> all() {
    return List.copyOf(versions.values());
  }

  @Override
  public String toString() {
    return versions.values().toString();
  }
}
