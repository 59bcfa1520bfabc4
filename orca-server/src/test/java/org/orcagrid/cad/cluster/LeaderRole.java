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
package org.orcagrid.cad.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.orcagrid.cad.FlushRounds;
import org.orcagrid.cad.LateWrites;
import org.orcagrid.cad.LeaderDurability;
import org.orcagrid.cad.LeaseTimes;
import org.orcagrid.simulator.SimulatedNetwork;

/** A leader: the log, the decisions that ship, and the messages in between. */
final class LeaderRole implements Server.Role {
  private static final int EPOCH_BITS = 32;
  private static final long SLOW_NANOS = 200 * ClusterSettings.MILLI;

  private static final class Link {
    private final FollowerRole follower;
    private final SimulatedNetwork.Channel channel;
    private long heardNanos;
    private boolean greeted;

    private Link(FollowerRole follower, SimulatedNetwork.Channel channel, long nowNanos) {
      this.follower = follower;
      this.channel = channel;
      this.heardNanos = nowNanos;
    }
  }

  /** A learner's read that is to be confirmed. */
  private record Confirmation(int follower, long askedNanos, Runnable confirmed) {}

  private final Server server;
  private final long originNanos;
  private final long epoch;
  private final LeaderDurability durability;
  private final Map<Integer, Link> links = new TreeMap<>();
  private final List<PendingRead> held = new ArrayList<>();
  private final List<Confirmation> confirmations = new ArrayList<>();
  private final LateWrites lateWrites = new LateWrites();
  private long lastLateDurable = LateWrites.NONE;

  /** Whether writes are committed once they are durable, at this time. */
  private boolean showsLate;

  /** What was written under this leader and is not acknowledged yet, in order. */
  private final Deque<Long> unacknowledged = new ArrayDeque<>();

  /** What is committed, as a count of the log's entries. */
  private int committed;

  private long counter;

  /** What this leader has proposed and not committed; or null. */
  private Reconfiguration pending;

  private boolean hasSuccessor;
  private boolean commitDelayed;

  LeaderRole(Server server, long epoch) {
    this.server = server;
    this.epoch = epoch;
    this.originNanos = server.clock.nanos();
    this.committed = server.store.log.entries().size();
    this.durability =
        new LeaderDurability(
            server.id,
            epoch << EPOCH_BITS,
            known().current().voters().size(),
            leaseTimes(),
            SLOW_NANOS,
            known().rule(broken(Mutation.LEASE_UNDER_OLD_ALONE)));
  }

  private Configurations.Known known() {
    return server.cluster.configurations.of(server.id);
  }

  private LeaseTimes leaseTimes() {
    LeaseTimes times = server.cluster.settings.times();
    return broken(Mutation.REMOVE_BEFORE_MARK_OUT)
        ? new LeaseTimes(
            times.heartbeatNanos(),
            times.markOutNanos(),
            times.markOutNanos() / 4,
            times.promiseNanos())
        : times;
  }

  private boolean broken(Mutation by) {
    return server.cluster.settings.broken(by);
  }

  private long now() {
    return server.clock.nanos() - originNanos;
  }

  private LeaderDurability.Now here() {
    return new LeaderDurability.Now(
        server.store.last(),
        committedIndex(),
        Math.max(epoch << EPOCH_BITS, server.store.appliedIndex()),
        now());
  }

  long epoch() {
    return epoch;
  }

  int id() {
    return server.id;
  }

  Server server() {
    return server;
  }

  /** The last entry that is committed; what is before it is, too. */
  long committedIndex() {
    return committed == 0 ? 0 : server.store.log.entries().get(committed - 1).index();
  }

  void begin() {
    heartbeat();
    onForced();
    // Changes nothing; who has applied it has applied all before the epoch.
    write("epoch");
  }

  // ---- followers

  /** A follower is in sync with this leader from now on. */
  FollowerRole connect(Server other) {
    close(other.id, false);
    FollowerRole follower =
        new FollowerRole(other, this, server.cluster.network.open(other.id, server.id));
    links.put(
        other.id, new Link(follower, server.cluster.network.open(server.id, other.id), now()));
    return follower;
  }

  private static void send(Link link, Runnable arrival) {
    link.channel.send(link.follower.ifCurrent(arrival));
  }

  private void close(int id, boolean crashed) {
    Link old = links.remove(id);
    if (old != null) {
      if (!crashed) {
        send(old, old.follower::onClosed);
      }
      durability.onLeft(id);
    }
  }

  /** The connection is closed, from whichever side. */
  void disconnect(int id, FollowerRole follower) {
    Link link = links.get(id);
    if (link != null && link.follower == follower) {
      close(id, false);
    }
  }

  private void heartbeat() {
    if (server.role != this) {
      return;
    }
    List<Integer> silent = new ArrayList<>();
    links.forEach(
        (id, link) -> {
          if (now() - link.heardNanos > server.silenceMaxNanos) {
            silent.add(id);
          }
        });
    silent.forEach(id -> close(id, false));
    List<Integer> connected = new ArrayList<>(links.keySet());
    connected.add(server.id);
    if (!known().isQuorum(connected)) {
      server.look();
      return;
    }
    LeaderDurability.Now here = here();
    long sent = here.nowNanos();
    server.promise(epoch);
    showsLate ^= server.cluster.sim.chance(10);
    perform(
        durability.onHeartbeat(
            known().current().voters().size(), id -> known().current().votes(id), here));
    links.forEach(
        (id, link) ->
            send(
                link,
                known().votesNowOrNext(id)
                    ? () -> link.follower.onHeartbeat(sent)
                    : link.follower::onPing));
    commitPending();
    server.clock.after(
        server.cluster.settings.times().heartbeatNanos(), server.guarded(this::heartbeat));
  }

  private Link heard(int id) {
    Link link = links.get(id);
    if (link != null && server.role == this) {
      link.heardNanos = now();
      return link;
    }
    return null;
  }

  void onHello(int id, long persisted, long applied) {
    Link link = heard(id);
    if (link != null) {
      link.greeted = true;
      acknowledge(id, persisted);
      perform(durability.onJoined(id, known().current().votes(id), persisted, applied, here()));
      tell(link);
    }
  }

  void onPong(int id) {
    heard(id);
  }

  // ---- reconfigurations

  boolean hasSuccessor() {
    return hasSuccessor;
  }

  /** Proposes that these vote, if enough of them are in sync; returns whether it does. */
  boolean reconfigure(Set<Integer> voters) {
    Configurations.Configuration next = server.cluster.configurations.create(voters);
    List<Integer> inSync = new ArrayList<>(links.keySet());
    inSync.add(server.id);
    boolean isBehind = committed < server.store.log.entries().size();
    if (isBehind || pending != null || hasSuccessor || !next.isQuorum(inSync)) {
      return false;
    }
    Entry entry = new Entry((epoch << EPOCH_BITS) + ++counter, "configuration");
    known().onProposal(next);
    if (!broken(Mutation.ACKNOWLEDGE_BEFORE_FORCED)) {
      known().onForced();
    }
    server.store.log.append(entry);
    pending = new Reconfiguration(server, entry.index(), next);
    for (Link link : links.values()) {
      send(link, () -> link.follower.onReconfiguration(entry, next));
    }
    if (broken(Mutation.ACKNOWLEDGE_BEFORE_FORCED)) {
      pending.onAcknowledged(server.id);
    }
    return true;
  }

  void onAcknowledged(int id, long index) {
    if (heard(id) != null) {
      acknowledge(id, index);
    }
  }

  private void acknowledge(int id, long persisted) {
    if (pending != null && persisted >= pending.index()) {
      pending.onAcknowledged(id);
      commitPending();
    }
  }

  /** The thread that is to carry out the next decision is not scheduled for long. */
  void delayCommit() {
    commitDelayed = true;
  }

  /** What is decided is carried out a little later, when it is its thread's turn. */
  private void commitPending() {
    Reconfiguration decided = pending;
    if (decided != null && decided.decide(durability.lease(), now())) {
      long max = commitDelayed ? 4_000 : 2;
      commitDelayed = false;
      server.cluster.sim.after(
          server.cluster.sim.between(0, max * ClusterSettings.MILLI),
          server.guarded(() -> commit(decided)));
    }
  }

  private void commit(Reconfiguration decided) {
    if (server.role != this) {
      return;
    }
    int successor = decided.successor(links.keySet());
    pending = null;
    committed = server.store.log.entries().size();
    known().activate(decided.next());
    server.applyLater();
    for (Link link : links.values()) {
      send(link, () -> link.follower.onActivate(decided.index(), decided.next(), successor));
    }
    if (successor == server.id) {
      decided.writesBehind().forEach(this::write);
    } else {
      hasSuccessor = true;
    }
  }

  void onReport(int id, long persisted, long applied) {
    if (heard(id) != null) {
      perform(durability.onReport(id, persisted, applied, here()));
    }
  }

  void onBeat(int id, long sentNanos, long stamp, long persisted, long applied) {
    Link link = heard(id);
    if (link == null || !link.greeted) {
      return;
    }
    LeaderDurability.Effects effects =
        durability.onBeat(
            id, broken(Mutation.LEAD_FROM_ANSWER) ? now() : sentNanos, persisted, applied, here());
    commitPending();
    boolean grant = effects.grant() || broken(Mutation.GRANT_WITHOUT_LEASE);
    perform(effects);
    if (grant) {
      send(link, () -> link.follower.onGrant(stamp));
    }
  }

  void onMarkedOut(int id) {
    if (heard(id) != null) {
      perform(durability.onMarkedOut(id, here()));
    }
  }

  void onLearnersDemand(long durable, long applied) {
    if (server.role == this) {
      perform(durability.onDemand(durable, applied, true, here()));
    }
  }

  /** A learner's place in the order is told at once; that it may be used, under the lease. */
  void onConfirm(int id, LongConsumer place, Runnable confirmed) {
    Link link = heard(id);
    if (link != null) {
      long last = server.store.last();
      send(link, () -> place.accept(last));
      confirmations.add(new Confirmation(id, now(), confirmed));
      confirm();
    }
  }

  private void confirm() {
    for (Iterator<Confirmation> all = confirmations.iterator(); all.hasNext(); ) {
      Confirmation read = all.next();
      if (durability.lease().endNanos() > read.askedNanos()
          || broken(Mutation.CONFIRM_WITHOUT_LEASE)) {
        all.remove();
        Link link = links.get(read.follower());
        if (link != null) {
          send(link, read.confirmed());
        }
      }
    }
  }

  // ---- what the decisions want

  private void perform(LeaderDurability.Effects effects) {
    if (server.role != this) {
      return;
    }
    long flush = effects.flush();
    if (flush != FlushRounds.NONE) {
      if (effects.flushes(server.id)) {
        server.force();
      }
      links.forEach(
          (id, link) -> {
            if (effects.flushes(id)) {
              send(link, () -> link.follower.onFlush(flush));
            } else if (effects.flushAsksApplied()) {
              send(link, () -> link.follower.onAskApplied(flush));
            }
          });
    }
    long ask = effects.askApplied();
    if (ask != FlushRounds.NONE) {
      links.values().forEach(link -> send(link, () -> link.follower.onAskApplied(ask)));
    }
    for (long id : effects.markOut()) {
      Link link = links.get((int) id);
      if (link != null) {
        send(link, () -> link.follower.onMarkOut());
      }
    }
    if (effects.announce()) {
      links.values().forEach(this::tell);
      durability.onAnnounced(durability.durable(), durability.applied());
    }
    if (effects.leaseExtended()) {
      confirm();
    }
    acknowledge();
    if (effects.moved()) {
      long waited = lateWrites.onDurable(durability.durable(), now());
      lastLateDurable = waited == LateWrites.NONE ? lastLateDurable : waited;
      commitThoseThatMay();
    }
    if (effects.moved() || effects.leaseExtended()) {
      release();
    }
  }

  /** Acknowledges what all members have applied. */
  private void acknowledge() {
    long upTo =
        broken(Mutation.ACKNOWLEDGE_BEFORE_APPLIED) ? committedIndex() : durability.applied();
    while (!unacknowledged.isEmpty() && unacknowledged.peek() <= upTo) {
      server.cluster.onAcknowledged(unacknowledged.poll());
    }
  }

  private void commitThoseThatMay() {
    List<Entry> entries = server.store.log.entries();
    while (pending == null
        && committed < entries.size()
        && lateWrites.mayCommit(entries.get(committed).index())) {
      long index = entries.get(committed).index();
      committed++;
      boolean isDurable = index <= durability.durable() || broken(Mutation.MARK_COMMITS_DURABLE);
      server.applyLater();
      boolean asks = index == lastLateDurable && durability.onLateCommit(index);
      for (Link link : links.values()) {
        send(
            link,
            () -> {
              link.follower.onCommit(index, isDurable);
              if (asks) {
                link.follower.onAskApplied(index);
              }
            });
      }
    }
  }

  private void tell(Link link) {
    long durable = durability.durable();
    long applied = durability.applied();
    send(link, () -> link.follower.onSettled(durable, applied));
  }

  // ---- its own log and tree

  @Override
  public void write(String key) {
    if (server.role != this || hasSuccessor) {
      return;
    }
    if (pending != null) {
      pending.putBehind(key);
      return;
    }
    Entry entry = new Entry((epoch << EPOCH_BITS) + ++counter, key);
    server.cluster.onWrite(entry);
    server.store.log.append(entry);
    boolean late = showsLate;
    for (Link link : links.values()) {
      send(link, () -> link.follower.onProposal(entry, late));
    }
    if (late) {
      lateWrites.add(entry.index(), now());
      server.force();
    } else {
      commitThoseThatMay();
    }
    if (server.cluster.settings.awaitsMembers()) {
      unacknowledged.add(entry.index());
      if (!late) {
        perform(durability.onDemand(0, entry.index(), false, here()));
      }
    }
  }

  @Override
  public void onForced() {
    if (pending != null && server.store.persisted() >= pending.index()) {
      known().onForced();
      acknowledge(server.id, server.store.persisted());
    }
    perform(
        durability.onReport(
            server.id, Math.max(epoch << EPOCH_BITS, server.store.persisted()), -1, here()));
  }

  @Override
  public void onApplied() {
    List<Entry> entries = server.store.log.entries();
    if (server.store.applied >= committed
        || (pending != null && entries.get(server.store.applied).index() >= pending.index())) {
      return;
    }
    server.store.applyNext();
    long index = server.store.appliedIndex();
    if (unacknowledged.contains(index)) {
      // Its answer is held now. For that of an early one members were asked when it was proposed.
      perform(durability.onDemand(0, index, false, here()));
    }
    long wanted = durability.ownAppliedWanted();
    if (wanted != 0) {
      perform(durability.onOwnProgress(here()));
    }
  }

  @Override
  public void read(String key) {
    boolean valid = durability.lease().isValid(now()) || broken(Mutation.LEAD_WITHOUT_LEASE);
    PendingRead read =
        new PendingRead(
            key,
            server.store.tree.getOrDefault(key, -1L),
            server.cluster.sim.nowNanos(),
            valid ? PendingRead.NO_LEASE : now());
    if (mayLeave(read)) {
      server.cluster.answer(read);
      return;
    }
    held.add(read);
    perform(durability.onDemand(read.shown(), read.shown(), false, here()));
  }

  private boolean mayLeave(PendingRead read) {
    return (read.shown() <= durability.durable() || broken(Mutation.REPLY_BEFORE_DURABLE))
        && (read.shown() <= durability.applied() || broken(Mutation.REPLY_BEFORE_APPLIED))
        && (read.needsLeaseNanos() == PendingRead.NO_LEASE
            || durability.lease().endNanos() > read.needsLeaseNanos());
  }

  private void release() {
    for (Iterator<PendingRead> all = held.iterator(); all.hasNext(); ) {
      PendingRead read = all.next();
      if (mayLeave(read)) {
        all.remove();
        server.cluster.answer(read);
      }
    }
  }

  @Override
  public long settled() {
    return Math.min(durability.durable(), durability.applied());
  }

  @Override
  public void end(boolean crashed) {
    server.cluster.refused += held.size() + confirmations.size();
    for (int id : List.copyOf(links.keySet())) {
      close(id, crashed);
    }
  }
}
