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
package org.orcagrid.mixed.track;

import java.util.HashSet;
import java.util.Set;
import org.orcagrid.mixed.plan.TransactionId;

/**
 * What a version carries while it may depend on what is not everywhere yet in another store
 * (section 4.3). The paper has a nonce here, which the writer writes to the causal store, too. With
 * the clocks of section 4.4 the reader knows by itself whether its replica has as much. Only where
 * the part of the writing transaction follows, its id is such a nonce.
 *
 * @param past what the writer had seen of the store, and is not everywhere
 * @param address where the writer tells it
 * @param pending transactions that are decided, and whose parts the store may not have yet
 */
public record Tombstone(VectorClock past, String address, Set<TransactionId> pending) {
  /** One whose set does not change. */
  public Tombstone {
    pending = Set.copyOf(pending);
  }

  /** Whether a replica has all that it is about. */
  public boolean isIn(Replica replica) {
    return past.isIn(replica.clock())
        && pending.stream().allMatch(each -> replica.marker(each) != null);
  }

  /** Both together; who has written this is asked. */
  public Tombstone join(Tombstone other) {
    Set<TransactionId> all = new HashSet<>(pending);
    all.addAll(other.pending);
    return new Tombstone(past.join(other.past), address, all);
  }
}
