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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.replica.log.Journal;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Encoding;
import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.Links;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;
import org.orcagrid.ddp.replica.wire.Update;

/**
 * Causal and eventual consistency (DDP, section 5.2): a coordinator tells the other nodes of a
 * write (UPD) and waits for nobody. With causal consistency an update says what happened before it
 * (its cauhist: up to where the updates of each node were visible where it was written), and is
 * held back until that is visible here, too.
 *
 * <p>Updates that not all members show are kept, so that what a node that is gone has told only
 * some of the others is told to all by those.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>the updates of a node become visible in their order, and with causal consistency none
 *       before its history;
 *   <li>where persisting comes first, what is visible is durable here;
 *   <li>an update that is visible at a member which stays is visible at all members some time.
 * </ol>
 */
final class Updates implements Protocol {
  private final ReplicaState state;
  private final Links links;
  private final Journal journal;
  private final Operations operations;
  private final Scopes scopes;
  private final ZonePersists zones;
  private final boolean causal;
  private final DeliveryOrder order;
  private final UnstableUpdates unstable;
  private final KeysUnderWay underWay = new KeysUnderWay();

  /** The number of this node's last update. */
  private long sequence;

  /** This node's own updates that are not visible yet, or not persisted everywhere. */
  private final Map<Long, OwnUpdate> own = new HashMap<>();

  /**
   * Updates that will never have their turn here since their history is gone, and that may have
   * completed, as they were durable everywhere: the log keeps them until there are later versions.
   */
  private final List<Update> orphans = new ArrayList<>();

  private boolean progressed;
  private long saidNanos;
  private boolean learned;

  Updates(Parts parts) {
    this.state = parts.state();
    this.links = parts.links();
    this.journal = parts.journal();
    this.operations = parts.operations();
    this.scopes = parts.scopes();
    this.zones = parts.zones();
    this.causal = state.model().consistency() == Consistency.CAUSAL;
    this.order = new DeliveryOrder(state);
    this.unstable = new UnstableUpdates(state);
  }

  @Override
  public boolean begin(Operation operation) {
    ReplicaSession session = operation.session();
    if (causal && state.keeps(ReplicaRule.ARRIVAL_FIRST) && !order.isVisible(session.arrival())) {
      return false;
    }
    return switch (operation.kind()) {
      case READ -> read(operation);
      case BATCH -> batch(operation);
      default -> write(operation);
    };
  }

  private boolean read(Operation operation) {
    Entry entry = state.entry(operation.key());
    if (causal
        && operation.session().hasInvisible(operation.key())
        && state.keeps(ReplicaRule.OWN_WRITES)) {
      return false;
    }
    if (!isShown(entry)) {
      return false;
    }
    operations.complete(operation, entry.write());
    return true;
  }

  @Override
  public boolean scan(Operation operation) {
    ReplicaSession session = operation.session();
    boolean unseen = !order.isVisible(session.arrival()) && state.keeps(ReplicaRule.ARRIVAL_FIRST);
    boolean unwritten = session.hasInvisible() && state.keeps(ReplicaRule.OWN_WRITES);
    if (causal && (unseen || unwritten)) {
      return false;
    }
    Scan scan = operation.scan();
    scan.look(state.entries().all(), each -> isShown(each) || !state.keeps(ReplicaRule.SCAN_WAITS));
    return scan.goOn(found -> showFound(scan, found));
  }

  /** As it was found: a later version may need what was not seen. */
  private boolean showFound(Scan scan, Write found) {
    Entry entry = state.entry(found.key());
    boolean ofMoment = state.keeps(ReplicaRule.SCAN_HAS_ONE_MOMENT);
    boolean shown = ofMoment ? entry.isPersisted(found.clock()) : isShown(entry);
    // What nobody knows any more is a removal that all have.
    boolean forgotten = !entry.hasVersion();
    if (shown && !forgotten) {
      scan.show(ofMoment ? found : entry.write());
    }
    return shown || forgotten;
  }

  @Override
  public boolean isShown(Entry entry) {
    return !state.persistency().isBeforeRead()
        || entry.isPersisted()
        || !state.keeps(ReplicaRule.READ_WAITS_FOR_DURABLE);
  }

  private boolean write(Operation operation) {
    if (isBacklogged() || !underWay.isFree(operation.key(), operation)) {
      return false;
    }
    long clock = state.nextClock();
    if (!write(operation, List.of(new Write(operation.key(), clock, operation.value())))) {
      operations.complete(operation);
    }
    return true;
  }

  private boolean isBacklogged() {
    return unstable.size(state.self()) >= state.settings().backlogMax();
  }

  /** Writes at once; whether the operation completes when all have that durable. */
  private boolean write(Operation operation, List<Write> writes) {
    ReplicaSession session = operation.session();
    operation.clock(writes.get(0).clock());
    boolean strict =
        state.persistency().isBeforeCompletion() && state.keeps(ReplicaRule.STRICT_AT_ALL);
    writes.forEach(write -> session.written(write.key(), write.clock()));
    originate(writes, new OwnUpdate(session, strict ? operation : null), false);
    session.lastSequence(sequence);
    return strict;
  }

  // --- batches -----------------------------------------------------------------------------------

  /**
   * Looks, compares and writes in one step. What was found and may not be read yet is waited for
   * afterwards, as a scan does.
   */
  private boolean batch(Operation operation) {
    boolean completesLater = false;
    if (!operation.scan().hasLooked()) {
      if (!mayBegin(operation)) {
        return false;
      }
      completesLater = compareAndWrite(operation);
    }
    boolean shown = operation.scan().goOn(found -> showFound(operation.scan(), found));
    if (shown && !completesLater) {
      operations.complete(operation);
    }
    return shown;
  }

  private boolean mayBegin(Operation operation) {
    Batch batch = operation.batch();
    List<Key> keys = batch.keys();
    if (state.keeps(ReplicaRule.OWN_WRITES)
        && keys.stream().anyMatch(operation.session()::hasInvisible)) {
      return false;
    }
    if (!batch.mayWrite()) {
      return true;
    }
    boolean waits = batch.expects() && state.keeps(ReplicaRule.EXPECTATION_WAITS);
    return !isBacklogged()
        && (waits
            ? underWay.hasTurn(operation, keys)
            : keys.stream().allMatch(key -> underWay.isFree(key, operation)));
  }

  /** Whether the operation completes when all have durable what it has written. */
  private boolean compareAndWrite(Operation operation) {
    Batch batch = operation.batch();
    List<Entry> entries = batch.keys().stream().map(state::entry).toList();
    batch.executed(state.self(), batch.isAsExpected(entries));
    operation.scan().look(entries, this::isShown);
    if (!batch.held() || !batch.mayWrite()) {
      return false;
    }
    List<Write> writes = batch.writes(state.nextClock());
    if (state.keeps(ReplicaRule.BATCH_IS_ONE_UPDATE)) {
      return write(operation, writes);
    }
    int last = writes.size() - 1;
    for (Write each : writes.subList(0, last)) {
      originate(List.of(each), new OwnUpdate(operation.session(), null), false);
    }
    return write(operation, writes.subList(last, last + 1));
  }

  private void originate(List<Write> writes, OwnUpdate started, boolean more) {
    long life = (long) state.incarnation() << Integer.SIZE;
    long previous = sequence >= life ? sequence : 0;
    sequence = Math.max(sequence, life) + 1;
    Update update =
        new Update(
            state.self(), sequence, previous, order.visible().clone(), more, List.copyOf(writes));
    if (started != null) {
      own.put(sequence, started);
    }
    ReplicaMessage message = new ReplicaMessage.Upd(update);
    if (started == null) {
      links.broadcast(message);
    } else {
      long number = sequence;
      zones.broadcast(message, LogRecord.of(update.writes()), peer -> onPersisted(number, peer));
    }
    deliver(new WaitingUpdate(update));
    deliverWaiting();
  }

  // --- delivery ----------------------------------------------------------------------------------

  private void deliver(WaitingUpdate ready) {
    Update update = ready.update;
    order.deliver(update);
    unstable.add(update);
    if (!order.isOfMember(update) && state.keeps(ReplicaRule.FINISH_FOR_THE_GONE)) {
      links.broadcast(new ReplicaMessage.Upd(update));
    }
    if (state.persistency().isBeforeVisible() && !ready.persisted) {
      underWay.begins(update);
      journal.persist(
          LogRecord.of(update.writes()),
          () -> {
            underWay.ends(update);
            show(update);
            if (update.origin() == state.self()) {
              onPersisted(update.sequence(), state.self());
            }
          });
      if (!state.keeps(ReplicaRule.ACK_WHEN_DURABLE)) {
        show(update);
      }
    } else {
      show(update);
    }
  }

  private void show(Update update) {
    order.show(update);
    progressed = true;
    OwnUpdate written = update.origin() == state.self() ? own.get(update.sequence()) : null;
    for (Write write : update.writes()) {
      Entry entry = state.entry(write.key());
      entry.set(write);
      if (written != null) {
        written.session.visible(write.key(), write.clock());
        scopes.add(written.session, write);
      }
      if (state.persistency().isBeforeVisible()) {
        entry.persisted(write.clock());
      }
    }
    if (written != null && written.operation == null) {
      own.remove(update.sequence());
    }
    if (state.persistency().isBeforeRead()) {
      journal.persist(LogRecord.of(update.writes()), () -> persisted(update));
    } else if (!state.persistency().isBeforeVisible() && !state.persistency().isByScope()) {
      journal.persistLater(LogRecord.of(update.writes()));
    }
    // Where there is nobody else nobody else will say so.
    forgetStable();
  }

  private void persisted(Update update) {
    for (Write write : update.writes()) {
      state.entry(write.key()).persisted(write.clock());
    }
    operations.goOn();
  }

  private void deliverWaiting() {
    boolean again = learned;
    while (again) {
      again = false;
      for (int origin = 0; origin < state.nodes(); origin++) {
        WaitingUpdate next = order.pollReady(origin);
        while (next != null) {
          deliver(next);
          again = true;
          next = order.pollReady(origin);
        }
      }
    }
  }

  // --- messages ----------------------------------------------------------------------------------

  @Override
  public void onMessage(int from, ReplicaMessage message) {
    if (message instanceof ReplicaMessage.Upd upd) {
      onUpdate(upd.update(), from, 0);
    } else if (message instanceof ReplicaMessage.Landed landed
        && landed.message() instanceof ReplicaMessage.Upd upd) {
      onUpdate(upd.update(), from, landed.position());
    } else if (message instanceof ReplicaMessage.UpdPersisted persisted) {
      onPersisted(persisted.sequence(), from);
    } else if (message instanceof ReplicaMessage.Progress progress) {
      unstable.onProgress(from, progress.visible());
      forgetStable();
    } else {
      throw new IllegalStateException("Not for " + state.model() + ": " + message);
    }
  }

  private void onUpdate(Update update, int from, long landed) {
    update.writes().forEach(write -> state.learn(write.clock()));
    boolean strict = state.persistency().isBeforeCompletion();
    boolean mine = update.origin() == state.self() && order.isOfMember(update);
    if (order.isDelivered(update) || order.isGivenUp(update) || mine) {
      if (strict) {
        tellPersisted(update);
      }
      zones.drop(from, landed);
      return;
    }
    WaitingUpdate arrived = order.add(update);
    if (arrived == null) {
      zones.drop(from, landed);
      return;
    }
    if (strict) {
      if (zones.keeps(from, landed) && !state.keeps(ReplicaRule.PUT_UNTIL_TAKEN)) {
        zones.logged(from, landed);
      }
      journal.persist(
          LogRecord.of(update.writes()),
          () -> {
            zones.logged(from, landed);
            arrived.persisted = true;
            tellPersisted(update);
            deliverWaiting();
          });
    }
    deliverWaiting();
  }

  private void tellPersisted(Update update) {
    if (order.isOfMember(update) && update.origin() != state.self()) {
      links.send(update.origin(), new ReplicaMessage.UpdPersisted(update.sequence()));
    }
  }

  private void onPersisted(long number, int node) {
    OwnUpdate written = own.get(number);
    if (written != null) {
      written.persisted |= Quorum.of(node);
      check(number, written);
    }
  }

  private void check(long number, OwnUpdate written) {
    if (written.operation != null && (state.members() & ~written.persisted) == 0) {
      own.remove(number);
      operations.complete(written.operation);
    }
  }

  private void forgetStable() {
    unstable.forgetStable(order.visible());
    operations.goOn();
  }

  @Override
  public void tick(long nowNanos) {
    if (nanosToTick(nowNanos) == 0) {
      progressed = false;
      saidNanos = nowNanos;
      links.broadcast(new ReplicaMessage.Progress(order.visible().clone()));
    }
  }

  @Override
  public long nanosToTick(long nowNanos) {
    boolean tells = state.view() != null && progressed && learned;
    long waited = nowNanos - saidNanos;
    return tells ? Math.max(0, state.settings().times().progressNanos() - waited) : Long.MAX_VALUE;
  }

  // --- views -------------------------------------------------------------------------------------

  @Override
  public void onView(int joined) {
    learned = learned || state.view().serves(state.self());
    for (int node = 0; node < state.nodes(); node++) {
      if ((joined & Quorum.of(node)) != 0) {
        unstable.onJoined(node);
      }
      if (node != state.self() && state.view().has(node)) {
        resend(node, (joined & Quorum.of(node)) != 0);
      }
    }
    progressed = true;
    new TreeMap<>(own)
        .forEach(
            (number, written) -> {
              written.persisted &= ~joined;
              check(number, written);
            });
    forgetStable();
  }

  /** Tells a member what it may lack: of this node if it has joined, and of those that are gone. */
  private void resend(int member, boolean joined) {
    for (int origin = 0; origin < state.nodes(); origin++) {
      for (Update update : unstable.notShownBy(member, origin)) {
        boolean mine = origin == state.self() && order.isOfMember(update) && joined;
        // This node's own last life is gone like any other's.
        boolean left = !order.isOfMember(update) && state.keeps(ReplicaRule.FINISH_FOR_THE_GONE);
        if (mine || left) {
          links.send(member, new ReplicaMessage.Upd(update));
        }
      }
      for (WaitingUpdate each : order.waiting(origin)) {
        if (!order.isOfMember(each.update) && state.keeps(ReplicaRule.FINISH_FOR_THE_GONE)) {
          links.send(member, new ReplicaMessage.Upd(each.update));
        }
      }
    }
  }

  @Override
  public void onClosed(ReplicaSession session) {
    underWay.onClosed(session);
  }

  @Override
  public void onViewSettled() {
    goOnDelivering();
  }

  @Override
  public void onLearned(long[] until) {
    learned = true;
    // What has waited is in the versions; but others may lack it, and its node may be gone.
    order.onLearned(until, unstable::add);
    progressed = true;
    goOnDelivering();
  }

  /** What is hopeless must not stand before what its node has told in its next life. */
  private void goOnDelivering() {
    if (learned && state.isViewSettled()) {
      order.forgetHopeless(this::giveUp);
    }
    deliverWaiting();
  }

  private void giveUp(Update update) {
    if (state.persistency().isBeforeCompletion() && state.keeps(ReplicaRule.ORPHANS_LOGGED)) {
      orphans.add(update);
    }
  }

  /** Whether later versions are in the place of all of its writes. */
  private boolean isPast(Update update) {
    return update.writes().stream()
        .allMatch(write -> state.entry(write.key()).clock() >= write.clock());
  }

  @Override
  public void onKept(List<Write> kept) {
    // What has happened before another one has a lower clock, and becomes visible before it.
    List<Write> inOrder = new ArrayList<>(kept);
    inOrder.sort(Comparator.comparingLong(Write::clock));
    int pageBytes = state.settings().limits().pageBytes();
    boolean together = state.keeps(ReplicaRule.BATCH_KEPT_TOGETHER);
    (together
            ? Encoding.splitBetweenClocks(inOrder, pageBytes)
            : Encoding.split(inOrder, pageBytes))
        .forEach(part -> originate(part, null, true));
    // The last one says that there is nothing of an earlier life any more.
    originate(List.of(), null, false);
  }

  @Override
  public void underWay(Consumer<Write> each) {
    unstable.forEach(update -> update.writes().forEach(each));
    forEachWaiting(update -> update.writes().forEach(each));
    orphans.forEach(update -> update.writes().forEach(each));
  }

  @Override
  public void logOpen(Journal journal) {
    if (state.persistency().isBeforeCompletion()) {
      forEachWaiting(update -> journal.persistLater(LogRecord.of(update.writes())));
      orphans.removeIf(this::isPast);
      orphans.forEach(each -> journal.persistLater(LogRecord.of(each.writes())));
    }
  }

  private void forEachWaiting(Consumer<Update> what) {
    for (int origin = 0; origin < state.nodes(); origin++) {
      order.waiting(origin).forEach(each -> what.accept(each.update));
    }
  }

  @Override
  public boolean shows(long[] until) {
    return order.isVisible(until);
  }

  @Override
  public void onSnapshotEnds(int receiver) {
    unstable.forEach(each -> links.send(receiver, new ReplicaMessage.Upd(each)));
  }

  @Override
  public long[] visible() {
    return order.visible();
  }

  @Override
  public long held() {
    return order.held();
  }

  /** The first invariant, of this node's counts; and that what waits has not had its turn. */
  @Override
  public void checkInvariants() {
    order.checkInvariants();
    unstable.checkInvariants();
    underWay.checkInvariants();
    unstable.forEach(
        each -> Invariant.check(order.isDelivered(each), "what is kept has had its turn"));
    Invariant.check(own.keySet().stream().allMatch(n -> n <= sequence), "own updates are counted");
  }

  @Override
  public String toString() {
    return "own " + own.keySet() + ", " + order;
  }

  @Override
  public boolean isQuiet() {
    return own.isEmpty() && !progressed && order.isEmpty();
  }
}
