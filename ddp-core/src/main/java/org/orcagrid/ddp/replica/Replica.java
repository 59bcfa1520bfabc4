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
package org.orcagrid.ddp.replica;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;

/**
 * A node's copy of a map under one of the models of the DDP paper: coordinator of what its own
 * clients ask for, follower of the others (section 5).
 *
 * <p>A state machine for one thread. Whoever calls has to call {@link #tick} now and then, and to
 * tell of everything else when it happens; what is to be done is said through {@link Effects}
 * before the call returns.
 *
 * <p>What a node does with a write and a read is two questions that do not know of each other. The
 * consistency, one of {@link Invalidations}, {@link Transactions} and {@link Updates}, says to whom
 * a write goes and when it is visible. The {@link Persistency} says which of the steps there waits
 * for the durable medium: showing a version, acknowledging it, completing it or reading it.
 */
public final class Replica {
  private final ReplicaSettings settings;
  private final Set<ReplicaRule> rules;
  private final Effects effects;
  private final Journal journal;
  private final Entries entries = new Entries();
  private final Entry nothing = new Entry(null, 0, entries);
  private final Link[] links;
  private final Protocol protocol;
  private final Scopes scopes;
  private final CatchUp catchUp;
  private final Checkpoint checkpoint;
  private final Tombstones tombstones;
  private final Watch watch;
  private final Expiry expiry;
  private final Admission admission;
  private final RecoveredLog recoveredLog;
  private final Landings landings;

  /** Operations that wait for something, in the order in which they have come. */
  private final Set<Operation> stalled = new LinkedHashSet<>();

  private ReplicaView view;
  private int incarnation;
  private long highestClock;
  private long forgottenClock;
  private int sessions;
  private boolean stalledMayGoOn;

  /** Operations that were given up and are to be tried again. */
  private final List<Operation> again = new ArrayList<>();

  /** A replica that has nothing yet. */
  public Replica(ReplicaSettings settings, Set<ReplicaRule> rules, Effects effects) {
    this.settings = settings;
    this.rules = Set.copyOf(rules);
    this.effects = effects;
    this.journal = new Journal(effects);
    this.links = new Link[settings.nodes()];
    for (int node = 0; node < links.length; node++) {
      links[node] = new Link();
    }
    this.scopes = new Scopes(this);
    this.protocol = protocol();
    this.catchUp = new CatchUp(this, protocol);
    this.checkpoint = new Checkpoint(this, protocol);
    this.tombstones = new Tombstones(this, protocol, checkpoint);
    this.watch = new Watch(this, protocol, effects);
    this.expiry = new Expiry(this, protocol, effects);
    this.admission = new Admission(settings, scopes);
    this.recoveredLog = new RecoveredLog(this, effects);
    this.landings = new Landings(this, effects);
    entries.watch(watch);
  }

  private Protocol protocol() {
    return switch (settings.model().consistency()) {
      case TRANSACTIONAL -> new Transactions(this);
      case LINEARIZABLE, READ_ENFORCED, RELEASE -> new Invalidations(this);
      case CAUSAL, EVENTUAL -> new Updates(this);
    };
  }

  // --- inputs ------------------------------------------------------------------------------------

  /** What was on this node's durable medium, the oldest record first; before anything else. */
  public void recover(Iterable<LogRecord> log) {
    Recovery recovery = recovery(version -> false);
    log.forEach(recovery::add);
    recovery.end();
  }

  /**
   * Takes what was on this node's durable medium, one record at a time; before anything else.
   *
   * @param isOver whether the time of a version's value is over: it is a removal then, as it may
   *     have been before
   */
  public Recovery recovery(Predicate<Write> isOver) {
    return new Recovery(this, isOver);
  }

  void recovered(Map<Key, Write> latest, LogRecord.Mark mark, long clock, long bytes) {
    learn(clock);
    recoveredLog.take(latest, mark);
    checkpoint.recovered(bytes, latest.values().stream().mapToLong(Encoding::bytes).sum());
  }

  /** The next view, of which this node is a member. */
  public void onView(ReplicaView next, long nowNanos) {
    Invariant.check(
        view == null || next.number() == view.number() + 1,
        "a node is told of every view while it lives");
    view = next;
    incarnation = next.incarnations().get(self());
    Invariant.check(incarnation > 0, "a node that was left out ends");
    int joined = 0;
    for (int node = 0; node < links.length; node++) {
      if (node != self() && links[node].peer() != next.incarnations().get(node)) {
        links[node].connect(next.incarnations().get(node));
        landings.forget(node);
        joined |= next.has(node) ? Quorum.of(node) : 0;
      }
    }
    recoveredLog.onView(view);
    tombstones.onView();
    catchUp.onView(joined);
    drain(nowNanos);
  }

  /** Opens a session; {@code arrival} is what its client has seen elsewhere, null for nothing. */
  public ReplicaSession openSession(long[] arrival) {
    return new ReplicaSession(sessions++, arrival == null ? new long[nodes()] : arrival.clone());
  }

  /**
   * Opens another session of a client, which does not share a key with its other ones. A read of
   * all keys in any of them waits for what all of them have written.
   */
  public ReplicaSession openSessionBeside(ReplicaSession beside) {
    return beside.beside(sessions++);
  }

  /**
   * Ends a session: its transaction is aborted unless it is decided, its scope is never persisted,
   * and what it waits for is aborted.
   */
  public void close(ReplicaSession session, long nowNanos) {
    stalled.addAll(again);
    again.clear();
    List<Operation> waiting =
        stalled.stream().filter(operation -> operation.session() == session).toList();
    waiting.forEach(stalled::remove);
    waiting.forEach(this::abort);
    scopes.forget(session);
    protocol.onClosed(session);
    drain(nowNanos);
  }

  /** What a client has seen in a session, to be shown where it goes on. */
  public long[] seen(ReplicaSession session) {
    long[] seen = protocol.visible().clone();
    seen[self()] = Math.max(seen[self()], session.lastSequence());
    for (int node = 0; node < seen.length; node++) {
      seen[node] = Math.max(seen[node], session.arrival()[node]);
    }
    return seen;
  }

  /** Begins an operation that {@link #requireAllowed} allows; its session's last one has ended. */
  public void submit(Operation operation, long nowNanos) {
    requireAllowed(operation);
    stalled.add(operation);
    stalledMayGoOn = true;
    drain(nowNanos);
  }

  /**
   * Refuses what cannot be submitted, and changes nothing.
   *
   * @throws UnsupportedOperationException if the model has no such operation
   * @throws IllegalStateException if a transaction is to begin in another one, or none is to end
   * @throws BatchTooLargeException if a write is too large, or would make its transaction or scope
   *     too large
   */
  public void requireAllowed(Operation operation) {
    admission.require(operation);
  }

  /** A packet has come. */
  public void onPacket(int from, Packet packet, long nowNanos) {
    Link link = links[from];
    if (view == null
        || packet.sender() != link.peer()
        || packet.receiver() != incarnation
        || link.peer() == 0) {
      return;
    }
    if (packet.view() > view.number() && keeps(ReplicaRule.LATER_VIEW_WAITS)) {
      return;
    }
    link.acknowledged(packet.received());
    stalledMayGoOn = true;
    long number = packet.first();
    for (ReplicaMessage message : packet.messages()) {
      link.receive(number++, message);
    }
    for (ReplicaMessage next = link.next(); next != null; next = link.next()) {
      onMessage(from, next);
    }
    if (!packet.messages().isEmpty()) {
      link.answer();
    }
    drain(nowNanos);
  }

  /** All records up to a position are durable. */
  public void onDurable(long position, long nowNanos) {
    journal.onDurable(position);
    stalledMayGoOn = true;
    drain(nowNanos);
  }

  /** All that {@link Effects#land} has put at a peer up to a position is durable there. */
  public void onFlushed(int peer, long position, long nowNanos) {
    landings.onFlushed(peer, position);
    drain(nowNanos);
  }

  /**
   * Tells {@link Effects#shown} of each version that becomes visible here from now on, or from when
   * this node serves.
   */
  public void watch(long nowNanos) {
    watch.begin();
    drain(nowNanos);
  }

  /** The same, from where an earlier replica's {@link #unwatch} has ended; before any view. */
  public void watch(Map<Key, Write> before) {
    watch.goOn(before);
  }

  /** Tells no more; what it has told last of each key, null if it has not begun to tell. */
  public Map<Key, Write> unwatch() {
    return watch.end();
  }

  /** Takes away values whose time is over, and stays so, in so many entries after the last ones. */
  public void expire(int entriesMax, Predicate<Write> isOver) {
    if (isServing()) {
      expiry.look(entriesMax, isOver);
    }
  }

  /** Time has passed. */
  public void tick(long nowNanos) {
    protocol.tick(nowNanos);
    checkpoint.tick(view != null && catchUp.isComplete());
    landings.tick();
    tombstones.tick(nowNanos);
    drain(nowNanos);
  }

  // --- what it is at -----------------------------------------------------------------------------

  /**
   * Whether clients are served: the node has caught up, and everybody has told what they had to.
   */
  public boolean isServing() {
    return view != null && view.serves(self()) && catchUp.isViewSettled();
  }

  boolean isViewSettled() {
    return catchUp.isViewSettled();
  }

  /** The version of a key here, whatever may be shown of it; null if there is none. */
  public Write peek(Key key) {
    Entry entry = entries.find(key);
    return entry == null ? null : entry.write();
  }

  /** All versions here, whatever may be shown of them, in no order; removed keys as well. */
  public void forEach(Consumer<Write> what) {
    for (Entry entry : entries.all()) {
      if (entry.write() != null) {
        what.accept(entry.write());
      }
    }
  }

  /** What became of this node's log, null until it has caught up for the first time. */
  public RecoveryReport recoveryReport() {
    return recoveredLog.report();
  }

  /** How many updates are here that are not shown yet; 0 where that is no matter of updates. */
  public long held() {
    return protocol.held();
  }

  /** Fails if an invariant of a part is broken; looks at all that is here, so it is for tests. */
  public void checkInvariants() {
    entries.checkInvariants();
    protocol.checkInvariants();
    scopes.checkInvariants();
    tombstones.checkInvariants();
    landings.checkInvariants();
  }

  @Override
  public String toString() {
    return "stalled " + stalled + ", " + protocol;
  }

  /** Whether nothing is under way here, but for what clients may still ask for. */
  public boolean isQuiet() {
    for (Link link : links) {
      if (link.backlog() > 0) {
        return false;
      }
    }
    return stalled.isEmpty() && again.isEmpty() && protocol.isQuiet();
  }

  // --- for the protocols -------------------------------------------------------------------------

  private void onMessage(int from, ReplicaMessage message) {
    stalledMayGoOn = true;
    if (!scopes.onMessage(from, message)
        && !catchUp.onMessage(from, message)
        && !tombstones.onMessage(from, message)
        && !landings.onMessage(from, message)) {
      protocol.onMessage(from, message);
    }
  }

  private void drain(long nowNanos) {
    if (view != null) {
      catchUp.goOn();
    }
    watch.beginIfServing();
    boolean changed = stalledMayGoOn;
    while (stalledMayGoOn && isServing()) {
      stalledMayGoOn = false;
      stalled.addAll(again);
      again.clear();
      for (Iterator<Operation> each = stalled.iterator(); each.hasNext(); ) {
        Operation operation = each.next();
        if (begin(operation)) {
          each.remove();
        }
      }
    }
    watch.look(changed);
    if (view == null) {
      return;
    }
    long resendNanos = settings.times().resendNanos();
    int pageBytes = settings.limits().pageBytes();
    for (int peer = 0; peer < links.length; peer++) {
      if (links[peer].peer() != 0) {
        for (Link.Batch due : links[peer].takeDue(nowNanos, resendNanos, pageBytes)) {
          effects.send(
              peer,
              new Packet(
                  view.number(),
                  incarnation,
                  links[peer].peer(),
                  due.first(),
                  links[peer].received(),
                  due.messages()));
        }
      }
    }
  }

  private boolean begin(Operation operation) {
    if (operation.kind().mayWrite() && isCrowded()) {
      return false;
    }
    return switch (operation.kind()) {
      case PERSIST -> scopes.begin(operation);
      case SCAN -> scan(operation);
      default -> protocol.begin(operation);
    };
  }

  private boolean scan(Operation operation) {
    boolean ended = protocol.scan(operation);
    if (ended) {
      complete(operation);
    }
    return ended;
  }

  /** Something has changed that an operation may have waited for. */
  void goOn() {
    stalledMayGoOn = true;
  }

  /** An operation has come to nothing and begins again. */
  void tryAgain(Operation operation) {
    again.add(operation);
    stalledMayGoOn = true;
  }

  void complete(Operation operation) {
    operation.done();
    effects.completed(operation);
  }

  void complete(Operation operation, Write found) {
    operation.done(found);
    effects.completed(operation);
  }

  void abort(Operation operation) {
    operation.aborted();
    effects.completed(operation);
  }

  RecoveredLog recoveredLog() {
    return recoveredLog;
  }

  void caughtUp() {
    effects.caughtUp(view.number());
  }

  void broadcast(ReplicaMessage message) {
    for (int peer = 0; peer < links.length; peer++) {
      send(peer, message);
    }
  }

  void send(int peer, ReplicaMessage message) {
    if (links[peer].peer() != 0) {
      links[peer].add(message);
    }
  }

  /**
   * A clock that is later than all that this node has seen, and than what a read-modify-write of
   * any of that may get.
   */
  long nextClock() {
    long last =
        keeps(ReplicaRule.WRITES_LEAVE_ROOM) ? conditionalClock(highestClock) : highestClock;
    highestClock = conditionalClock(last);
    return highestClock;
  }

  /** The clock of a read-modify-write of a version: earlier than that of any write after it. */
  long conditionalClock(long base) {
    int life = keeps(ReplicaRule.NEW_WRITER) ? incarnation : 1;
    return Timestamp.next(base, Writer.of(self(), life));
  }

  long highestClock() {
    return highestClock;
  }

  /** A removal was forgotten, which all members had seen. */
  void forgot(long clock) {
    if (keeps(ReplicaRule.FORGOTTEN_IS_EARLIER)) {
      forgottenClock = Math.max(forgottenClock, clock);
    }
  }

  /** The latest of the removals that were forgotten; 0 for none. */
  long forgottenClock() {
    return forgottenClock;
  }

  /** What a read-modify-write of an entry follows. */
  long base(Entry entry) {
    return entry.write() == null ? forgottenClock : entry.clock();
  }

  void learn(long clock) {
    highestClock = Math.max(highestClock, clock);
  }

  Entry entry(Key key) {
    return entries.get(key);
  }

  /** The entry of a key, or one that has no version, which nobody changes. */
  Entry look(Key key) {
    Entry entry = entries.find(key);
    return entry == null ? nothing : entry;
  }

  /** How many messages were sent to a node, and how many have arrived there. */
  long sent(int node) {
    return links[node].sent();
  }

  long arrived(int node) {
    return links[node].arrived();
  }

  Collection<Entry> entries() {
    return entries.all();
  }

  Entries state() {
    return entries;
  }

  void forgetEntries() {
    entries.clear();
  }

  Journal journal() {
    return journal;
  }

  Landings landings() {
    return landings;
  }

  Scopes scopes() {
    return scopes;
  }

  ReplicaView view() {
    return view;
  }

  int members() {
    return view.members();
  }

  int self() {
    return settings.self();
  }

  int nodes() {
    return settings.nodes();
  }

  int incarnation() {
    return incarnation;
  }

  ReplicaSettings settings() {
    return settings;
  }

  Ddp model() {
    return settings.model();
  }

  Persistency persistency() {
    return settings.model().persistency();
  }

  boolean keeps(ReplicaRule rule) {
    return rules.contains(rule);
  }

  /** Whether so much waits for some node that there had better not be more. */
  private boolean isCrowded() {
    for (Link link : links) {
      if (link.backlog() >= settings.backlogMax()) {
        return true;
      }
    }
    return false;
  }
}
