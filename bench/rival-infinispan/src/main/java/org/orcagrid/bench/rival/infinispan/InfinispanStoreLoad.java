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
import java.nio.file.Files;
import org.orcagrid.bench.compare.process.LoadSettings;

/**
 * A node of Infinispan whose caches write through to its file store (the soft-index one, the only
 * one that has {@code sync-writes}). Its variants: replicated before a write returns and forced,
 * the same with the store's default, which does not force, and replicated some time but forced.
 */
public final class InfinispanStoreLoad extends InfinispanNode {
  private static final String CACHES =
      """
      <replicated-cache name="sync-forced" mode="SYNC">
        <persistence>
          <file-store purge="true">
            <data path="sync-forced-data" sync-writes="true"/>
            <index path="sync-forced-index"/>
          </file-store>
        </persistence>
      </replicated-cache>
      <replicated-cache name="sync-written" mode="SYNC">
        <persistence>
          <file-store purge="true">
            <data path="sync-written-data"/>
            <index path="sync-written-index"/>
          </file-store>
        </persistence>
      </replicated-cache>
      <replicated-cache name="async-forced" mode="ASYNC">
        <persistence>
          <file-store purge="true">
            <data path="async-forced-data" sync-writes="true"/>
            <index path="async-forced-index"/>
          </file-store>
        </persistence>
      </replicated-cache>
      """;

  private static final String STATE =
      """
      <global-state>
        <persistent-location path="FOLDER"/>
        <temporary-location path="FOLDER"/>
      </global-state>
      """;

  /**
   * Starts it; returns when all nodes are there.
   *
   * @throws IOException if it cannot be started
   */
  public InfinispanStoreLoad(LoadSettings settings) throws IOException {
    super(
        settings,
        STATE.replace("FOLDER", Files.createDirectories(settings.ownFolder()).toString()),
        CACHES);
  }
}
