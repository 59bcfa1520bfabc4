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
package org.orcagrid.bench.rival.infinispan;

import java.io.IOException;
import org.orcagrid.bench.compare.process.LoadSettings;

/**
 * A node of Infinispan. Its variants are caches: replicated before a write returns, and some time,
 * and distributed to three owners.
 */
public final class InfinispanLoad extends InfinispanNode {
  private static final String CACHES =
      """
      <replicated-cache name="sync" mode="SYNC"/>
      <replicated-cache name="async" mode="ASYNC"/>
      <distributed-cache name="dist-sync" mode="SYNC" owners="3"/>
      """;

  /**
   * Starts it; returns when all nodes are there.
   *
   * @throws IOException if it cannot be started
   */
  public InfinispanLoad(LoadSettings settings) throws IOException {
    super(settings, "", CACHES);
  }
}
