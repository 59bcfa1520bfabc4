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
package org.orcagrid.server.grid;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.durable.segment.DurableFiles;
import org.orcagrid.ddp.map.MapAgreement;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapMembership;
import org.orcagrid.ddp.map.MapView;
import org.orcagrid.ddp.map.ViewRules;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.server.grid.MapEnsemble.Life;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Agrees on views of the maps' nodes by an ensemble of ORCA or ZooKeeper servers: view {@code n +
 * 1} is whatever is created first under that number, by any node that has seen view {@code n}.
 *
 * <p>Nobody goes on without a node that may still serve. A node serves for {@link #LEASE_MS} from
 * when it has begun to ask a question whose answer says that it was registered; whoever sees that
 * it is not any more waits longer than that before it makes a view without it. So it does not
 * matter when the ensemble ends a session, nor what the ensemble's clocks say; only that no two
 * machines' clocks differ in speed by a fifth. A node that leaves in good order says so, and is not
 * waited for.
 */
public final class EnsembleMapMembership implements MapMembership {
  /** For how long a node serves that has found itself registered. */
  static final int LEASE_MS = 3_000;

  private static final Logger LOG = LoggerFactory.getLogger(EnsembleMapMembership.class);
  private static final int SESSION_TIMEOUT_MS = 4_000;
  private static final long RENEW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long LEASE_NANOS = TimeUnit.MILLISECONDS.toNanos(LEASE_MS);

  /** Longer than any lease, by any clock. */
  private static final long GONE_NANOS = LEASE_NANOS + LEASE_NANOS / 5;

  private static final long AGREED_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
  private static final String IDENTITY = "identity";

  private final Semaphore news = new Semaphore(0);
  private final MapEnsemble ensemble;
  private final String address;
  private final long grid;
  private final int place;
  private final Thread thread = new Thread(this::work, "orca-maps-membership");

  /** For each place, a member that is not registered any more, and since when. */
  private final List<Missing> missing = new ArrayList<>();

  /** Who wants to be told; null when this life of the node is over and the next has not begun. */
  private volatile Member member;

  private volatile int caughtUp;
  private volatile long servesUntil = System.nanoTime();
  private volatile boolean closed;

  // Of the thread, and of close() when that has ended.

  private Life life;
  private int version;
  private long renewedNanos;
  private int told;

  private record Missing(long registration, long sinceNanos) {}

  /**
   * A node's membership in a grid; connects, and takes the place that its folder has.
   *
   * @param ensemble host:port of some of its servers, with commas between them
   * @param cluster the grid's name
   * @param size how many places it has
   * @param address where the node listens, as the others reach it
   * @param folder where the node's maps are; it has the node's identity
   * @throws IOException if the ensemble does not answer, or has no place for the folder
   */
  public EnsembleMapMembership(
      String ensemble, String cluster, int size, String address, Path folder)
      throws IOException, InterruptedException {
    this.ensemble = new MapEnsemble(ensemble, cluster, SESSION_TIMEOUT_MS, news);
    this.address = address;
    String identity = identity(folder);
    try {
      this.ensemble.connect();
      this.ensemble.sync();
      this.grid = this.ensemble.grid(size);
      this.place = this.ensemble.place(identity, size);
    } catch (KeeperException e) {
      this.ensemble.close();
      throw new IOException(this.ensemble + " does not help: " + e.getMessage(), e);
    } catch (IOException | InterruptedException | RuntimeException e) {
      this.ensemble.close();
      throw e;
    }
    for (int node = 0; node < size; node++) {
      missing.add(null);
    }
    thread.setDaemon(true);
    thread.start();
  }

  /** Tells this folder from all others; made when the folder is used for the first time. */
  private static String identity(Path folder) throws IOException {
    DurableFiles.makeFolder(folder.toAbsolutePath());
    Path file = folder.resolve(IDENTITY);
    if (!Files.exists(file)) {
      DurableFiles.write(file, StandardCharsets.UTF_8.encode(UUID.randomUUID().toString()));
    }
    return Files.readString(file).strip();
  }

  @Override
  public int place() {
    return place;
  }

  @Override
  public void join(Member joining) {
    caughtUp = 0;
    member = joining;
    news.release();
  }

  @Override
  public void caughtUp(int view) {
    caughtUp = view;
    news.release();
  }

  @Override
  public long servesUntilNanos() {
    return servesUntil;
  }

  // --- the thread --------------------------------------------------------------------------------

  private void work() {
    while (!closed) {
      try {
        if (news.tryAcquire(RENEW_NANOS, TimeUnit.NANOSECONDS)) {
          news.drainPermits();
        }
        step();
      } catch (KeeperException | IOException e) {
        // Without an answer the lease ends by itself; what was found out is told to nobody then.
        LOG.warn("{} cannot be asked: {}", ensemble, e.getMessage());
      } catch (InterruptedException e) {
        // close() wants this thread to end.
        return;
      } catch (RuntimeException e) {
        LOG.error("The membership has failed; this node is left out", e);
        leave("the membership has failed: " + e.getMessage());
      }
    }
  }

  private void step() throws KeeperException, IOException, InterruptedException {
    ensemble.connect();
    if (member == null || closed || !isRegistered()) {
      return;
    }
    follow();
    if (life != null) {
      decide();
    }
  }

  /** Registers this life, or finds out that it still is. */
  private boolean isRegistered() throws KeeperException, InterruptedException {
    long now = System.nanoTime();
    if (life == null) {
      Life next = new Life(new SecureRandom().nextLong() >>> 1 | 1, address, 0);
      ensemble.sync();
      int last = ensemble.lastView();
      if (!ensemble.register(place, next)) {
        // An earlier life's: it goes with its session.
        return false;
      }
      life = next;
      version = 0;
      told = Math.max(0, last - 1);
      renewed(now);
      return true;
    }
    if (life.caughtUp() == caughtUp && now - renewedNanos < RENEW_NANOS) {
      return true;
    }
    Life next = new Life(life.id(), address, caughtUp);
    Optional<Integer> renewed = ensemble.renew(place, next, version);
    if (renewed.isEmpty()) {
      leave("its session at the ensemble has ended");
      return false;
    }
    version = renewed.get();
    life = next;
    renewed(now);
    return true;
  }

  private void renewed(long askedNanos) {
    renewedNanos = askedNanos;
    servesUntil = askedNanos + LEASE_NANOS;
  }

  /** This life is over. */
  private void leave(String reason) {
    servesUntil = System.nanoTime();
    life = null;
    Member left = member;
    member = null;
    if (left != null) {
      left.onLeft(reason);
    }
  }

  /** Tells of the views that were made since the last time, one after the other. */
  private void follow() throws KeeperException, InterruptedException {
    int last = ensemble.lastView();
    while (told < last && life != null) {
      int number = told + 1;
      Optional<MapView> view = ensemble.view(number);
      if (view.isEmpty()) {
        leave("view " + number + " is not kept any more: this node was away for too long");
        return;
      }
      told = number;
      MapView.Place own = view.get().places().get(place);
      if (own.registration() == life.id()) {
        if ((view.get().replicas().members() & Quorum.of(place)) == 0) {
          leave("view " + number + " is without it");
        } else {
          LOG.info("In {}", describe(view.get()));
          member.onView(view.get());
        }
      }
    }
  }

  private static String describe(MapView view) {
    return view.replicas() + " with the maps " + view.maps();
  }

  /** Makes the next view, if there is a reason for one. */
  private void decide() throws KeeperException, InterruptedException {
    MapView view = told < 1 ? null : ensemble.view(told).orElse(null);
    if (view == null && told >= 1) {
      return;
    }
    List<Optional<ViewRules.Registration>> present = new ArrayList<>();
    int in = 0;
    for (int node = 0; node < missing.size(); node++) {
      Optional<Life> there = node == place ? Optional.of(life) : ensemble.life(node);
      present.add(present(view, node, there));
      boolean caught = there.isPresent() && view != null && there.get().caughtUp() == view.number();
      if (caught && view.places().get(node).registration() == there.get().id()) {
        in |= Quorum.of(node);
      }
    }
    Optional<MapView> next =
        view == null ? ViewRules.first(grid, present) : ViewRules.next(view, present, in);
    if (next.isPresent()) {
      if (ensemble.make(next.get())) {
        LOG.info("Makes {}", describe(next.get()));
      }
      news.release();
    }
  }

  /**
   * Who counts as there: a member that is not registered any more does, until its lease is over.
   */
  private Optional<ViewRules.Registration> present(MapView view, int node, Optional<Life> there)
      throws KeeperException, InterruptedException {
    boolean counts = view != null && (view.replicas().members() & Quorum.of(node)) != 0;
    MapView.Place last = view == null ? null : view.places().get(node);
    if (!counts || (there.isPresent() && there.get().id() == last.registration())) {
      missing.set(node, null);
      return there.map(each -> new ViewRules.Registration(each.id(), each.address()));
    }
    Missing gone = missing.get(node);
    if (gone == null || gone.registration() != last.registration()) {
      gone = new Missing(last.registration(), System.nanoTime());
      missing.set(node, gone);
    }
    if (System.nanoTime() - gone.sinceNanos() < GONE_NANOS
        && !ensemble.hasLeft(node, last.registration())) {
      return Optional.of(new ViewRules.Registration(last.registration(), last.address()));
    }
    return there.map(each -> new ViewRules.Registration(each.id(), each.address()));
  }

  // --- maps --------------------------------------------------------------------------------------

  @Override
  public MapDefinition define(String name, Ddp model, Conflicts conflicts)
      throws IOException, InterruptedException {
    return agree((view, next) -> MapAgreement.define(view, name, model, conflicts, next));
  }

  @Override
  public void remove(String name) throws IOException, InterruptedException {
    agree((view, next) -> MapAgreement.remove(view, name, next));
  }

  /** Tries to agree on something; empty if nobody serves at present. */
  @FunctionalInterface
  private interface Agreement<T> {
    Optional<T> attempt(MapView view, Consumer<MapView> next);
  }

  private <T> T agree(Agreement<T> what) throws IOException, InterruptedException {
    long end = System.nanoTime() + AGREED_NANOS_MAX;
    String inTheWay = "no node serves yet, or any more";
    while (System.nanoTime() - end < 0 && !closed) {
      try {
        int last = ensemble.lastView();
        MapView view = last == 0 ? null : ensemble.view(last).orElse(null);
        List<MapView> made = new ArrayList<>();
        Optional<T> agreed = what.attempt(view, made::add);
        if (agreed.isPresent() && (made.isEmpty() || ensemble.make(made.get(0)))) {
          news.release();
          return agreed.get();
        }
      } catch (KeeperException e) {
        inTheWay = e.getMessage();
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new IOException(ensemble + " has not agreed on it: " + inTheWay);
  }

  /** To be called when the node serves nobody any more. */
  @Override
  public void close() {
    closed = true;
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
      if (life != null) {
        ensemble.leave(place, life.id());
      }
      ensemble.close();
    } catch (KeeperException e) {
      LOG.info("{} is not told that this node leaves: it waits for the lease", ensemble, e);
      closeQuietly();
    } catch (InterruptedException e) {
      interrupted = true;
    }
    life = null;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeQuietly() {
    try {
      ensemble.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
