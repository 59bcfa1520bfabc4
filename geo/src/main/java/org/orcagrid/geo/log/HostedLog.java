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
package org.orcagrid.geo.log;

import org.orcagrid.geo.partition.PartitionLog;
import org.orcagrid.geo.wire.Decoder;

/** A partition's log as its {@link LogHost} drives it. Of the host's thread. */
public interface HostedLog extends PartitionLog {
  /** The last entry of a snapshot, behind which the log begins; index 0 for none. */
  record Base(long index, long term) {}

  /** Where the log begins. */
  Base base();

  /** Looks at what its own threads have found, before each input. */
  void look();

  /** Time has passed. */
  void tick();

  /** Reads what the log of another node has {@linkplain LogHost#send sent}. */
  void onFrame(int from, Decoder in);

  /** The host's snapshot up to an entry, which is applied, is durable in its files. */
  void compact(long index);

  @Override
  default long first() {
    return base().index() + 1;
  }
}
