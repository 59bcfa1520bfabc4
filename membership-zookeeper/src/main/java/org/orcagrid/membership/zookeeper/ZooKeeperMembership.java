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
package org.orcagrid.membership.zookeeper;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.KeeperException;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.MapAgreement;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MembershipProvider;
import org.orcagrid.ddp.map.ViewRecord;
import org.orcagrid.ddp.map.Views;
import org.orcagrid.ddp.membership.Beat;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.Membership;
import org.orcagrid.ddp.membership.MembershipEffects;
import org.orcagrid.ddp.membership.MembershipRule;
import org.orcagrid.ddp.membership.PeerLease;
import org.orcagrid.ddp.membership.Registration;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.ddp.vital.VitalTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's membership, whose views are agreed in an ensemble of ORCA or ZooKeeper servers. {@link
 * Membership} decides; this has its wishes done.
 *
 * <p>Its thread alone talks to the ensemble, but for maps that are added and removed. The node's
 * first worker brings beats and the time. Both use the machine under this object's lock, which is
 * never held while somebody waits.
 */
public final class ZooKeeperMembership implements Views {
  private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperMembership.class);
  private static final long LOOK_MILLIS = 1_000;
  private static final long AGAIN_MILLIS = 50;
  private static final long AWAY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int AWAY_DOUBLED_MAX = 6;

  private final Semaphore news = new Semaphore(0);
  private final GridRegistry registry;
  private final PlaceFolder folder;
  private final Agreements agreements;
  private final String address;
  private final int sizeMax;
  private final int place;
  private final long grid;

  /** All lives of the node have one memory. */
  private final long process = new SecureRandom().nextLong() | 1;

  private final Thread thread;

  // Under the lock.

  private final Membership machine;
  private final List<GridView> installed = new ArrayList<>();
  private Member member;

  /** A life that is to begin, 0 for none, and when. */
  private long nextLife;

  private long beginNanos;

  /** How many lives have begun since one has served. */
  private int livesInVain;

  private final List<PeerBeat> beats = new ArrayList<>();
  private Registration toReport;
  private GridView toMake;
  private String left;

  // For all to see.

  private volatile boolean toRead = true;
  private volatile long servesUntil = System.nanoTime();
  private final AtomicBoolean closing = new AtomicBoolean();
  private volatile boolean closed;

  /** Why nothing is agreed on any more. */
  private volatile Throwable ended = new IOException("the node was closed");

  /** The largest number of a life that is registered at this place. */
  private volatile long lastRegistered;

  /** The newest view that is known; null if there is none. */
  private volatile AgreedView newest;

  private record PeerBeat(int peer, Beat beat) {}

  /** What this session has reported last, null if nothing. */
  private volatile Registration reported;

  /** Of the thread: whether the session is new, and may be behind what others have seen. */
  private boolean toSync;

  /** Of the thread. */
  private final FaultLog faults = new FaultLog(LOG);

  /**
   * A node's membership in a grid; connects, and takes the place that its folder has.
   *
   * @throws IOException if the ensemble does not answer, has no place for the folder, or knows less
   *     than the folder does
   */
  public ZooKeeperMembership(MembershipProvider.Place at) throws IOException, InterruptedException {
    this.registry = ZooKeeperMembershipProvider.registry(at, this::onChange);
    this.agreements = new Agreements(registry, () -> newest, () -> closed, this::onChange);
    this.address = at.address();
    this.sizeMax = at.sizeMax();
    this.folder = PlaceFolder.take(at.folder());
    try {
      Entry entry = Entry.of(registry, folder, at);
      newest = entry.newest();
      grid = entry.grid();
      place = entry.place();
      machine =
          new Membership(
              at.times(), MembershipRule.all(), sizeMax, at.size(), place, grid, new Wishes());
      // Before any life begins: so it is told of each view that it is in.
      onRegistry(newest == null ? List.of() : List.of(newest));
    } catch (KeeperException e) {
      closeQuietly();
      throw EnsembleClient.explain(registry, e);
    } catch (IOException | InterruptedException | RuntimeException e) {
      closeQuietly();
      throw e;
    }
    this.thread =
        new Thread(
            new VitalTask("The membership of a node", this::work, this::fail),
            "orca-grid-membership");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public int place() {
    return place;
  }

  @Override
  public long grid() {
    return grid;
  }

  @Override
  public Optional<AgreedView> newest() {
    return Optional.ofNullable(newest);
  }

  private void onChange() {
    toRead = true;
    news.release();
  }

  // --- the node ----------------------------------------------------------------------------------

  @Override
  public void join(Member joining) throws IOException {
    if (closed) {
      throw new IOException("Nothing is agreed on any more: " + ended, ended);
    }
    long life = folder.nextLife(lastLife(), System.currentTimeMillis());
    synchronized (this) {
      // Each life that joins holds the others up: one that never serves does so ever more seldom.
      long wait = AWAY_NANOS << Math.min(AWAY_DOUBLED_MAX, livesInVain);
      beginNanos = System.nanoTime() + (livesInVain == 0 ? 0 : wait);
      livesInVain++;
      nextLife = life;
      member = joining;
      beginIfDue();
    }
  }

  /** The largest number of a life at this place that is known. */
  private long lastLife() {
    AgreedView known = newest;
    long inView = known == null ? 0 : known.nodes().places().get(place).registration();
    return Math.max(inView, lastRegistered);
  }

  private void beginIfDue() {
    long now = System.nanoTime();
    if (nextLife != 0 && now - beginNanos >= 0) {
      machine.begin(nextLife, process, address, now);
      nextLife = 0;
      changed();
    }
  }

  @Override
  public void tick(Beats out, long stoodNanos) {
    List<PeerBeat> sent;
    synchronized (this) {
      beginIfDue();
      machine.tick(System.nanoTime(), stoodNanos);
      changed();
      if (beats.isEmpty()) {
        return;
      }
      sent = List.copyOf(beats);
      beats.clear();
    }
    sent.forEach(each -> out.send(each.peer(), each.beat()));
  }

  @Override
  public synchronized void onBeat(int from, Beat beat) {
    machine.onBeat(from, beat, System.nanoTime());
    changed();
  }

  @Override
  public synchronized void onDisconnected(int peer) {
    machine.onDisconnected(peer, System.nanoTime());
    changed();
  }

  @Override
  public synchronized void caughtUp(int view) {
    machine.onCaughtUp(view, System.nanoTime());
    changed();
  }

  @Override
  public synchronized void gaveUp(int view) {
    machine.onGaveUp(view, System.nanoTime());
    changed();
  }

  @Override
  public synchronized void refreshed(int since) {
    machine.onRefreshed(since, System.nanoTime());
    changed();
  }

  @Override
  public synchronized void wantPurge(int view) {
    machine.wantPurge(view, System.nanoTime());
    changed();
  }

  private void changed() {
    servesUntil = machine.servesUntilNanos();
  }

  @Override
  public long servesUntilNanos() {
    return servesUntil;
  }

  @Override
  public synchronized List<PeerLease> peers() {
    return machine.peers(System.nanoTime());
  }

  /** What the machine wants; under the lock. */
  private final class Wishes implements MembershipEffects {
    @Override
    public void send(int peer, Beat beat) {
      beats.add(new PeerBeat(peer, beat));
    }

    @Override
    public void report(Registration own) {
      toReport = own;
      reported = null;
      news.release();
    }

    @Override
    public void make(GridView next) {
      toMake = next;
      news.release();
    }

    @Override
    public void read() {
      onChange();
    }

    @Override
    public void install(GridView view) {
      installed.add(view);
    }

    @Override
    public void left(String reason) {
      left = reason;
      // The node is told when the registry was read.
      onChange();
    }
  }

  // --- the thread --------------------------------------------------------------------------------

  private void work() throws IOException, InterruptedException {
    try {
      cycle();
    } catch (IOException | InterruptedException | RuntimeException e) {
      // Whatever it was doing was interrupted by close().
      if (!closed) {
        throw e;
      }
      LOG.debug("Membership ended: address={}", address, e);
    }
  }

  private void cycle() throws IOException, InterruptedException {
    boolean isFaulty = false;
    while (!closed) {
      if (news.tryAcquire(isFaulty ? AGAIN_MILLIS : LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        news.drainPermits();
      } else {
        toRead = true;
      }
      try {
        isFaulty = !step();
        if (!isFaulty) {
          faults.onAnswer(registry);
        }
      } catch (KeeperException e) {
        // Nodes serve without the ensemble, until one of them is lost.
        isFaulty = true;
        faults.onFault(registry + " cannot be asked: " + e.getMessage());
      }
    }
  }

  /** Whether the ensemble was there. */
  private boolean step() throws KeeperException, IOException, InterruptedException {
    try {
      if (registry.connect()) {
        toRead = true;
        toSync = true;
        // It goes when the session before ends, unless it is this one's.
        reported = null;
      }
    } catch (IOException e) {
      faults.onFault(e.getMessage());
      return false;
    }
    if (toSync) {
      registry.sync();
      toSync = false;
    }
    if (toRead) {
      toRead = false;
      try {
        read();
      } catch (KeeperException e) {
        toRead = true;
        throw e;
      }
    }
    make();
    report();
    return true;
  }

  private void report() throws KeeperException, IOException, InterruptedException {
    Registration own;
    synchronized (this) {
      own = toReport;
    }
    if (own != null && !own.equals(reported)) {
      registry.report(place, folder.identity(), own);
      reported = own;
    }
  }

  private void make() throws KeeperException, InterruptedException {
    GridView next;
    synchronized (this) {
      next = toMake;
    }
    if (next == null) {
      return;
    }
    AgreedView known = newest;
    int last = known == null ? 0 : known.number();
    boolean made = false;
    if (next.number() == last + 1) {
      int nextMap = known == null ? AgreedView.first(next).nextMap() : known.nextMap();
      made = registry.make(new ViewRecord(next, nextMap, List.of(), List.of()));
      LOG.info(
          made ? "Proposed {}; {}" : "Another node was first to propose a view; ours was {}; {}",
          next,
          describePeers());
    }
    synchronized (this) {
      toMake = next.equals(toMake) ? null : toMake;
      machine.onMade(next.number(), made, System.nanoTime());
      changed();
    }
  }

  private synchronized String describePeers() {
    return machine.describePeers();
  }

  private void read() throws KeeperException, IOException, InterruptedException {
    int last = registry.lastView();
    int known = newest == null ? 0 : newest.number();
    if (last < known) {
      registry.sync();
      last = registry.lastView();
    }
    if (last < known) {
      throw new IOException(
          "%s knows %s, and this node was in view %d: bring back the ensemble's data"
              .formatted(
                  registry, last == 0 ? "no views" : "views up to " + last + " only", known));
    }
    List<AgreedView> views = new ArrayList<>();
    for (AgreedView at = newest; known > 0 && known + views.size() < last; ) {
      Optional<ViewRecord> next = registry.view(at.number() + 1);
      if (next.isEmpty()) {
        beginAgain("view " + (at.number() + 1) + " is not kept any more: it was away for too long");
        views = registry.newest().map(List::of).orElse(List.of());
        break;
      }
      at = at.with(next.get());
      if (at.nodes().grid() != grid) {
        throw new IOException(
            "%s has views of grid %d now, and this node is of grid %d: bring back the ensemble's data"
                .formatted(registry, at.nodes().grid(), grid));
      }
      views.add(at);
    }
    onRegistry(known == 0 ? registry.newest().map(List::of).orElse(List.of()) : views);
  }

  /** Tells the machine of these views, and the node of what comes of it. */
  private void onRegistry(List<AgreedView> views)
      throws KeeperException, IOException, InterruptedException {
    List<Optional<Registration>> registered = registry.registered(sizeMax);
    int removals = registry.removals().marked();
    lastRegistered = registered.get(place).map(Registration::id).orElse(0L);
    if (!views.isEmpty()) {
      newest = views.get(views.size() - 1);
      // Before the machine knows of them, and any node is served by them.
      if (newest.nodes().places().get(place).member()) {
        folder.keep(newest);
      }
    }
    Member told;
    List<GridView> in;
    String reason;
    synchronized (this) {
      machine.onRegistry(
          views.stream().map(AgreedView::nodes).toList(), registered, removals, System.nanoTime());
      changed();
      told = member;
      in = List.copyOf(installed);
      livesInVain = in.stream().anyMatch(view -> view.serves(place)) ? 0 : livesInVain;
      reason = left;
      installed.clear();
      left = null;
      member = reason == null ? member : null;
    }
    registry.removals().requireNotLeft(place, removals, newest);
    if (told == null) {
      return;
    }
    for (AgreedView view : views) {
      if (in.contains(view.nodes())) {
        LOG.info("Installed {}", view.nodes());
        told.onView(view);
      }
    }
    if (reason != null) {
      told.onLeft(reason);
    }
  }

  private void beginAgain(String reason) {
    Member told = endLife();
    if (told != null) {
      told.onLeft(reason);
    }
  }

  private synchronized Member endLife() {
    machine.leave(System.nanoTime());
    changed();
    Member last = member;
    member = null;
    return last;
  }

  /** Nothing is agreed on any more: the node ends. */
  private void fail(Throwable reason) {
    if (closed) {
      return;
    }
    Member told = endLife();
    ended = reason;
    closed = true;
    if (told != null) {
      told.onFailed(reason);
    }
  }

  // --- maps --------------------------------------------------------------------------------------

  @Override
  public MapDefinition define(String name, Ddp model, Conflicts conflicts, int copies)
      throws IOException, InterruptedException {
    return agreements.on(
        (view, next) -> MapAgreement.define(view, name, model, conflicts, copies, next));
  }

  @Override
  public void remove(String name) throws IOException, InterruptedException {
    agreements.on((view, next) -> MapAgreement.remove(view, name, next));
  }

  // --- the end -----------------------------------------------------------------------------------

  /** To be called when the node serves nobody any more. */
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    closed = true;
    Registration leaving;
    synchronized (this) {
      machine.leave(System.nanoTime());
      changed();
      leaving = toReport;
      member = null;
    }
    thread.interrupt();
    boolean interrupted = false;
    while (thread.isAlive() && thread != Thread.currentThread()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    try {
      if (leaving != null && leaving.leaving()) {
        registry.report(place, folder.identity(), leaving);
      }
    } catch (KeeperException | IOException e) {
      LOG.info("Cannot deregister; other nodes wait for the lease to end: grid={}", registry, e);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    closeQuietly();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeQuietly() {
    try {
      registry.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      folder.close();
    } catch (IOException e) {
      LOG.warn("Cannot release the folder's lock; it ends with this process", e);
    }
  }
}
