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
package org.orcagrid.geo.replica;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.store.DirectMemory;
import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.geo.GeoRule;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.Requirement;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.clock.HybridClock;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/**
 * A partition at one node: versions, and how far it has come with the writes of each datacenter
 * (NuKV, section 5.2). All replicas of a group apply the same commands in the same order.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>of each datacenter, all writes up to the stable vector's position are here, or a version
 *       that wins (Lemma A.1);
 *   <li>the stable vector does not go back;
 *   <li>the clock is not behind a version that is here;
 *   <li>what has come of a datacenter's writes when it is removed stays so.
 * </ol>
 */
public final class Replica {
  private final int self;
  private final int epoch;
  private final Set<GeoRule> rules;
  private final HybridClock clock;
  private final VersionStore versions;
  private final Writers writers = new Writers();
  private final SafeTimes safe;
  private final Removals removals = new Removals();
  private final long[] stable = new long[Positions.DATACENTERS_MAX];

  /** By datacenter that sends its state: the stream, and how many parts have come. */
  private final MergeStream[] streams = new MergeStream[Positions.DATACENTERS_MAX];

  private final int[] parts = new int[Positions.DATACENTERS_MAX];

  /** Indexes of entries with a client's write that had no effect, as far as the log has them. */
  private final TreeSet<Long> withoutEffect = new TreeSet<>();

  private long applied;
  private long compactedWrite;
  private boolean hadGap;

  /**
   * A replica of an empty partition.
   *
   * @param self its datacenter
   * @param epoch of its group's log
   * @param clock moved by what is applied
   */
  public Replica(int self, int epoch, Set<GeoRule> rules, HybridClock clock, DirectMemory direct) {
    this.self = self;
    this.epoch = epoch;
    this.rules = rules;
    this.clock = clock;
    this.versions = new VersionStore(rules, direct);
    this.safe = new SafeTimes(rules);
    Arrays.fill(streams, MergeStream.NONE);
  }

  // --- what is here ------------------------------------------------------------------------------

  /** Its datacenter. */
  public int datacenter() {
    return self;
  }

  /** The last entry that was applied. */
  public long applied() {
    return applied;
  }

  /** The position of an entry of its group's log. */
  public long position(long index) {
    return Positions.of(epoch, index);
  }

  /** How far it has come with the writes of a datacenter. */
  public long stable(int datacenter) {
    return stable[datacenter];
  }

  /** The same of all. */
  public PositionVector stable() {
    return PositionVector.of(stable);
  }

  /** The present version of a key. */
  public Found get(byte[] key) {
    return versions.get(key);
  }

  /**
   * The same, as it is shown. Some writes of a datacenter that was removed may be here that are
   * behind the cut. They are shown as if they were at the cut, or a session would miss what it has.
   */
  public Found shown(byte[] key) {
    Found found = versions.get(key);
    Version version = found.version();
    int from = version.datacenter();
    if (!removals.isRemoved(from) || version.position() <= stable[from]) {
      return found;
    }
    return new Found(new Version(version.time(), from, stable[from]), found.value());
  }

  /** Whether it has what a request asks for (line 2). */
  public boolean meets(Requirement requirement, int datacenters) {
    return missing(requirement, datacenters) < 0;
  }

  /** A datacenter of which it lacks what a request asks for; -1 if it lacks nothing. */
  public int missing(Requirement requirement, int datacenters) {
    PositionVector wanted = requirement.positions();
    for (int i = 0; i < wanted.length(); i++) {
      if (!reaches(stable[i], wanted.at(i)) && !removals.isRemoved(i)) {
        return i;
      }
    }
    for (int i = 0; requirement.floor() > 0 && i < datacenters; i++) {
      if (safe.time(i) < requirement.floor() && !removals.isRemoved(i)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * A datacenter that was removed, and with it something that a session has seen, or may have; -1
   * if there is none of which it was not told.
   */
  public int lost(Requirement requirement) {
    int left = rules.contains(GeoRule.LOSS_IS_TOLD) ? removals.removed() : 0;
    for (int i = 0; left >> i != 0; i++) {
      boolean isSeen = requirement.positions().at(i) > stable[i];
      boolean mayBe = requirement.floor() > 0 && (requirement.told() & (1 << i)) == 0;
      if (removals.isRemoved(i) && (isSeen || mayBe)) {
        return i;
      }
    }
    return -1;
  }

  /** Datacenters of which nothing more is taken: a bit for each. */
  public int fenced() {
    return removals.fenced();
  }

  /** Whether nothing more of a datacenter is taken. */
  public boolean isFenced(int datacenter) {
    return removals.isFenced(datacenter);
  }

  /** Datacenters that are removed: a bit for each. */
  public int removed() {
    return removals.removed();
  }

  /** Whether a datacenter is removed. */
  public boolean isRemoved(int datacenter) {
    return removals.isRemoved(datacenter);
  }

  /** What was fenced at a datacenter when it began to hand over the state that is here. */
  public int handed(int datacenter) {
    return removals.handed(datacenter);
  }

  private boolean reaches(long has, long wanted) {
    return rules.contains(GeoRule.EPOCH_BEFORE_INDEX)
        ? has >= wanted
        : Positions.index(has) >= Positions.index(wanted);
  }

  /** All writes of a datacenter that are not later than this are here. */
  public long safeTime(int datacenter) {
    return safe.time(datacenter);
  }

  /** Behind a position, a datacenter has writes only that are later than a time. */
  public void safe(int datacenter, long position, long time) {
    safe.told(datacenter, position, time, stable[datacenter]);
  }

  /** Whether a client's write had an effect; of entries that the log still has. */
  public boolean hadEffect(long index) {
    return !withoutEffect.contains(index);
  }

  /** How far a sending of state has come: parts, 0 if another one is under way. */
  public int parts(MergeStream stream) {
    return streams[stream.datacenter()].equals(stream) ? parts[stream.datacenter()] : 0;
  }

  /** Keys, with those that are deleted. */
  public int keys() {
    return versions.size();
  }

  /** Keys that are deleted and not forgotten. */
  public int deletions() {
    return versions.deletions();
  }

  /** Sessions whose writes may be tried again. */
  public int writers() {
    return writers.size();
  }

  /** A number that two replicas with the same versions have in common. */
  public long digest() {
    return versions.digest();
  }

  /** Shows all versions, in no order. */
  public void forEach(Consumer<StoredVersion> what) {
    versions.forEach(what);
  }

  /** Whether deletions up to these positions may be forgotten, and there are some. */
  public boolean mayPurge(PositionVector upTo) {
    return versions.mayPurge(upTo);
  }

  // --- the log -----------------------------------------------------------------------------------

  /** Applies an entry without a command. */
  public void skip(long index) {
    Invariant.check(
        index > applied, "entries come in their order", "index", index, "applied", applied);
    applied = index;
  }

  /** Whether what was applied last lay behind writes that have not come. */
  public boolean hadGap() {
    return hadGap;
  }

  /**
   * Applies a command (lines 22 to 24).
   *
   * @return what came of a client's write, null of anything else
   */
  public Outcome apply(long index, Command command) {
    skip(index);
    hadGap = false;
    if (command instanceof Command.Local local) {
      return local(index, local.write());
    } else if (command instanceof Command.Replicated replicated) {
      replicated(replicated);
    } else if (command instanceof Command.Merged merged) {
      merged(merged);
    } else if (command instanceof Command.Purge purge) {
      versions.purge(purge.upTo());
    } else if (command instanceof Command.Fence fence) {
      removals.fence(fence.datacenters(), fence.ofHowMany());
      removals.look(self, rules.contains(GeoRule.CUT_IS_AGREED));
    }
    return null;
  }

  private Outcome local(long index, LocalWrite write) {
    long position = Positions.of(epoch, index);
    clock.observe(write.time());
    Outcome known = rules.contains(GeoRule.RETRIES_ONCE) ? writers.find(write.id()) : null;
    Outcome outcome = known;
    if (outcome == null) {
      outcome = tried(write, new Version(write.time(), self, position));
      writers.add(write.id(), write.expires(), outcome);
    }
    if (known != null || outcome.result() != Outcome.Result.DONE) {
      withoutEffect.add(index);
    }
    writers.forget(write.time());
    advance(self, position);
    return outcome;
  }

  private Outcome tried(LocalWrite write, Version version) {
    boolean isLate = write.time() > write.expires() && rules.contains(GeoRule.EXPIRED_IS_REFUSED);
    if (isLate || isOut(self)) {
      return new Outcome(Outcome.Result.EXPIRED, Version.NONE);
    }
    if (write.condition() != null && rules.contains(GeoRule.CONDITION_IN_LOG_ORDER)) {
      Found present = versions.get(write.key());
      if (!write.condition().holds(present.version(), present.value() != null)) {
        return new Outcome(Outcome.Result.CONDITION_FAILED, present.version());
      }
    }
    put(write.key(), write.value(), version);
    return new Outcome(Outcome.Result.DONE, version);
  }

  private boolean put(byte[] key, byte[] value, Version version) {
    boolean wins = versions.put(key, value, version);
    if (value == null && !rules.contains(GeoRule.DELETIONS_STAY)) {
      versions.purgeAll();
    }
    return wins;
  }

  /** Whether it is fenced, so that its writes are not the store's any more. */
  private boolean isOut(int datacenter) {
    return removals.isFenced(datacenter) && rules.contains(GeoRule.REMOVED_IS_FENCED);
  }

  private void replicated(Command.Replicated replicated) {
    int origin = replicated.origin();
    if (isOut(origin)) {
      return;
    }
    for (RemoteWrite each : replicated.writes()) {
      boolean isHere = each.position() <= stable[origin];
      if (isHere && rules.contains(GeoRule.DUPLICATES_ARE_IGNORED)) {
        continue;
      }
      if (each.previous() != stable[origin] && rules.contains(GeoRule.GAPS_ARE_FOUND) && !isHere) {
        hadGap = true;
        return;
      }
      boolean wins = each.key() == null || remote(each, origin);
      if (wins || rules.contains(GeoRule.LOSERS_MOVE_VECTOR)) {
        advance(origin, each.position());
      }
    }
  }

  private boolean remote(RemoteWrite write, int origin) {
    if (rules.contains(GeoRule.APPLIED_MOVES_CLOCK)) {
      clock.observe(write.time());
    }
    return put(write.key(), write.value(), new Version(write.time(), origin, write.position()));
  }

  private void merged(Command.Merged merged) {
    MergeStream stream = merged.stream();
    int from = stream.datacenter();
    if (isOut(from)) {
      return;
    }
    if (merged.part() == 0 && parts(stream) == 0) {
      streams[from] = stream;
      parts[from] = 0;
    }
    if (!streams[from].equals(stream) || parts[from] != merged.part()) {
      return;
    }
    for (StoredVersion each : merged.versions()) {
      Version version = each.version();
      // What is up to the vector is here, or was, and is forgotten for good.
      if (version.position() > stable[version.datacenter()]) {
        clock.observe(version.time());
        put(each.key(), each.value(), version);
      }
    }
    parts[from]++;
    if (merged.last() || !rules.contains(GeoRule.VECTOR_AFTER_STATE)) {
      for (int i = 0; i < merged.vector().length(); i++) {
        if (i != self && merged.vector().at(i) > stable[i]) {
          advance(i, merged.vector().at(i));
        }
      }
    }
    if (merged.last()) {
      removals.handed(from, merged.fenced());
      removals.look(self, rules.contains(GeoRule.CUT_IS_AGREED));
    }
  }

  private void advance(int datacenter, long position) {
    Invariant.check(
        position > stable[datacenter],
        "the stable vector does not go back",
        "from",
        stable[datacenter],
        "to",
        position);
    Invariant.check(
        !removals.isRemoved(datacenter), "a cut is for good", "of", datacenter, "to", position);
    stable[datacenter] = position;
    safe.reached(datacenter, position);
  }

  /** The log begins behind a snapshot: what is kept of the entries before is of no use. */
  public void compacted(Snapshot snapshot) {
    withoutEffect.headSet(snapshot.index(), true).clear();
    compactedWrite = snapshot.lastWrite();
  }

  /** The position of the group's last write that the log has no more. */
  public long compactedWrite() {
    return compactedWrite;
  }

  // --- snapshots ---------------------------------------------------------------------------------

  /** Begins a snapshot of what is applied; the one before ends. */
  public Snapshot snapshot() {
    Encoder head = new Encoder();
    head.putNumber(epoch).putNumber(self).putNumber(applied);
    head.putNumbers(stable).putNumber(clock.last());
    for (int i = 0; i < streams.length; i++) {
      CommandCodec.putStream(head, streams[i]);
      head.putNumber(parts[i]);
    }
    removals.write(head);
    boolean keeps = rules.contains(GeoRule.RETRIES_IN_SNAPSHOTS);
    (keeps ? writers : new Writers()).write(head);
    return new Snapshot(applied, stable[self], head.toBytes(), versions.list());
  }

  /**
   * Goes through the versions. It comes to each key that was there when this was called, and shows
   * its version of then or one that wins. Null is behind the last.
   */
  public Supplier<StoredVersion> state() {
    return versions.all();
  }

  /**
   * Takes the state of a snapshot in the place of its own.
   *
   * @throws MalformedPacketException if it is none, or of another group
   */
  public void restore(byte[] snapshot) {
    Decoder in = new Decoder(snapshot);
    requireOwn(in.getNumber(), in.getNumber());
    applied = in.getNumber();
    long[] vector = in.getNumbers(Positions.DATACENTERS_MAX);
    System.arraycopy(vector, 0, stable, 0, vector.length);
    compactedWrite = stable[self];
    clock.observe(in.getNumber());
    for (int i = 0; i < streams.length; i++) {
      streams[i] = CommandCodec.getStream(in);
      parts[i] = (int) in.getNumber();
    }
    removals.read(in);
    writers.read(in);
    versions.clear();
    withoutEffect.clear();
    while (in.getBoolean()) {
      StoredVersion each = CommandCodec.getVersion(in);
      versions.put(each.key(), each.value(), each.version());
    }
    in.end();
    for (int i = 0; i < stable.length; i++) {
      safe.reached(i, stable[i]);
    }
  }

  private void requireOwn(long itsEpoch, long itsDatacenter) {
    if (itsEpoch != epoch || itsDatacenter != self) {
      throw new MalformedPacketException(
          "It is a snapshot of datacenter "
              + itsDatacenter
              + ", epoch "
              + itsEpoch
              + ", and this replica is of datacenter "
              + self
              + ", epoch "
              + epoch);
    }
  }
}
