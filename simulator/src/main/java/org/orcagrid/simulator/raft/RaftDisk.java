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
package org.orcagrid.simulator.raft;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.orcagrid.ddp.raft.Members;
import org.orcagrid.ddp.raft.RaftEntry;
import org.orcagrid.ddp.raft.RaftRecord;
import org.orcagrid.ddp.raft.SnapshotMark;
import org.orcagrid.ddp.raft.Stored;
import org.orcagrid.simulator.Simulation;

/**
 * The disk of a node: records become durable in their order, some time after they were written.
 *
 * @param <S> the state of a snapshot, which nobody changes
 */
public final class RaftDisk<S> {
  private static final long NANOS_MIN = 50_000;

  private final Simulation simulation;
  private final LongSupplier nanosMax;
  private final ArrayDeque<Runnable> writes = new ArrayDeque<>();
  private final Map<Long, S> snapshots = new HashMap<>();
  private Stored stored;
  private boolean busy;

  /** Which process writes: completions of one that has crashed are nobody's. */
  private int life;

  /**
   * The disk of a group's member before the group's first entry.
   *
   * @param nanosMax how long a write takes at most
   * @param empty the state then
   */
  public RaftDisk(Simulation simulation, LongSupplier nanosMax, Members members, S empty) {
    this.simulation = simulation;
    this.nanosMax = nanosMax;
    this.stored = Stored.beginning(members);
    snapshots.put(0L, empty);
  }

  /** What a node finds when it starts. */
  public Stored stored() {
    return stored;
  }

  /** The state of the machine as of the stored mark. */
  public S state() {
    return snapshots.get(stored.mark().index());
  }

  /** The state of a snapshot that is durable, null if it is not. */
  public S snapshot(long index) {
    return snapshots.get(index);
  }

  /** Writes a record; {@code durable} is told its ticket, unless the node crashes first. */
  public void write(long ticket, RaftRecord written, LongConsumer durable) {
    add(() -> keep(written), () -> durable.accept(ticket));
  }

  /** Writes a snapshot. */
  public void writeSnapshot(long index, S state, Runnable durable) {
    add(() -> snapshots.put(index, state), durable);
  }

  private void add(Runnable keep, Runnable durable) {
    int writer = life;
    writes.add(
        () -> {
          keep.run();
          if (writer == life) {
            durable.run();
          }
        });
    next();
  }

  private void next() {
    if (busy || writes.isEmpty()) {
      return;
    }
    busy = true;
    long nanos = simulation.between(NANOS_MIN, nanosMax.getAsLong());
    int writer = life;
    simulation.after(
        nanos,
        () -> {
          if (writer == life) {
            busy = false;
            writes.poll().run();
            next();
          }
        });
  }

  /** The node has crashed. Some of what was not durable is there all the same. */
  public void crash() {
    life++;
    busy = false;
    long kept = simulation.chance(50) ? 0 : simulation.between(0, writes.size());
    for (long i = 0; i < kept; i++) {
      writes.poll().run();
    }
    writes.clear();
  }

  private void keep(RaftRecord written) {
    List<RaftEntry> entries = new ArrayList<>(stored.entries());
    SnapshotMark mark = stored.mark();
    if (written instanceof RaftRecord.Term term) {
      stored = new Stored(term.term(), term.vote(), mark, entries);
    } else if (written instanceof RaftRecord.Entries added) {
      entries.removeIf(each -> each.index() >= added.entries().get(0).index());
      entries.addAll(added.entries());
      stored = new Stored(stored.term(), stored.vote(), mark, entries);
    } else if (written instanceof RaftRecord.Compacted compacted) {
      entries.removeIf(each -> each.index() <= compacted.mark().index());
      stored = new Stored(stored.term(), stored.vote(), compacted.mark(), entries);
    } else if (written instanceof RaftRecord.Installed installed) {
      stored = new Stored(stored.term(), stored.vote(), installed.mark(), List.of());
    }
  }
}
