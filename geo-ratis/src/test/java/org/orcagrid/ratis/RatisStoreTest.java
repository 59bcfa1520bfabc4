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
package org.orcagrid.ratis;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.orcagrid.geo.client.RemoteGeoTest;

/**
 * A store whose partitions' logs are groups of Ratis; {@code -Dratis=true} plays it. On a busy
 * machine Ratis takes long to find leaders.
 */
@EnabledIfSystemProperty(named = "ratis", matches = "true")
class RatisStoreTest extends RemoteGeoTest {
  @Override
  protected String log() {
    return RatisKind.NAME;
  }

  /** With more groups in one JVM, and others on the machine, Ratis finds no leaders in time. */
  @Override
  protected int partitionsMax() {
    return 1;
  }
}
