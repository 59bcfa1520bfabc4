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
package org.orcagrid.ddp.replica.removal;

import java.util.function.Consumer;
import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.Write;

/** What keeps a node from forgetting a removal. */
public interface RemovalGuard {

  /** Tells of each version that this node may still send to somebody, or may have persisted. */
  void underWay(Consumer<Write> each);

  /** Whether nothing more is to be said of an entry's version by anybody. */
  boolean isSettled(Entry entry);

  /** Whether nothing is left in this node's zones of what its log has. */
  boolean areZonesClean();

  /** Whether a checkpoint is under way, which may have an older version of any key. */
  boolean isCheckpointUnderWay();
}
