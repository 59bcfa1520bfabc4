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
package org.orcagrid.node;

import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.worker.PacketHeader;

/**
 * What a node has of Kite's keys, which are in memory only; the same at all nodes.
 *
 * @param sessions sessions of a worker
 * @param valueBytesMax bytes of a value at most
 * @param bytesMax bytes of all keys and values at most, outside the heap; used as they are needed
 */
public record KeySettings(int sessions, int valueBytesMax, long bytesMax) {
  /** 256 sessions, values of 64 KB, 1 GB. */
  public static final KeySettings DEFAULT = new KeySettings(256, 64 << 10, 1L << 30);

  int packetBytesMax() {
    return PacketHeader.BYTES + KiteSettings.messageBytesMax(valueBytesMax);
  }

  ReplicaStore.Limits limits() {
    return new ReplicaStore.Limits(valueBytesMax, bytesMax);
  }
}
