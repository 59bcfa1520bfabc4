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
package org.orcagrid.geo.partition;

import java.util.Arrays;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import org.orcagrid.ddp.store.DirectMemory;
import org.orcagrid.geo.GeoRule;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.Requirement;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.clock.HybridClock;
import org.orcagrid.geo.forward.Forwarder;
import org.orcagrid.geo.message.GeoMessage;
import org.orcagrid.geo.replica.Command;
import org.orcagrid.geo.replica.CommandCodec;
import org.orcagrid.geo.replica.Found;
import org.orcagrid.geo.replica.MergeStream;
import org.orcagrid.geo.replica.Outcome;
import org.orcagrid.geo.replica.Replica;
import org.orcagrid.geo.replica.Snapshot;

/**
 * A partition at one node (NuKV, Algorithm 2): reads wait for its replica, writes go through the
 * log, and the writes of the datacenter to the others.
 *
 * <p>Before each input {@link #at} tells the time; after some inputs {@link #flush} sends what has
 * gathered. One thread at a time.
 */
public final class Partition {
  /** How often replicas tell each other how far they are. */
  public static final long TELL_NANOS = 200_000_000L;

  /** A duty that is not confirmed ends. */
  private static final long DUTY_NANOS = 1_000_000_000L;

  /** A datacenter that was not heard for so long is taken for gone: others pass its writes on. */
  private static final long GONE_NANOS = 3_000_000_000L;

  private static final long HAND_OVER_NANOS = 2_000_000_000L;

  private final PartitionSettings settings;
  private final int self;
  private final PartitionLog log;
  private final Set<GeoRule> rules;
  private final ObjIntConsumer<GeoMessage> links;
  private final HybridClock clock;
  private final Replica replica;
  private final Waiters<ReadRequest> reads;
  private final Waiters<WriteRequest> writes;
  private final Proposals proposals;
  private final Followers followers;
  private final Datacenters datacenters;

  /** By datacenter: the node whose forwarder is to hear how far this leader is, -1 for none. */
  private final int[] askers = new int[Positions.DATACENTERS_MAX];

  /** By datacenter: whether it is to hear that now, and that writes are missing. */
  private final boolean[] due = new boolean[Positions.DATACENTERS_MAX];

  private final boolean[] gaps = new boolean[Positions.DATACENTERS_MAX];
  private final MergeStream[] streams = new MergeStream[Positions.DATACENTERS_MAX];

  private Moment now;
  private long appliedTerm;
  private boolean serves;

  /** What the leader had applied when it was first heard, -1 before that. */
  private long servesFrom = -1;

  /** How far this leader's own writes were applied when it told of it before. */
  private long toldOwn = Long.MAX_VALUE;

  private Forwarder forwarder;
  private long dutyNanos;
  private long toldNanos;
  private long handedOverNanos;
  private long missedDeadlines;
  private long gapsFound;

  /**
   * A partition without a state yet.
   *
   * @param links sends a message to the same partition at a node
   */
  public Partition(
      PartitionSettings settings,
      PartitionLog log,
      ObjIntConsumer<GeoMessage> links,
      Set<GeoRule> rules,
      DirectMemory direct,
      Moment now) {
    this.settings = settings;
    this.self = settings.datacenter();
    this.log = log;
    this.links = links;
    this.rules = rules;
    this.now = now;
    this.clock = new HybridClock(rules);
    this.replica = new Replica(self, settings.epoch(), rules, clock, direct);
    int count = settings.placement().datacenters();
    this.reads = new Waiters<>(count, settings.waitingMax());
    this.writes = new Waiters<>(count, settings.waitingMax());
    this.proposals = new Proposals(log, clock, replica, rules);
    this.followers =
        new Followers(settings.node(), self, settings.placement().nodes().get(self), rules);
    this.datacenters = new Datacenters(self, count, rules, now.nanos());
    this.toldNanos = now.nanos() - TELL_NANOS;
    this.handedOverNanos = now.nanos() - HAND_OVER_NANOS;
    Arrays.fill(askers, -1);
    Arrays.fill(streams, MergeStream.NONE);
  }

  // --- what others may know ----------------------------------------------------------------------

  /** What it has. */
  public Replica replica() {
    return replica;
  }

  /** Where it is. */
  public PartitionSettings settings() {
    return settings;
  }

  /** Whether it leads, and has applied all that was written before. */
  public boolean leads() {
    boolean knows = appliedTerm == log.term() || !rules.contains(GeoRule.LEADER_KNOWS_ITS_LOG);
    return log.leads() && knows;
  }

  /** Whether it has what it had before it was started last. */
  public boolean serves() {
    return serves;
  }

  /** The forwarder, null while another node has the duty. */
  public Forwarder forwarder() {
    return forwarder;
  }

  /** Requests that wait for writes to come. */
  public int waiting() {
    return reads.size() + writes.size();
  }

  /** Writes that are not committed yet. */
  public int proposed() {
    return proposals.size();
  }

  /** Requests whose time was over before they had what they asked for. */
  public long missedDeadlines() {
    return missedDeadlines;
  }

  /** How often writes came before those that precede them. */
  public long gapsFound() {
    return gapsFound;
  }

  /** What all replicas of all datacenters have. */
  public PositionVector everywhere() {
    return datacenters.everywhere(gone());
  }

  /** Datacenters that hold up nothing any more. */
  private int gone() {
    return rules.contains(GeoRule.REMOVED_HOLDS_UP_NOTHING) ? replica.removed() : 0;
  }

  /** What is missing here of what a datacenter has written; nothing of one that is removed. */
  public Lag lag(int datacenter) {
    if (replica.isRemoved(datacenter)) {
      return new Lag(datacenter, 0, 0);
    }
    long safe = HybridClock.millis(replica.safeTime(datacenter));
    long missing = datacenters.missing(datacenter, replica.stable(datacenter));
    return new Lag(datacenter, missing, Math.max(0, now.wallMillis() - safe));
  }

  /** This node's hybrid time, for all that it says to the group. */
  public long time() {
    clock.observe(HybridClock.of(now.wallMillis()));
    return clock.last();
  }

  /** How far the hybrid clock is ahead of the node's own. */
  public long aheadMillis() {
    return Math.max(0, HybridClock.millis(clock.last()) - now.wallMillis());
  }

  /** A node of the group has said something at its hybrid time. */
  public void heardTime(long time) {
    clock.observe(time);
  }

  // --- time --------------------------------------------------------------------------------------

  /** What follows happens at this moment. */
  public void at(Moment moment) {
    now = moment;
  }

  /** When {@link #tick} has something to do at the latest. */
  public long deadlineNanos() {
    return Math.min(
        toldNanos + TELL_NANOS, Math.min(reads.deadlineNanos(), writes.deadlineNanos()));
  }

  /** Time has passed. */
  public void tick() {
    proposals.look();
    if (rules.contains(GeoRule.DEADLINES_ARE_KEPT)) {
      reads.expire(now.nanos(), this::expired);
      writes.expire(now.nanos(), this::expired);
    }
    if (now.nanos() - toldNanos >= TELL_NANOS) {
      toldNanos = now.nanos();
      tell();
    }
    if (forwarder != null && now.nanos() - dutyNanos >= DUTY_NANOS) {
      forwarder = null;
    }
    if (forwarder != null) {
      forwarder.gone(datacenters.gone(now.nanos(), GONE_NANOS));
      forwarder.tick(now.nanos());
    }
  }

  private void tell() {
    if (!leads()) {
      int leader = log.leader();
      if (leader >= 0 && leader != settings.node()) {
        send(leader, new GeoMessage.Standing(replica.stable(), now.pastMillis()));
      }
      return;
    }
    followers.lead(log.term());
    PositionVector low = followers.low(replica.stable());
    GeoMessage.Report report =
        new GeoMessage.Report(
            log.term(),
            followers.forwarder(now.nanos()),
            low,
            proposals.isEmpty() ? replica.stable(self) : replica.position(proposals.lastIndex()),
            replica.stable(self),
            safeTime(),
            replica.applied(),
            replica.fenced());
    onReport(self, report);
    settings.placement().others(settings.node()).forEach(node -> send(node, report));
    purge(low);
    long ownBefore = toldOwn;
    toldOwn = replica.stable(self);
    if (now.nanos() - handedOverNanos >= HAND_OVER_NANOS) {
      handOver(ownBefore);
    }
  }

  /** A leader whose clock is fast gives way, and so does one that only stands in for another. */
  private void handOver(long ownBefore) {
    boolean isFast = rules.contains(GeoRule.FAST_LEADER_HANDS_OVER) && followers.isFast(now);
    int preferred = settings.preferred();
    if (isFast) {
      handedOverNanos = now.nanos();
      log.transfer(followers.heir(now.nanos()));
    } else if (preferred != settings.node() && followers.mayLead(preferred, ownBefore, now)) {
      handedOverNanos = now.nanos();
      log.transfer(preferred);
    }
  }

  /** The group has no write behind its last committed one that is not later. */
  private long safeTime() {
    long safe = HybridClock.of(followers.passedByMajority(now.pastMillis()));
    clock.observe(safe);
    long first = proposals.firstTime();
    boolean waits = rules.contains(GeoRule.SAFE_TIME_BEFORE_UNCOMMITTED);
    return first > 0 && waits ? Math.min(safe, first - 1) : safe;
  }

  private void purge(PositionVector low) {
    PositionVector upTo = datacenters.forgettable(low, gone());
    if (replica.mayPurge(upTo)) {
      log.propose(CommandCodec.encode(new Command.Purge(upTo)));
    }
  }

  private void send(int node, GeoMessage message) {
    links.accept(message, node);
  }

  // --- requests ----------------------------------------------------------------------------------

  /** A client reads (line 1). */
  public void read(ReadRequest request) {
    if (!serves) {
      request.answer(new ReadAnswer.NotServing());
      return;
    }
    if (isOut()) {
      request.answer(new ReadAnswer.Removed());
      return;
    }
    Requirement requirement = request.requirement();
    int missing = replica.missing(requirement, settings.placement().datacenters());
    if (missing < 0 || !rules.contains(GeoRule.READS_WAIT)) {
      met(request);
    } else if (request.waitNanos() <= 0) {
      expired(request);
    } else {
      long deadline = now.nanos() + request.waitNanos();
      if (!reads.add(request, requirement, deadline, missing, replica)) {
        request.answer(new ReadAnswer.Overloaded());
      }
    }
  }

  /** Whether this datacenter is removed. */
  private boolean isOut() {
    return replica.isFenced(self) && rules.contains(GeoRule.REMOVED_REFUSES);
  }

  /** All that was asked for is here, if it is anywhere. */
  private void met(ReadRequest request) {
    int lost = replica.lost(request.requirement());
    if (lost < 0) {
      answer(request, Lag.NONE);
    } else {
      long cut = replica.stable(lost);
      long entries = Positions.distance(cut, request.requirement().positions().at(lost));
      request.answer(new ReadAnswer.Lost(lost, cut, entries));
    }
  }

  private void answer(ReadRequest request, Lag lag) {
    Found found = replica.shown(request.key());
    Version version = found.version();
    boolean own = rules.contains(GeoRule.OWN_POSITION) || !version.isThere();
    long position = own ? version.position() : replica.stable(version.datacenter());
    request.answer(new ReadAnswer.Value(found, position, everywhere(), lag));
  }

  private void expired(ReadRequest request) {
    missedDeadlines++;
    Lag lag = worst(request.requirement());
    if (request.orOlder()) {
      answer(request, lag);
    } else {
      request.answer(new ReadAnswer.NotMet(lag));
    }
  }

  /** Of the datacenters that keep a request waiting, the one that is furthest behind. */
  private Lag worst(Requirement requirement) {
    Lag worst = Lag.NONE;
    for (int i = 0; i < settings.placement().datacenters(); i++) {
      boolean isMissing =
          replica.stable(i) < requirement.positions().at(i)
              || (requirement.floor() > 0 && replica.safeTime(i) < requirement.floor());
      if (isMissing
          && !replica.isRemoved(i)
          && (worst.datacenter() < 0 || lag(i).ageMillis() > worst.ageMillis())) {
        worst = lag(i, requirement);
      }
    }
    return worst;
  }

  /** The requester may know of writes that this node was not told of. */
  private Lag lag(int datacenter, Requirement requirement) {
    Lag heard = lag(datacenter);
    long required =
        Positions.distance(replica.stable(datacenter), requirement.positions().at(datacenter));
    return new Lag(datacenter, Math.max(heard.entries(), required), heard.ageMillis());
  }

  /** A client writes (line 5). */
  public void write(WriteRequest request) {
    if (!leads()) {
      request.answer(new WriteAnswer.NotLeading(log.leader()));
      return;
    }
    if (isOut()) {
      request.answer(new WriteAnswer.Removed());
      return;
    }
    Requirement requirement = request.requirement();
    int missing = replica.missing(requirement, settings.placement().datacenters());
    if (missing < 0) {
      proposals.propose(request, now.wallMillis(), everywhere());
    } else if (request.waitNanos() <= 0) {
      expired(request);
    } else {
      long deadline = now.nanos() + request.waitNanos();
      if (!writes.add(request, requirement, deadline, missing, replica)) {
        request.answer(new WriteAnswer.Overloaded());
      }
    }
  }

  private void expired(WriteRequest request) {
    missedDeadlines++;
    request.answer(new WriteAnswer.NotMet(worst(request.requirement())));
  }

  /**
   * Datacenters are to be removed: a bit for each. Does nothing where this node does not lead; what
   * one datacenter's leader knows it tells the others.
   */
  public void remove(int removed) {
    if (leads() && (removed & ~replica.fenced()) != 0) {
      int count = settings.placement().datacenters();
      log.propose(CommandCodec.encode(new Command.Fence(removed, count)));
    }
  }

  // --- the log -----------------------------------------------------------------------------------

  /** An entry is committed; {@code command} is null if it has none. */
  public void onEntry(long index, long term, byte[] command) {
    appliedTerm = term;
    if (command == null) {
      replica.skip(index);
      proposals.applied(index, term, null, PositionVector.NONE);
      return;
    }
    Command decoded = CommandCodec.decode(command);
    Outcome outcome = replica.apply(index, decoded);
    proposals.applied(index, term, outcome, outcome == null ? PositionVector.NONE : everywhere());
    if (decoded instanceof Command.Replicated replicated) {
      due[replicated.origin()] = true;
      if (replica.hadGap()) {
        gapsFound++;
        gaps[replicated.origin()] = true;
      }
    } else if (decoded instanceof Command.Merged merged) {
      due[merged.stream().datacenter()] = true;
      streams[merged.stream().datacenter()] = merged.stream();
    } else if (isOut()) {
      forwarder = null;
    }
  }

  /** The state is that of a snapshot from now on. */
  public void onRestored(byte[] snapshot, long term) {
    replica.restore(snapshot);
    appliedTerm = term;
    // What it was telling others of is not there any more.
    forwarder = null;
  }

  /** The log begins behind a snapshot. */
  public void onCompacted(Snapshot snapshot) {
    replica.compacted(snapshot);
  }

  // --- messages ----------------------------------------------------------------------------------

  /** A message of the same partition at another node. */
  public void onMessage(int from, GeoMessage message) {
    int datacenter = settings.placement().datacenter(from);
    if (datacenter < 0 || isFenced(datacenter)) {
      return;
    }
    if (message instanceof GeoMessage.Replicate replicate) {
      onReplicate(from, datacenter, replicate.writes());
    } else if (message instanceof GeoMessage.Merge merge) {
      onMerge(from, datacenter, merge.part());
    } else if (message instanceof GeoMessage.Report report) {
      onReport(datacenter, report);
    } else if (message instanceof GeoMessage.Standing standing) {
      followers.lead(log.term());
      followers.heard(from, standing, now.nanos());
    } else if (forwarder != null && message instanceof GeoMessage.Progress progress) {
      forwarder.onProgress(datacenter, from, progress, now.nanos());
    } else if (forwarder != null && message instanceof GeoMessage.NotLeading not) {
      forwarder.onNotLeading(datacenter, from, not.leader(), now.nanos());
    }
  }

  private boolean isFenced(int datacenter) {
    return datacenter != self
        && replica.isFenced(datacenter)
        && rules.contains(GeoRule.REMOVED_IS_FENCED);
  }

  private void onReplicate(int from, int datacenter, Command.Replicated writes) {
    if (!leads()) {
      send(from, new GeoMessage.NotLeading(log.leader()));
      return;
    }
    askers[datacenter] = from;
    boolean isNews =
        writes.writes().stream()
            .anyMatch(
                each ->
                    each.position() > replica.stable(datacenter)
                        || !rules.contains(GeoRule.DUPLICATES_ARE_IGNORED));
    if (isNews && writes.origin() == datacenter) {
      log.propose(CommandCodec.encode(writes));
    } else {
      due[datacenter] = true;
    }
  }

  private void onMerge(int from, int datacenter, Command.Merged part) {
    if (!leads()) {
      send(from, new GeoMessage.NotLeading(log.leader()));
      return;
    }
    askers[datacenter] = from;
    log.propose(CommandCodec.encode(part));
  }

  private void onReport(int datacenter, GeoMessage.Report report) {
    datacenters.heard(datacenter, report, now.nanos());
    remove(report.fenced());
    replica.safe(datacenter, report.safePosition(), report.safeTime());
    if (datacenter == self && servesFrom < 0 && report.term() == log.term()) {
      servesFrom = report.applied();
    }
    if (datacenter == self && report.forwarder() == settings.node()) {
      dutyNanos = now.nanos();
      if (forwarder == null && !isOut()) {
        begin();
      }
    }
  }

  private void begin() {
    forwarder = new Forwarder(self, settings.node(), new OwnLog(log, replica, rules), rules, links);
    for (int i = 0; i < settings.placement().datacenters(); i++) {
      if (i != self) {
        int[] nodes =
            settings.placement().nodes().get(i).stream().mapToInt(Integer::intValue).toArray();
        forwarder.add(i, nodes, now.nanos());
      }
    }
  }

  /** Sends what has gathered, and answers those that need not wait any more. */
  public void flush() {
    proposals.look();
    serves |= servesFrom >= 0 && replica.applied() >= servesFrom;
    reads.release(replica, this::met);
    writes.release(replica, this::write);
    for (int i = 0; i < settings.placement().datacenters(); i++) {
      if (due[i] && askers[i] >= 0 && leads()) {
        send(
            askers[i],
            new GeoMessage.Progress(
                replica.stable(),
                gaps[i],
                streams[i],
                replica.parts(streams[i]),
                replica.handed(i)));
      }
      due[i] = false;
      gaps[i] = false;
    }
    if (forwarder != null) {
      forwarder.pump(now.nanos());
    }
  }

  /** The node ends: whoever waits is sent elsewhere. */
  public void end() {
    reads.drain(request -> request.answer(new ReadAnswer.NotServing()));
    writes.drain(request -> request.answer(new WriteAnswer.NotLeading(-1)));
  }
}
