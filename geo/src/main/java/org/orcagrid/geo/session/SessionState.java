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
package org.orcagrid.geo.session;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.Requirement;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/**
 * The matrices hrm and hwm and the times dt_r and dt_w of a session (Algorithm 1), with an entry
 * only where there is something. What all replicas have drops out. Of one thread at a time.
 *
 * <p>Invariant: what a session has seen is in its matrices, in all replicas, or not later than the
 * floor.
 */
public final class SessionState {
  private static final int TIME_BITS = 16;
  private static final int ENTRIES_MAX = 1 << 20;

  /** By partition; first the one that was used least recently. */
  private final LinkedHashMap<Integer, Seen> seen = new LinkedHashMap<>(16, 0.75f, true);

  private long readTime;
  private long writeTime;

  /** What was seen of partitions that have no entry any more is not later than this. */
  private long floor;

  /** Datacenters that were removed, and up to the floor something with them: a bit for each. */
  private int told;

  /** What was seen of a partition: a row of each matrix, and the latest time in it. */
  private static final class Seen {
    private PositionVector reads = PositionVector.NONE;
    private PositionVector writes = PositionVector.NONE;
    private long time;
  }

  private static PositionVector with(PositionVector before, Version version) {
    long[] one = new long[version.datacenter() + 1];
    one[version.datacenter()] = version.position();
    return before.max(PositionVector.of(one));
  }

  // --- what requests ask for ---------------------------------------------------------------------

  /** What a read asks for (lines 3 to 13). */
  public Requirement requirement(int partition, ReadGuarantee guarantee) {
    return requirement(partition, guarantee.monotonic(), guarantee.ownWrites());
  }

  /** What a write asks for where clocks are not hybrid: all that it must win over. */
  public Requirement requirement(int partition, WriteGuarantee guarantee) {
    return requirement(partition, guarantee.afterReads(), guarantee.afterWrites());
  }

  private Requirement requirement(int partition, boolean reads, boolean writes) {
    if (!reads && !writes) {
      return Requirement.NONE;
    }
    Seen there = seen.get(partition);
    PositionVector positions = PositionVector.NONE;
    if (there != null) {
      positions = reads ? positions.max(there.reads) : positions;
      positions = writes ? positions.max(there.writes) : positions;
    }
    // An entry may have begun after the one before was folded.
    return new Requirement(positions, floor, told);
  }

  /** The dependency time of a write (lines 21 to 28). */
  public long dependency(WriteGuarantee guarantee) {
    long reads = guarantee.afterReads() ? readTime : 0;
    return Math.max(reads, guarantee.afterWrites() ? writeTime : 0);
  }

  // --- what answers tell -------------------------------------------------------------------------

  /**
   * A read has shown a version (lines 16 and 17).
   *
   * @param everywhere what all replicas have
   */
  public void read(int partition, Version version, PositionVector everywhere) {
    if (version.isThere()) {
      readTime = Math.max(readTime, version.time());
      Seen there = of(partition);
      there.reads = with(there.reads, version);
      there.time = Math.max(there.time, version.time());
    }
    drop(partition, everywhere);
  }

  /** A write was answered (lines 31 and 32). */
  public void wrote(int partition, Version version, PositionVector everywhere) {
    writeTime = Math.max(writeTime, version.time());
    Seen there = of(partition);
    there.writes = with(there.writes, version);
    there.time = Math.max(there.time, version.time());
    drop(partition, everywhere);
  }

  /**
   * A datacenter was removed, and with it what the session has seen of a partition behind a
   * position. From now on it does without.
   */
  public void lost(int partition, int datacenter, long cut) {
    told |= floor > 0 ? 1 << datacenter : 0;
    Seen there = seen.get(partition);
    if (there != null) {
      there.reads = there.reads.upTo(datacenter, cut);
      there.writes = there.writes.upTo(datacenter, cut);
      dropIfEmpty(partition, there);
    }
  }

  /**
   * Others have seen this much of a partition: from now on this session asks for it, too.
   *
   * @param time that nothing of it is later than
   */
  public void see(int partition, PositionVector positions, long time) {
    if (!positions.isNone()) {
      Seen there = of(partition);
      there.reads = there.reads.max(positions);
      there.writes = there.writes.max(positions);
      there.time = Math.max(there.time, time);
    }
  }

  /** What was read and written, by partition, as far as it may not be in all replicas. */
  public Map<Integer, PositionVector> positions() {
    Map<Integer, PositionVector> all = new HashMap<>();
    seen.forEach((partition, each) -> all.put(partition, each.reads.max(each.writes)));
    return all;
  }

  private Seen of(int partition) {
    return seen.computeIfAbsent(partition, none -> new Seen());
  }

  private void drop(int partition, PositionVector everywhere) {
    Seen there = seen.get(partition);
    if (there == null) {
      return;
    }
    there.reads = without(there.reads, everywhere);
    there.writes = without(there.writes, everywhere);
    dropIfEmpty(partition, there);
  }

  private void dropIfEmpty(int partition, Seen there) {
    if (there.reads.isNone() && there.writes.isNone()) {
      seen.remove(partition);
    }
  }

  private static PositionVector without(PositionVector some, PositionVector everywhere) {
    long[] left = new long[some.length()];
    for (int i = 0; i < left.length; i++) {
      left[i] = some.at(i) > everywhere.at(i) ? some.at(i) : Positions.NONE;
    }
    return PositionVector.of(left);
  }

  /** Partitions with an entry. */
  public int size() {
    return seen.size();
  }

  /** The floor, 0 if there is none. */
  public long floor() {
    return floor;
  }

  // --- as bytes ----------------------------------------------------------------------------------

  /** Folds entries into the floor, those first that were used least recently. */
  private void fold(int entries) {
    Iterator<Seen> oldest = seen.values().iterator();
    for (int left = entries; left > 0 && oldest.hasNext(); left--) {
      floor = Math.max(floor, oldest.next().time);
      oldest.remove();
    }
  }

  /** Writes it in at most so many bytes; what does not fit is folded into the floor. */
  public void write(Encoder out, int bytesMax) {
    byte[] bytes = bytes();
    while (bytes.length > bytesMax && !seen.isEmpty()) {
      fold(1 + seen.size() / 8);
      bytes = bytes();
    }
    out.putRaw(bytes);
  }

  private byte[] bytes() {
    Encoder out = new Encoder();
    out.putNumber(readTime).putNumber(writeTime).putNumber(floor).putNumber(told);
    out.putNumber(seen.size());
    long latest = Math.max(readTime, writeTime);
    int epoch = epoch();
    out.putNumber(epoch);
    for (Map.Entry<Integer, Seen> each : seen.entrySet()) {
      Seen there = each.getValue();
      out.putNumber(each.getKey()).putNumber((latest - there.time) >>> TIME_BITS);
      write(out, there.reads, epoch);
      write(out, there.writes, epoch);
    }
    return out.toBytes();
  }

  /** Most logs have the same epoch, which is written once. */
  private int epoch() {
    return seen.values().stream()
        .map(each -> each.reads.max(each.writes))
        .mapToInt(each -> Positions.epoch(each.at(each.length() - 1)))
        .findFirst()
        .orElse(0);
  }

  private static void write(Encoder out, PositionVector positions, int epoch) {
    out.putNumber(positions.length());
    for (int i = 0; i < positions.length(); i++) {
      long position = positions.at(i);
      long index = Positions.index(position);
      if (position == Positions.NONE || Positions.epoch(position) == epoch) {
        out.putNumber(index << 1);
      } else {
        out.putNumber((index << 1) + 1).putNumber(Positions.epoch(position));
      }
    }
  }

  private static PositionVector positions(Decoder in, int epoch) {
    long[] positions = new long[in.getInt(Positions.DATACENTERS_MAX)];
    for (int i = 0; i < positions.length; i++) {
      long coded = in.getNumber();
      int itsEpoch = (coded & 1) == 0 ? epoch : in.getInt(Positions.EPOCH_MAX);
      positions[i] = coded == 0 ? Positions.NONE : Positions.of(itsEpoch, coded >>> 1);
    }
    return PositionVector.of(positions);
  }

  /** Reads one. */
  public static SessionState read(Decoder in) {
    SessionState state = new SessionState();
    state.readTime = in.getNumber();
    state.writeTime = in.getNumber();
    state.floor = in.getNumber();
    state.told = in.getInt(Positions.MASK_MAX);
    long latest = Math.max(state.readTime, state.writeTime);
    int entries = in.getInt(ENTRIES_MAX);
    int epoch = in.getInt(Positions.EPOCH_MAX);
    for (int left = entries; left > 0; left--) {
      Seen there = new Seen();
      state.seen.put(in.getInt(ENTRIES_MAX), there);
      // A little later than it was: whole milliseconds before the latest.
      there.time = latest - (in.getNumber() << TIME_BITS);
      there.reads = positions(in, epoch);
      there.writes = positions(in, epoch);
    }
    return state;
  }
}
