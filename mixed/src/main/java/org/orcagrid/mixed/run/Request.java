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
package org.orcagrid.mixed.run;

import java.util.Set;
import org.orcagrid.mixed.commit.Ask;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.track.Tombstone;
import org.orcagrid.mixed.track.VectorClock;

/** What is to be asked for a transaction. */
public sealed interface Request {
  /** How often this was asked before; who asks waits longer each time. */
  int again();

  /**
   * A store is read.
   *
   * @param seen what the reader has seen of it
   * @param turn which question of the attempt it is
   */
  record Read(
      String store,
      Set<StoredObject> objects,
      Set<TransactionId> markers,
      VectorClock seen,
      int turn,
      int again)
      implements Request {}

  /** Whether what was read is still there. */
  record Check(String store, Part part, int again) implements Request {}

  /** Another client is asked for what a replica lacks. */
  record Fetch(String store, Tombstone missing, int again) implements Request {}

  /**
   * A store is asked to commit or give up.
   *
   * @param group of the store
   * @param part that it prepares, decides or applies; null in other cases
   */
  record Vote(String group, Ask ask, Part part, int again) implements Request {}
}
