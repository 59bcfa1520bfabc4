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
package org.orcagrid.bench.compare.process;

import org.orcagrid.node.KeySettings;
import org.orcagrid.node.NodeSettings;

/** Room for the keys of a comparison, and for the sessions of its clients. */
final class KeyRoom {
  private static final long BYTES_OF_A_RECORD = 512;
  private static final long BYTES_MIN = 16 << 20;

  private KeyRoom() {}

  /** A node's settings with so much room, and as many sessions at least. */
  static NodeSettings in(NodeSettings usual, LoadSettings.Data data, int sessions) {
    KeySettings keys = usual.keys();
    long bytes = data.keys() * (BYTES_OF_A_RECORD + 2L * data.valueBytes()) + BYTES_MIN;
    return usual.withKeys(
        new KeySettings(
            Math.max(keys.sessions(), sessions),
            Math.max(keys.valueBytesMax(), data.valueBytes()),
            Math.max(keys.bytesMax(), bytes)));
  }
}
