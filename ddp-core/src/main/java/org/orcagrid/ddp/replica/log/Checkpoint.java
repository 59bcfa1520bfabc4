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
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.state.Encoding;
import org.orcagrid.ddp.replica.state.Entries;
import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.Write;

/**
 * Keeps the log short: when this map's part {@linkplain SharedLog#ask holds it up}, all that is
 * still needed is written once more, some entries at a time, and what is before that is given up.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>a checkpoint has only what is in the log before it: it makes nothing durable that was not,
 *       be it whole or in part;
 *   <li>what is in the log before its begin is in the checkpoint, or a later version is, once its
 *       end is there;
 *   <li>nothing is given up before the end is durable.
 * </ol>
 */
public final class Checkpoint {
  /** A slice ends with the entry with which it has so many bytes: they are on the heap at once. */
  private static final long SLICE_BYTES = 1 << 20;

  private enum Phase {
    IDLE,
    /** What is in the log before the begin may not be in the entries yet. */
    BEGINS,
    WRITES,
    ENDS
  }

  private final ReplicaState state;
  private final Journal journal;
  private final OpenRecords open;
  private final int entriesPerTick;
  private Phase phase = Phase.IDLE;

  /** Whether somebody wants another one. */
  private boolean asked;

  // Of the one that is under way.
  private long clock;
  private long position;
  private long written;
  private Entries.Cursor cursor;

  /** The entry that the cursor has come to and that is not decided. */
  private Key held;

  private boolean sliceUnderWay;

  /** Checkpoints of a log, of which none is under way. */
  public Checkpoint(ReplicaState state, Journal journal, OpenRecords open) {
    this.state = state;
    this.journal = journal;
    this.open = open;
    this.entriesPerTick = state.settings().limits().entriesPerTick();
  }

  /** What this map still needs holds up the log: one begins as soon as it can. */
  public void ask() {
    asked = true;
  }

  /** Whether one is under way. */
  public boolean isUnderWay() {
    return phase != Phase.IDLE;
  }

  /**
   * Does what is due.
   *
   * @param complete whether this node has in its entries all that it is to have
   */
  public void tick(boolean complete) {
    if (phase == Phase.IDLE && complete && asked) {
      begin();
    } else if (phase == Phase.WRITES && !sliceUnderWay) {
      writeSlice();
    }
  }

  /** Whether {@link #tick} would do something. */
  public boolean isDue(boolean complete) {
    return phase == Phase.IDLE ? complete && asked : phase == Phase.WRITES && !sliceUnderWay;
  }

  private void begin() {
    phase = Phase.BEGINS;
    asked = false;
    clock = state.highestClock();
    written = 0;
    position = journal.persist(new LogRecord.CheckpointBegin(clock), this::onBegun);
    if (!state.keeps(ReplicaRule.CHECKPOINT_WAITS)) {
      onBegun();
    }
  }

  /** All that was waited for in the log before it has been done. */
  private void onBegun() {
    if (phase != Phase.BEGINS) {
      return;
    }
    phase = Phase.WRITES;
    cursor = state.entries().cursor();
    held = null;
    if (state.keeps(ReplicaRule.CHECKPOINT_HAS_OPEN)) {
      open.logOpen(journal);
    }
    if (!state.keeps(ReplicaRule.TRIM_WHEN_DURABLE)) {
      journal.trim(position, written);
    }
  }

  private void writeSlice() {
    List<Write> writes = new ArrayList<>();
    boolean ended = false;
    long until = written + SLICE_BYTES;
    for (int i = 0; i < entriesPerTick && written < until && !ended; i++) {
      Entry entry = held == null ? cursor.next() : state.entry(held);
      held = null;
      ended = entry == null;
      if (!ended && isUndecided(entry)) {
        held = entry.key();
        break;
      }
      Write latest = ended ? null : logged(entry);
      if (latest != null) {
        writes.add(latest);
        written += Encoding.bytes(latest);
      }
    }
    int pageBytes = state.settings().limits().pageBytes();
    for (List<Write> page : Encoding.split(writes, pageBytes)) {
      // Not more than a slice at once: the medium has others to serve.
      sliceUnderWay = true;
      long last = written;
      journal.persist(new LogRecord.Batch(page), () -> onSlice(last));
    }
    if (ended) {
      end();
    }
  }

  /**
   * Whether it may still come to nothing, and is not in the log before that is known: then all that
   * is in the log is what it would replace.
   */
  private boolean isUndecided(Entry entry) {
    Persistency persistency = state.persistency();
    return entry.isConditional()
        && !entry.isValid()
        && !persistency.isBeforeVisible()
        && !persistency.isBeforeRead();
  }

  private void onSlice(long upTo) {
    if (upTo == written) {
      sliceUnderWay = false;
    }
  }

  /** What of an entry is in the log, whole with all that belongs to it. */
  private Write logged(Entry entry) {
    boolean scoped =
        state.persistency().isByScope() && state.keeps(ReplicaRule.CHECKPOINT_HAS_SCOPES);
    return scoped ? entry.scoped() : entry.write();
  }

  /** The third invariant: nothing is given up while it is under way. */
  public void checkInvariants() {
    Invariant.check(
        !isUnderWay() || journal.trimmed() < position,
        "nothing is given up before the end of a checkpoint",
        "trimmed",
        journal.trimmed(),
        "begin",
        position);
    Invariant.check(
        phase == Phase.WRITES || !sliceUnderWay || phase == Phase.ENDS,
        "slices are of a checkpoint that is under way");
  }

  private void end() {
    phase = Phase.ENDS;
    cursor = null;
    journal.persist(new LogRecord.CheckpointEnd(clock), this::onEnded);
  }

  private void onEnded() {
    phase = Phase.IDLE;
    sliceUnderWay = false;
    journal.trim(position, written);
  }
}
