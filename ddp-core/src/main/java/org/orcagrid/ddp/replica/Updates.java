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
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.model.Consistency;

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
  private final Replica replica;
  private final boolean causal;

  /** Up to where the updates of each node are on their way to being visible here, and are so. */
  private final long[] delivered;

  private final long[] visible;

  /** The number of this node's last update. */
  private long sequence;

  /** What waits for its turn, by node and number. */
  private final List<NavigableMap<Long, WaitingUpdate>> waiting = new ArrayList<>();

  /** What not all members are known to show, by node and number. */
  private final List<NavigableMap<Long, Update>> unstable = new ArrayList<>();

  /** Up to where each member shows the updates of each node, as it said last. */
  private final long[][] shown;

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
  private boolean settled;

  Updates(Replica replica) {
    this.replica = replica;
    this.causal = replica.model().consistency() == Consistency.CAUSAL;
    this.delivered = new long[replica.nodes()];
    this.visible = new long[replica.nodes()];
    this.shown = new long[replica.nodes()][replica.nodes()];
    for (int node = 0; node < replica.nodes(); node++) {
      waiting.add(new TreeMap<>());
      unstable.add(new TreeMap<>());
    }
  }

  @Override
  public boolean begin(Operation operation) {
    ReplicaSession session = operation.session();
    if (causal && replica.keeps(ReplicaRule.ARRIVAL_FIRST) && !isVisible(session.arrival())) {
      return false;
    }
    return operation.kind() == Operation.Kind.READ ? read(operation) : write(operation);
  }

  private boolean read(Operation operation) {
    Entry entry = replica.look(operation.key());
    if (causal
        && operation.session().hasInvisible(operation.key())
        && replica.keeps(ReplicaRule.OWN_WRITES)) {
      return false;
    }
    if (!isShown(entry)) {
      return false;
    }
    replica.complete(operation, entry.write());
    return true;
  }

  @Override
  public boolean scan(Operation operation) {
    ReplicaSession session = operation.session();
    boolean unseen = !isVisible(session.arrival()) && replica.keeps(ReplicaRule.ARRIVAL_FIRST);
    boolean unwritten = session.hasInvisible() && replica.keeps(ReplicaRule.OWN_WRITES);
    if (causal && (unseen || unwritten)) {
      return false;
    }
    Scan scan = operation.scan();
    scan.look(replica.entries(), each -> isShown(each) || !replica.keeps(ReplicaRule.SCAN_WAITS));
    return scan.goOn(found -> showFound(scan, found));
  }

  /** As it was found: a later version may need what was not seen. */
  private boolean showFound(Scan scan, Write found) {
    Entry entry = replica.look(found.key());
    boolean ofMoment = replica.keeps(ReplicaRule.SCAN_HAS_ONE_MOMENT);
    boolean shown = ofMoment ? entry.isPersisted(found.clock()) : isShown(entry);
    // What nobody knows any more is a removal that all have.
    boolean forgotten = entry.write() == null;
    if (shown && !forgotten) {
      scan.show(ofMoment ? found : entry.write());
    }
    return shown || forgotten;
  }

  @Override
  public boolean isShown(Entry entry) {
    return !replica.persistency().isBeforeRead()
        || entry.isPersisted()
        || !replica.keeps(ReplicaRule.READ_WAITS_FOR_DURABLE);
  }

  private boolean write(Operation operation) {
    if (unstable.get(replica.self()).size() >= replica.settings().backlogMax()) {
      return false;
    }
    Write write = new Write(operation.key(), replica.nextClock(), operation.value());
    operation.clock(write.clock());
    boolean strict =
        replica.persistency().isBeforeCompletion() && replica.keeps(ReplicaRule.STRICT_AT_ALL);
    OwnUpdate started = new OwnUpdate(operation.session(), strict ? operation : null);
    operation.session().written(write.key(), write.clock());
    originate(List.of(write), started, false);
    operation.session().lastSequence(sequence);
    if (!strict) {
      replica.complete(operation);
    }
    return true;
  }

  private void originate(List<Write> writes, OwnUpdate started, boolean more) {
    long life = (long) replica.incarnation() << Integer.SIZE;
    long previous = sequence >= life ? sequence : 0;
    sequence = Math.max(sequence, life) + 1;
    Update update =
        new Update(replica.self(), sequence, previous, visible.clone(), more, List.copyOf(writes));
    if (started != null) {
      own.put(sequence, started);
    }
    ReplicaMessage message = new ReplicaMessage.Upd(update);
    if (started == null) {
      replica.broadcast(message);
    } else {
      long number = sequence;
      replica.landings().broadcast(message, update.logRecord(), peer -> onPersisted(number, peer));
    }
    deliver(new WaitingUpdate(update));
    deliverWaiting();
  }

  // --- delivery ----------------------------------------------------------------------------------

  private void deliver(WaitingUpdate ready) {
    Update update = ready.update;
    delivered[update.origin()] = Math.max(delivered[update.origin()], update.sequence());
    unstable.get(update.origin()).put(update.sequence(), update);
    if (!isOfMember(update) && replica.keeps(ReplicaRule.FINISH_FOR_THE_GONE)) {
      replica.broadcast(new ReplicaMessage.Upd(update));
    }
    if (replica.persistency().isBeforeVisible() && !ready.persisted) {
      replica
          .journal()
          .persist(
              update.logRecord(),
              () -> {
                show(update);
                if (update.origin() == replica.self()) {
                  onPersisted(update.sequence(), replica.self());
                }
              });
      if (!replica.keeps(ReplicaRule.ACK_WHEN_DURABLE)) {
        show(update);
      }
    } else {
      show(update);
    }
  }

  private void show(Update update) {
    if (!update.more()) {
      visible[update.origin()] = Math.max(visible[update.origin()], update.sequence());
    }
    progressed = true;
    OwnUpdate written = update.origin() == replica.self() ? own.get(update.sequence()) : null;
    for (Write write : update.writes()) {
      Entry entry = replica.entry(write.key());
      entry.set(write);
      if (written != null) {
        written.session.visible(write.key(), write.clock());
        replica.scopes().add(written.session, write);
      }
      if (replica.persistency().isBeforeVisible()) {
        entry.persisted(write.clock());
      }
    }
    if (written != null && written.operation == null) {
      own.remove(update.sequence());
    }
    if (replica.persistency().isBeforeRead()) {
      replica.journal().persist(update.logRecord(), () -> persisted(update));
    } else if (!replica.persistency().isBeforeVisible() && !replica.persistency().isByScope()) {
      replica.journal().persistLater(update.logRecord());
    }
    // Where there is nobody else nobody else will say so.
    forgetStable();
  }

  private void persisted(Update update) {
    for (Write write : update.writes()) {
      replica.entry(write.key()).persisted(write.clock());
    }
    replica.goOn();
  }

  private void deliverWaiting() {
    boolean again = learned;
    while (again) {
      again = false;
      for (NavigableMap<Long, WaitingUpdate> of : waiting) {
        while (!of.isEmpty() && isReady(of.firstEntry().getValue())) {
          deliver(of.pollFirstEntry().getValue());
          again = true;
        }
      }
    }
  }

  private boolean isReady(WaitingUpdate first) {
    Update update = first.update;
    boolean ofNewLife = Update.life(update.sequence()) > Update.life(delivered[update.origin()]);
    if (ofNewLife && !settled) {
      // Others may be about to tell what it has left in its last life.
      return false;
    }
    if (update.previous() > delivered[update.origin()]
        || (replica.persistency().isBeforeCompletion() && !first.persisted)) {
      return false;
    }
    if (!causal || !replica.keeps(ReplicaRule.HISTORY_FIRST)) {
      return true;
    }
    for (int node = 0; node < delivered.length; node++) {
      if (node != update.origin() && update.history()[node] > delivered[node]) {
        return false;
      }
    }
    return true;
  }

  private boolean isVisible(long[] history) {
    for (int node = 0; node < visible.length; node++) {
      if (history[node] > visible[node]) {
        return false;
      }
    }
    return true;
  }

  private boolean isOfMember(Update update) {
    return replica.view().incarnations().get(update.origin()) == Update.life(update.sequence());
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
      shown[from] = progress.visible();
      forgetStable();
    } else {
      throw new IllegalStateException("Not for " + replica.model() + ": " + message);
    }
  }

  private void onUpdate(Update update, int from, long landed) {
    update.writes().forEach(write -> replica.learn(write.clock()));
    NavigableMap<Long, WaitingUpdate> of = waiting.get(update.origin());
    boolean strict = replica.persistency().isBeforeCompletion();
    boolean mine = update.origin() == replica.self() && isOfMember(update);
    if (update.sequence() <= delivered[update.origin()] || mine) {
      if (strict) {
        tellPersisted(update);
      }
      replica.landings().drop(from, landed);
      return;
    }
    if (of.containsKey(update.sequence())) {
      replica.landings().drop(from, landed);
      return;
    }
    WaitingUpdate arrived = new WaitingUpdate(update);
    of.put(update.sequence(), arrived);
    if (strict) {
      if (replica.landings().keeps(from, landed)
          && !replica.keeps(ReplicaRule.LANDED_UNTIL_TAKEN)) {
        replica.landings().logged(from, landed);
      }
      replica
          .journal()
          .persist(
              update.logRecord(),
              () -> {
                replica.landings().logged(from, landed);
                arrived.persisted = true;
                tellPersisted(update);
                deliverWaiting();
              });
    }
    deliverWaiting();
  }

  private void tellPersisted(Update update) {
    if (isOfMember(update) && update.origin() != replica.self()) {
      replica.send(update.origin(), new ReplicaMessage.UpdPersisted(update.sequence()));
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
    if (written.operation != null && (replica.members() & ~written.persisted) == 0) {
      own.remove(number);
      replica.complete(written.operation);
    }
  }

  private void forgetStable() {
    for (int origin = 0; origin < delivered.length; origin++) {
      long stable = visible[origin];
      for (int node = 0; node < shown.length; node++) {
        if (node != replica.self() && replica.view().has(node)) {
          stable = Math.min(stable, shown[node][origin]);
        }
      }
      unstable.get(origin).headMap(stable, true).clear();
    }
    replica.goOn();
  }

  @Override
  public void tick(long nowNanos) {
    if (replica.view() != null
        && progressed
        && learned
        && nowNanos - saidNanos >= replica.settings().times().progressNanos()) {
      progressed = false;
      saidNanos = nowNanos;
      replica.broadcast(new ReplicaMessage.Progress(visible.clone()));
    }
  }

  // --- views -------------------------------------------------------------------------------------

  @Override
  public void onView(int joined) {
    settled = false;
    learned = learned || replica.view().serves(replica.self());
    for (int node = 0; node < replica.nodes(); node++) {
      if ((joined & Quorum.of(node)) != 0) {
        Arrays.fill(shown[node], 0);
      }
      if (node != replica.self() && replica.view().has(node)) {
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
    for (int origin = 0; origin < delivered.length; origin++) {
      for (Update update : unstable.get(origin).tailMap(shown[member][origin], false).values()) {
        boolean mine = origin == replica.self() && isOfMember(update) && joined;
        // This node's own last life is gone like any other's.
        boolean left = !isOfMember(update) && replica.keeps(ReplicaRule.FINISH_FOR_THE_GONE);
        if (mine || left) {
          replica.send(member, new ReplicaMessage.Upd(update));
        }
      }
      for (WaitingUpdate each : waiting.get(origin).values()) {
        if (!isOfMember(each.update) && replica.keeps(ReplicaRule.FINISH_FOR_THE_GONE)) {
          replica.send(member, new ReplicaMessage.Upd(each.update));
        }
      }
    }
  }

  @Override
  public void onViewSettled() {
    settled = true;
    forgetHopeless();
    deliverWaiting();
  }

  @Override
  public void onLearned(long[] until) {
    learned = true;
    boolean together = replica.view().serving() == 0;
    for (int node = 0; node < delivered.length; node++) {
      // After a recovery by all nothing of an earlier life is under way any more.
      long from =
          together ? (long) replica.view().incarnations().get(node) << Integer.SIZE : until[node];
      delivered[node] = Math.max(delivered[node], from);
      visible[node] = Math.max(visible[node], from);
      NavigableMap<Long, WaitingUpdate> told = waiting.get(node).headMap(from, true);
      // They are in the versions; but others may lack them, and their node may be gone.
      NavigableMap<Long, Update> kept = unstable.get(node);
      told.forEach((number, each) -> kept.put(number, each.update));
      told.clear();
    }
    progressed = true;
    deliverWaiting();
    if (settled) {
      forgetHopeless();
    }
  }

  /**
   * What a node that is gone has left without its history nobody will complete: all that anybody
   * has of those that are gone was told before the view was settled.
   */
  private void forgetHopeless() {
    boolean again = learned && settled;
    while (again) {
      again = false;
      for (NavigableMap<Long, WaitingUpdate> of : waiting) {
        again |= of.values().removeIf(each -> isHopeless(each.update) && giveUp(each.update));
      }
    }
  }

  private boolean giveUp(Update update) {
    if (replica.persistency().isBeforeCompletion() && replica.keeps(ReplicaRule.ORPHANS_LOGGED)) {
      orphans.add(update);
    }
    return true;
  }

  /** Whether later versions are in the place of all of its writes. */
  private boolean isPast(Update update) {
    return update.writes().stream()
        .allMatch(write -> replica.look(write.key()).clock() >= write.clock());
  }

  private boolean isHopeless(Update update) {
    if (isOfMember(update)) {
      return false;
    }
    boolean hopeless = isMissing(update.origin(), update.previous());
    for (int node = 0; node < delivered.length && causal; node++) {
      hopeless |= node != update.origin() && isMissing(node, update.history()[node]);
    }
    return hopeless;
  }

  /** Whether an update is not here, and nobody will send it. */
  private boolean isMissing(int origin, long number) {
    return number > delivered[origin]
        && Update.life(number) != replica.view().incarnations().get(origin)
        && !waiting.get(origin).containsKey(number);
  }

  @Override
  public void onKept(List<Write> kept) {
    // What has happened before another one has a lower clock, and becomes visible before it.
    List<Write> inOrder = new ArrayList<>(kept);
    inOrder.sort(Comparator.comparingLong(Write::clock));
    Encoding.split(inOrder, replica.settings().limits().pageBytes())
        .forEach(part -> originate(part, null, true));
    // The last one says that there is nothing of an earlier life any more.
    originate(List.of(), null, false);
  }

  @Override
  public void underWay(Consumer<Write> each) {
    unstable.forEach(of -> of.values().forEach(update -> update.writes().forEach(each)));
    waiting.forEach(of -> of.values().forEach(on -> on.update.writes().forEach(each)));
    orphans.forEach(update -> update.writes().forEach(each));
  }

  @Override
  public void logOpen(Journal journal) {
    if (replica.persistency().isBeforeCompletion()) {
      waiting.forEach(
          of -> of.values().forEach(each -> journal.persistLater(each.update.logRecord())));
      orphans.removeIf(this::isPast);
      orphans.forEach(each -> journal.persistLater(each.logRecord()));
    }
  }

  @Override
  public boolean shows(long[] until) {
    return isVisible(until);
  }

  @Override
  public void teachRest(int learner) {
    unstable.forEach(
        of -> of.values().forEach(each -> replica.send(learner, new ReplicaMessage.Upd(each))));
  }

  @Override
  public long[] visible() {
    return visible;
  }

  /** What waits for its turn, and what has had it and waits for the durable medium. */
  @Override
  public long held() {
    long held = 0;
    for (int node = 0; node < delivered.length; node++) {
      boolean sameLife = Update.life(delivered[node]) == Update.life(visible[node]);
      held += waiting.get(node).size() + (sameLife ? delivered[node] - visible[node] : 0);
    }
    return held;
  }

  /** The first invariant, of this node's counts; and that what waits has not had its turn. */
  @Override
  public void checkInvariants() {
    for (int node = 0; node < delivered.length; node++) {
      long turn = delivered[node];
      NavigableMap<Long, ?> waits = waiting.get(node);
      NavigableMap<Long, ?> kept = unstable.get(node);
      Invariant.check(visible[node] <= turn, "what is visible has had its turn");
      Invariant.check(waits.isEmpty() || waits.firstKey() > turn, "what waits has had no turn");
      Invariant.check(kept.isEmpty() || kept.lastKey() <= turn, "what is kept has had its turn");
    }
    Invariant.check(own.keySet().stream().allMatch(n -> n <= sequence), "own updates are counted");
  }

  @Override
  public String toString() {
    return "own " + own.keySet() + ", waiting " + waiting.stream().map(Map::keySet).toList();
  }

  @Override
  public boolean isQuiet() {
    return own.isEmpty() && !progressed && waiting.stream().allMatch(Map::isEmpty);
  }
}
