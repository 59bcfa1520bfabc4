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

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.Write;

/** What reads show of transactions at a node: what is visible, and as durable as it has to be. */
final class TransactionReads {
  private final ReplicaState state;
  private final Locks locks;

  /** All transactions that this node knows. */
  private final Collection<Transaction> active;

  TransactionReads(ReplicaState state, Locks locks, Collection<Transaction> active) {
    this.state = state;
    this.locks = locks;
    this.active = active;
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

  /**
   * What is decided is part of the moment, and is waited for: it may be visible elsewhere. Whatever
   * it has read was decided here before it.
   */
  boolean scan(Operation operation) {
    Scan scan = operation.scan();
    boolean waits = state.keeps(ReplicaRule.SCAN_WAITS);
    if (scan.begins()) {
      boolean hasDecided = waits && state.keeps(ReplicaRule.SCAN_HAS_DECIDED);
      Map<Key, Write> decided = hasDecided ? decided() : new HashMap<>();
      for (Entry entry : state.entries().all()) {
        Write later = decided.get(entry.key());
        if (later != null && later.clock() > entry.clock()) {
          continue;
        }
        decided.remove(entry.key());
        if (entry.hasVersion()) {
          scan.found(entry.write(), !waits || mayBeRead(entry));
        }
      }
      decided.values().forEach(each -> scan.found(each, false));
    }
    return scan.goOn(found -> showFound(scan, found));
  }

  private Map<Key, Write> decided() {
    Map<Key, Write> decided = new HashMap<>();
    for (Transaction each : active) {
      boolean counts = each.state() == Transaction.State.DECIDED;
      for (Write write : counts ? each.writes() : List.<Write>of()) {
        decided.merge(write.key(), write, (one, two) -> one.clock() > two.clock() ? one : two);
      }
    }
    return decided;
  }

  private boolean showFound(Scan scan, Write found) {
    Entry entry = state.entries().find(found.key());
    if (entry == null && !locks.isDecided(found.key())) {
      // A removal that all have had, and forgotten.
      return true;
    }
    boolean visible = entry != null && entry.clock() >= found.clock();
    boolean shown = visible && mayBeRead(entry, found.clock());
    if (shown) {
      scan.show(state.keeps(ReplicaRule.SCAN_HAS_ONE_MOMENT) ? found : entry.write());
    }
    return shown;
  }
}
