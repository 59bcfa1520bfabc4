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
package org.orcagrid.examples.ensemble;

import java.util.List;
import java.util.Map;

/**
 * A way to keep data in an ensemble, as the paper compares them in section 5.
 *
 * @param id the short name on command lines
 * @param title what people read
 * @param settings lines of zoo.cfg
 */
public record Store(String id, String title, Map<String, String> settings) {

  /** Writes and reads anywhere, durable and replicated whenever: fast, and may go back. */
  public static final Store WEAK_ZK = of("weak-zk", "weak-ZK", "async", "async", "all");

  /** Durable at a majority before a write returns, reads at the leader only: correct and slow. */
  public static final Store STRONG_ZK = of("strong-zk", "strong-ZK", "sync", "sync", "leader");

  /** Durable before it is read, reads at every server of the active set. */
  public static final Store ORCA = of("orca", "ORCA", "cad", "async", "active-set");

  /** Keeps a copy of the settings. */
  public Store {
    settings = Map.copyOf(settings);
  }

  /** Returns all of them, in the order of the paper's tables. */
  public static List<Store> all() {
    return List.of(WEAK_ZK, STRONG_ZK, ORCA);
  }

  private static Store of(
      String id, String title, String durability, String replication, String readers) {
    return new Store(
        id,
        title,
        Map.of(
            "orca.durability", durability,
            "orca.replication", replication,
            "orca.readers", readers));
  }
}
