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
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.consistency.Admission;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.Operations;
import org.orcagrid.ddp.replica.consistency.Parts;
import org.orcagrid.ddp.replica.consistency.Protocol;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.replica.consistency.Scopes;
import org.orcagrid.ddp.replica.consistency.ZonePersists;
import org.orcagrid.ddp.replica.log.Checkpoint;
import org.orcagrid.ddp.replica.log.Journal;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.log.RecoveredLog;
import org.orcagrid.ddp.replica.log.Recovery;
import org.orcagrid.ddp.replica.log.RecoveryReport;
import org.orcagrid.ddp.replica.removal.Expiry;
import org.orcagrid.ddp.replica.removal.RemovalGuard;
import org.orcagrid.ddp.replica.removal.Tombstones;
import org.orcagrid.ddp.replica.state.Encoding;
import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.LocalReads;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.ddp.replica.state.ValueTime;
import org.orcagrid.ddp.replica.state.Watch;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.transfer.CatchUp;
import org.orcagrid.ddp.replica.transfer.CatchUpListener;
import org.orcagrid.ddp.replica.wire.Link;
import org.orcagrid.ddp.replica.wire.Links;
import org.orcagrid.ddp.replica.wire.Packet;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;
import org.orcagrid.ddp.store.DirectMemory;
import org.orcagrid.ddp.transfer.Budget;
import org.orcagrid.ddp.transfer.Progress;

/**
 * A node's copy of a map under one of the models of the DDP paper: coordinator of what its own
 * clients ask for, follower of the others (section 5).
 *
 * <p>A state machine for one thread. Whoever calls has to tell of everything when it happens, and
 * to call {@link #flush} some time after each call, and {@link #tick} then and when {@link
 * #nanosToTick} says; what is to be done is said through {@link Effects} before the call returns.
 *
 * <p>What a node does with a write and a read is two questions that do not know of each other. The
 * consistency, a {@link Protocol}, says to whom a write goes and when it is visible. The {@link
 * Persistency} says which of the steps there waits for the durable medium: showing a version,
 * acknowledging it, completing it or reading it.
 *
 * <p>This class dispatches: it makes the parts, hands each what has come, begins operations, and
 * sends what is due. The parts know the state and each other by what their constructors say.
 */
public final class Replica {
  /** Longer than any time. */
  public static final long NEVER = Long.MAX_VALUE;

  private final Effects effects;
  private final ReplicaState state;
  private final Links links;
  private final Journal journal;
  private final Operations operations;
  private final Scopes scopes;
  private final ZonePersists zones;
  private final Protocol protocol;
  private final CatchUp catchUp;
  private final RecoveredLog recoveredLog;
  private final Checkpoint checkpoint;
  private final Tombstones tombstones;
  private final Expiry expiry;
  private final Watch watch;
  private final Admission admission;

  /** By peer: each is told of messages that have had their turn there. */
  private final List<Consumer<ReplicaMessage>> arrivals = new ArrayList<>();

  private int sessions;

  /** A replica that has nothing yet, and shares direct memory with nobody. */
  public Replica(ReplicaSettings settings, Set<ReplicaRule> rules, Effects effects) {
    this(settings, rules, effects, new DirectMemory(() -> {}));
  }

  /**
   * A replica that has nothing yet.
   *
   * @param direct where its entries are, as long as there is any
   */
  public Replica(
      ReplicaSettings settings, Set<ReplicaRule> rules, Effects effects, DirectMemory direct) {
    this.effects = effects;
    this.state = new ReplicaState(settings, rules, direct);
    this.links = new Links(state, effects);
    this.journal = Journal.of(state.persistency(), effects);
    this.operations = new Operations(effects);
    this.scopes = new Scopes(state, links, journal, operations);
    this.zones = new ZonePersists(state, links, journal, effects);
    this.protocol = Protocol.of(new Parts(state, links, journal, operations, scopes, zones));
    this.catchUp = new CatchUp(state, links, journal, protocol, new CatchUpSteps());
    this.recoveredLog = new RecoveredLog(state, journal, effects);
    this.checkpoint = new Checkpoint(state, journal, protocol);
    this.tombstones = new Tombstones(state, links, journal, new UnderWay());
    this.expiry = new Expiry(state, protocol, effects);
    this.watch = new Watch(state, protocol, effects);
    this.admission = new Admission(state, scopes);
    for (int node = 0; node < state.nodes(); node++) {
      int peer = node;
      arrivals.add(message -> protocol.onArrived(peer, message));
    }
    state.entries().watch(watch);
  }

  // --- inputs ------------------------------------------------------------------------------------

  /**
   * Takes what was on this node's durable medium; before anything else.
   *
   * @param log what it says of this map
   * @param mark the medium's last one, null if there was none
   * @param time says whether the time of a value is over
   * @return bytes of the latest versions
   */
  public long recover(Recovery log, LogRecord.Mark mark, ValueTime time) {
    state.entries().time(time);
    Map<Key, Write> latest = log.latest(time);
    long bytes = latest.values().stream().mapToLong(Encoding::bytes).sum();
    state.learn(log.clock());
    recoveredLog.take(latest, mark);
    return bytes;
  }

  /** The next view, of which this node is a member. */
  public void onView(ReplicaView next) {
    if (!state.onView(next)) {
      return;
    }
    state.localReads().serves(false);
    int joined = links.onView(zones::forget);
    recoveredLog.onView(next);
    tombstones.onView();
    catchUp.onView(joined);
    drain();
  }

  /** Opens a session; {@code arrival} is what its client has seen elsewhere, null for nothing. */
  public ReplicaSession openSession(long[] arrival) {
    return new ReplicaSession(
        sessions++, arrival == null ? new long[state.nodes()] : arrival.clone());
  }

  /**
   * Opens another session of a client. Operations on one key are all of the same session. A batch
   * or a read of all keys in any of them waits for what all of them have written.
   */
  public ReplicaSession openSessionBeside(ReplicaSession beside) {
    return beside.beside(sessions++);
  }

  /**
   * Ends a session: its transaction is aborted unless it is decided, its scope is never persisted,
   * and what it waits for is aborted.
   */
  public void close(ReplicaSession session) {
    operations.onClosed(session);
    scopes.forget(session);
    protocol.onClosed(session);
    drain();
  }

  /** What a client has seen in a session, to be shown where it goes on. */
  public long[] seen(ReplicaSession session) {
    long[] seen = protocol.visible().clone();
    seen[state.self()] = Math.max(seen[state.self()], session.lastSequence());
    for (int node = 0; node < seen.length; node++) {
      seen[node] = Math.max(seen[node], session.arrival()[node]);
    }
    return seen;
  }

  /**
   * Begins an operation; its session's last one has ended.
   *
   * @throws RuntimeException as {@link #requireAllowed} says; nothing has changed then
   */
  public void submit(ReplicaSession session, Operation operation) {
    requireAllowed(session, operation);
    begin(session, operation);
  }

  /** Begins an operation that {@link #requireAllowed} has just allowed. */
  public void begin(ReplicaSession session, Operation operation) {
    operations.come(session, operation);
    // What waits has found nothing new since it was begun last, unless it may go on.
    boolean tries = !operations.mayGoOn() && isServing();
    boolean begun = tries && begin(operation);
    if (!begun) {
      operations.add(operation);
    }
    if (!tries) {
      operations.goOn();
    }
    drain(begun);
  }

  /**
   * Refuses what cannot be submitted, and changes nothing.
   *
   * @throws UnsupportedOperationException if the model has no such operation
   * @throws IllegalStateException if a transaction is to begin in another one, or none is to end
   * @throws org.orcagrid.ddp.replica.consistency.BatchTooLargeException if a write is too large, or
   *     would make its transaction or scope too large
   */
  public void requireAllowed(ReplicaSession session, Operation operation) {
    admission.require(session, operation);
  }

  /** A key will be asked for soon, with others. */
  public void expect(Key key) {
    state.entries().expect(key);
  }

  /** Has at hand what is {@linkplain #expect expected}. */
  public void warm() {
    state.entries().warm();
  }

  /**
   * A packet has come.
   *
   * @throws org.orcagrid.ddp.transport.MalformedPacketException if it has a clock that lies too far
   *     ahead; nothing was taken
   */
  public void onPacket(int from, Packet packet) {
    Link link = state.view() == null ? null : links.of(from, packet);
    if (link == null) {
      return;
    }
    if (packet.view() > state.view().number() && state.keeps(ReplicaRule.LATER_VIEW_WAITS)) {
      return;
    }
    link.hurried(packet.hurries());
    link.acknowledged(
        packet.received(), state.keeps(ReplicaRule.ARRIVAL_IN_ORDER) ? packet.behind() : 0);
    operations.goOn();
    long number = packet.first();
    boolean awaited = false;
    for (ReplicaMessage message : packet.messages()) {
      link.receive(number++, message);
      awaited |= protocol.isAwaited(message);
      if (message.key() != null) {
        state.entries().expect(message.key());
      }
    }
    state.entries().warm();
    for (ReplicaMessage next = link.next(); next != null; next = link.next()) {
      onMessage(from, next);
    }
    link.tellArrived(arrivals.get(from));
    if (!packet.messages().isEmpty()) {
      link.answer(awaited);
    }
    drain();
  }

  /** All records up to a position are durable. */
  public void onDurable(long position) {
    journal.onDurable(position);
    operations.goOn();
    drain();
  }

  /** All that {@link Effects#land} has put at a peer up to a position is durable there. */
  public void onFlushed(int peer, long position) {
    zones.onFlushed(peer, position);
    drain();
  }

  /**
   * Tells {@link Effects#shown} of each version that becomes visible here from now on, or from when
   * this node serves.
   */
  public void watch() {
    watch.begin();
    drain();
  }

  /** The same, from where an earlier replica's {@link #unwatch} has ended; before any view. */
  public void watch(Map<Key, Write> before) {
    watch.goOn(before);
  }

  /** Tells no more, and no later replica goes on with it. */
  public void stopWatching() {
    watch.stop();
  }

  /** Tells no more; what it has told last of each key, null if it has not begun to tell. */
  public Map<Key, Write> unwatch() {
    return watch.end();
  }

  /**
   * Takes away values whose time is over, and stays so, in so many entries after the last ones.
   *
   * @return milliseconds until the next call is of use: 0 if there are more entries; else it begins
   *     with the first one again, {@link #NEVER} if all values stay that there are. Versions that
   *     come later {@linkplain #hasNewVersions say so}
   */
  public long expire(int entriesMax, ValueTime time) {
    return isServing() ? expiry.look(entriesMax, time) : NEVER;
  }

  /** Whether there are values that may end and that {@link #expire} has not begun to look at. */
  public boolean hasNewVersions() {
    return state.entries().hasNew();
  }

  /** This map's part holds up the log that it shares: makes room as soon as it can. */
  public void makeRoom() {
    checkpoint.ask();
  }

  /** Time has passed. */
  public void tick(long nowNanos) {
    protocol.tick(nowNanos);
    checkpoint.tick(mayCheckpoint());
    zones.tick();
    tombstones.tick(nowNanos);
    drain();
  }

  /**
   * How long {@link #tick} may wait if nothing else happens; to be asked after a tick.
   *
   * @return nanoseconds, 0 if it is due, {@link #NEVER} if it need not come
   */
  public long nanosToTick(long nowNanos) {
    boolean isDue = checkpoint.isDue(mayCheckpoint()) || !zones.isClean();
    return isDue
        ? 0
        : Math.min(
            Math.min(links.nanosToSend(nowNanos), catchUp.nanosToTell(nowNanos)),
            Math.min(protocol.nanosToTick(nowNanos), tombstones.nanosToAsk(nowNanos)));
  }

  private boolean mayCheckpoint() {
    return state.view() != null && catchUp.isComplete();
  }

  /**
   * Sends what has gathered since it was last called: once after some inputs, in a packet or more
   * for each peer. To be called before {@link #nanosToTick} is asked.
   */
  public void flush(long nowNanos) {
    if (state.view() != null) {
      catchUp.tell(nowNanos);
      links.flush(nowNanos, protocol.hurries() || watch.isWaiting());
    }
  }

  // --- what it is at -----------------------------------------------------------------------------

  /**
   * Whether clients are served: the node has caught up, and everybody has told what they had to.
   */
  public boolean isServing() {
    return state.isServing();
  }

  /** Reads of this copy by threads that are not the replica's; any thread may ask for them. */
  public LocalReads localReads() {
    return state.localReads();
  }

  /** The version of a key here, whatever may be shown of it; null if there is none. */
  public Write peek(Key key) {
    Entry entry = state.entries().find(key);
    return entry == null ? null : entry.write();
  }

  /** All versions here, whatever may be shown of them, in no order; removed keys as well. */
  public void forEach(Consumer<Write> what) {
    for (Entry entry : state.entries().all()) {
      if (entry.hasVersion()) {
        what.accept(entry.write());
      }
    }
  }

  /** What became of this node's log, null until it has caught up for the first time. */
  public RecoveryReport recoveryReport() {
    return recoveredLog.report();
  }

  /** What is here, and what is on its way; looks at no entry. */
  public ReplicaFigures figures() {
    return new ReplicaFigures(
        isServing(),
        state.entries().values(),
        state.entries().size() - state.entries().values(),
        state.entries().bytes(),
        held(),
        links.backlogMax());
  }

  /** How many updates are here that are not shown yet; 0 where that is no matter of updates. */
  public long held() {
    return protocol.held();
  }

  /** Fails if an invariant of a part is broken; looks at all that is here, so it is for tests. */
  public void checkInvariants() {
    state.checkInvariants();
    links.checkInvariants();
    operations.checkInvariants();
    protocol.checkInvariants();
    scopes.checkInvariants();
    tombstones.checkInvariants();
    zones.checkInvariants();
    catchUp.checkInvariants();
    journal.checkInvariants();
    checkpoint.checkInvariants();
    recoveredLog.checkInvariants();
    watch.checkInvariants();
  }

  @Override
  public String toString() {
    return operations + ", " + protocol;
  }

  /** Whether nothing is under way here, but for what clients may still ask for. */
  public boolean isQuiet() {
    return links.isQuiet() && operations.isEmpty() && protocol.isQuiet() && !catchUp.isWaiting();
  }

  // --- between the parts -------------------------------------------------------------------------

  private final class CatchUpSteps implements CatchUpListener {
    @Override
    public void onView(int joined) {
      protocol.onView(joined);
      scopes.onView(joined);
    }

    @Override
    public void onViewSettled() {
      protocol.onViewSettled();
      operations.goOn();
    }

    @Override
    public void onComplete(boolean together) {
      recoveredLog.caughtUp(together);
    }

    @Override
    public void onReady() {
      effects.caughtUp(state.view().number());
    }

    @Override
    public Budget budget() {
      return effects.budget();
    }

    @Override
    public void progressed(Progress now) {
      effects.progressed(now);
    }
  }

  private final class UnderWay implements RemovalGuard {
    @Override
    public void underWay(Consumer<Write> each) {
      protocol.underWay(each);
      scopes.underWay(each);
    }

    @Override
    public boolean isSettled(Entry entry) {
      return protocol.isSettled(entry);
    }

    @Override
    public boolean areZonesClean() {
      return zones.isClean();
    }

    @Override
    public boolean isCheckpointUnderWay() {
      return checkpoint.isUnderWay();
    }
  }

  private void onMessage(int from, ReplicaMessage message) {
    operations.goOn();
    if (!scopes.onMessage(from, message)
        && !catchUp.onMessage(from, message)
        && !tombstones.onMessage(from, message)
        && !zones.onMessage(from, message)) {
      protocol.onMessage(from, message);
    }
  }

  private void drain() {
    drain(false);
  }

  /**
   * Does what is due after an input.
   *
   * @param begun whether an operation has begun, which may have changed what is here
   */
  private void drain(boolean begun) {
    if (state.view() != null) {
      catchUp.goOn();
    }
    watch.beginIfServing();
    boolean changed = begun || operations.mayGoOn();
    while (operations.mayGoOn() && isServing()) {
      for (Iterator<Operation> each = operations.turn(); each.hasNext(); ) {
        if (begin(each.next())) {
          each.remove();
        }
      }
    }
    watch.look(changed);
    state.localReads().serves(isServing());
  }

  private boolean begin(Operation operation) {
    if (operation.mayWrite() && links.isCrowded()) {
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
      operations.complete(operation);
    }
    return ended;
  }
}
