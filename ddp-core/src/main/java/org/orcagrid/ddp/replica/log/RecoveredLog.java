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
package org.orcagrid.ddp.replica.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.ddp.replica.state.Write;

/** What a node's log had when this life began, until it is known what of it counts. */
public final class RecoveredLog {
  private final ReplicaState state;
  private final Journal journal;
  private final RecoveryListener listener;

  private static final byte[] HAD_VALUE = {};

  /** Without the values themselves. */
  private Map<Key, Write> had = Map.of();

  /** Conditional versions, until this node's first view says whether they count. */
  private final List<Write> conditional = new ArrayList<>();

  private LogRecord.Mark mark = new LogRecord.Mark(0, 0, false);
  private RecoveryReport report;

  /** A log of which nothing is known yet. */
  public RecoveredLog(ReplicaState state, Journal journal, RecoveryListener listener) {
    this.state = state;
    this.journal = journal;
    this.listener = listener;
  }

  /**
   * What was in the log.
   *
   * @param latest the latest version of each key; the values are taken out of it
   * @param last the last mark, null if there was none
   */
  public void take(Map<Key, Write> latest, LogRecord.Mark last) {
    had = latest;
    mark = last == null ? mark : last;
    latest.replaceAll((key, write) -> take(write));
  }

  /** The entries have its value from now on. */
  private Write take(Write write) {
    state.learn(write.clock());
    if (write.isConditional()) {
      conditional.add(write);
    } else {
      count(write);
    }
    return write.value() == null ? write : new Write(write.key(), write.clock(), HAD_VALUE);
  }

  private void count(Write write) {
    Entry entry = state.entry(write.key());
    entry.set(write);
    entry.persisted(write.clock());
    entry.scoped(write);
  }

  /**
   * What a read-modify-write has made before this life counts where all recover together: then all
   * have it, if it has completed. Where others serve they have what has completed; whatever else
   * was kept may have been given up, and another one be in its place.
   */
  public void onView(ReplicaView view) {
    if (view.serving() == 0 || !state.keeps(ReplicaRule.ORPHANS_YIELD)) {
      conditional.forEach(this::count);
    } else if (!conditional.isEmpty()) {
      journal.persistLater(new LogRecord.OrphansDropped(view.number()));
    }
    conditional.clear();
  }

  /** This node has all that it was to learn: says what became of its log, once. */
  public void caughtUp(boolean together) {
    if (report != null) {
      return;
    }
    long lacked = 0;
    for (Entry entry : state.entries().all()) {
      Write before = had.get(entry.key());
      boolean isNew = before == null || before.clock() < entry.clock();
      lacked += entry.hasVersion() && isNew ? 1 : 0;
    }
    long withdrawn = 0;
    for (Write write : had.values()) {
      boolean isGone = state.entry(write.key()).clock() < write.clock();
      withdrawn += write.value() != null && isGone ? 1 : 0;
    }
    report =
        new RecoveryReport(had.size(), lacked, withdrawn, together, mark.millis(), mark.closed());
    had = Map.of();
    listener.recovered(report);
  }

  /** What may not count is decided upon with the first view, and all is when it is reported. */
  public void checkInvariants() {
    Invariant.check(
        state.view() == null || conditional.isEmpty(),
        "what may not count is decided upon with the first view");
    Invariant.check(report == null || had.isEmpty(), "what was reported is not needed any more");
  }

  /** What was said, null if nothing was yet. */
  public RecoveryReport report() {
    return report;
  }
}
