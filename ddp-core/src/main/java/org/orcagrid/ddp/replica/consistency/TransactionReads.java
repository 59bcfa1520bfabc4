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
package org.orcagrid.ddp.replica.consistency;

import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.Write;

/** What reads show of transactions at a node: what is visible, and as durable as it has to be. */
final class TransactionReads {
  private final ReplicaState state;
  private final Locks locks;
  private final QuietMoments moments;

  TransactionReads(ReplicaState state, Locks locks, QuietMoments moments) {
    this.state = state;
    this.locks = locks;
    this.moments = moments;
  }

  /** A read waits for what is decided, and from then on shows no older version. */
  boolean isShown(Entry entry) {
    return mayBeRead(entry, entry.clock())
        && !(locks.isDecided(entry.key()) && state.keeps(ReplicaRule.EVENT_WAITS_FOR_DECIDED));
  }

  /** Whether a visible version is as durable as its readers need it. */
  boolean mayBeRead(Entry entry) {
    return mayBeRead(entry, entry.clock());
  }

  private boolean mayBeRead(Entry entry, long version) {
    return !state.persistency().isBeforeRead()
        || entry.isDurable(version)
        || !state.keeps(ReplicaRule.READ_WAITS_FOR_DURABLE);
  }

  /** Looks at a {@linkplain QuietMoments quiet moment}, which it may have to wait for. */
  boolean scan(Operation operation) {
    Scan scan = operation.scan();
    if (!scan.hasLooked() && state.keeps(ReplicaRule.SCAN_WAITS) && !moments.isNow()) {
      moments.await(operation);
      return false;
    }
    look(operation);
    return scan.goOn(found -> showFound(scan, found));
  }

  /** It is a quiet moment. */
  void look(Operation operation) {
    boolean waits = state.keeps(ReplicaRule.SCAN_WAITS);
    operation.scan().look(state.entries().all(), entry -> !waits || mayBeRead(entry));
  }

  private boolean showFound(Scan scan, Write found) {
    Entry entry = state.entries().find(found.key());
    // A key that is not here any more was removed since, and all have the removal.
    boolean shown = entry == null || mayBeRead(entry, found.clock());
    if (shown) {
      boolean asFound = entry == null || state.keeps(ReplicaRule.SCAN_HAS_ONE_MOMENT);
      scan.show(asFound ? found : entry.write());
    }
    return shown;
  }
}
