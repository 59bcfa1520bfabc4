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
package org.orcagrid.ddp.map;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.durable.segment.FolderLock;
import org.orcagrid.ddp.membership.Beat;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.PeerLease;
import org.orcagrid.ddp.membership.ViewRules;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.ddp.transport.Clock;
import org.orcagrid.ddp.vital.VitalTask;

/**
 * Agrees on views of nodes that are all in this JVM, with a thread of its own. A node leaves when
 * it is closed, and there is no other way: nobody is suspected. One that joins at a place behind
 * the first ones makes the grid grow by it, where there is room.
 */
public final class LocalViews implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LocalViews.class.getName());
  private static final long AGREED_SECONDS_MAX = 30;

  /** Null for views that are in memory only. */
  private final ViewStore store;

  /** Null if there is no folder. */
  private final FolderLock lock;

  private final Clock clock;
  private final Thread thread;
  private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

  // Of the thread.

  /** For each place that there is room for. */
  private final List<Node> nodes = new ArrayList<>();

  /** How many places the grid begins with: the first ones. */
  private final int size;

  private int caughtUp;

  /** For each place the view in which its present life has given up copies of maps last. */
  private final int[] gaveUpIn;

  private long lastRegistration;
  private boolean over;

  // Of any thread.

  /** Changed by the thread alone; null if there is none yet. */
  private volatile AgreedView view;

  /** Those who wait for an agreement. */
  private final Set<Consumer<Throwable>> waiting = ConcurrentHashMap.newKeySet();

  /** Why the thread has ended by itself, null while it works. */
  private volatile Throwable ended;

  private record Node(ViewRules.Present present, Views.Member member) {}

  private LocalViews(
      ViewStore store,
      FolderLock lock,
      AgreedView view,
      int size,
      int room,
      Clock clock,
      ThreadFactory threads) {
    this.store = store;
    this.clock = clock;
    this.lock = lock;
    this.view = view;
    this.size = size;
    this.gaveUpIn = new int[room];
    for (int node = 0; node < room; node++) {
      this.nodes.add(null);
      if (view != null) {
        lastRegistration =
            Math.max(lastRegistration, view.nodes().places().get(node).registration());
      }
    }
    this.thread = threads.newThread(new VitalTask("Who agrees on views", this::work, this::fail));
  }

  /**
   * Views of so many nodes, going on from the last one that was kept.
   *
   * @param folder where the view is kept
   * @param clock by which nodes know how long they serve
   * @param threads makes the thread
   * @throws IOException if the folder cannot be used, or is of another number of nodes
   */
  public static LocalViews open(int nodes, Path folder, Clock clock, ThreadFactory threads)
      throws IOException {
    return open(nodes, nodes, folder, clock, threads);
  }

  /**
   * The same for nodes that have room for more of them than there are.
   *
   * @param room the places of each view, as many as each node has room for
   */
  public static LocalViews open(
      int nodes, int room, Path folder, Clock clock, ThreadFactory threads) throws IOException {
    FolderLock lock = FolderLock.take(folder);
    try {
      LocalViews views = read(nodes, room, folder, lock, clock, threads);
      views.thread.start();
      return views;
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** Views of so many nodes in memory: the first one is that of a new grid. */
  public static LocalViews inMemory(int nodes, Clock clock, ThreadFactory threads) {
    LocalViews views = new LocalViews(null, null, null, nodes, nodes, clock, threads);
    views.thread.start();
    return views;
  }

  private static LocalViews read(
      int nodes, int room, Path folder, FolderLock lock, Clock clock, ThreadFactory threads)
      throws IOException {
    ViewStore store = new ViewStore(folder.resolve("view"));
    Optional<AgreedView> last = store.read();
    int before = last.map(each -> Integer.bitCount(each.nodes().parts())).orElse(nodes);
    if (before != nodes) {
      throw new IOException(
          folder
              + " is of a grid of "
              + before
              + " nodes; start it with as many and not with "
              + nodes);
    }
    return new LocalViews(store, lock, last.orElse(null), nodes, room, clock, threads);
  }

  /** The membership of a node whose transport needs no address. */
  public Views membership(int node) {
    return membership(node, "local");
  }

  /** The membership of a node that the others reach at an address, which views tell them. */
  public Views membership(int node, String address) {
    return new Local(node, address);
  }

  private void work() throws InterruptedException {
    while (!over) {
      tasks.take().run();
    }
  }

  /** Nothing is agreed on any more: nodes end, and whoever waits is told why. */
  private void fail(Throwable reason) {
    over = true;
    ended = reason;
    for (Node each : nodes) {
      if (each != null) {
        each.member().onFailed(reason);
      }
    }
    waiting.forEach(each -> each.accept(hasEnded(reason)));
  }

  private static IllegalStateException hasEnded(Throwable reason) {
    return new IllegalStateException("Nothing is agreed on any more: " + reason, reason);
  }

  private void look() {
    if (over) {
      return;
    }
    List<Optional<ViewRules.Present>> present = new ArrayList<>();
    nodes.forEach(each -> present.add(Optional.ofNullable(each).map(Node::present)));
    if (view != null && ViewRules.isStopped(view.nodes(), present, caughtUp)) {
      stop();
      return;
    }
    Optional<GridView> next =
        view == null
            ? ViewRules.first(new SecureRandom().nextLong() >>> 1, present, size)
            : ViewRules.next(view.nodes(), present, caughtUp)
                .or(() -> ViewRules.grow(view.nodes(), present))
                .or(() -> ViewRules.move(view.nodes(), gaveUp()));
    next.map(each -> view == null ? AgreedView.first(each) : view.with(each))
        .ifPresent(this::install);
  }

  /** The members that have given up what they were to, as a mask. */
  private int gaveUp() {
    int givenUpIn = view.nodes().shares().givenUpIn();
    int gaveUp = 0;
    for (int node = 0; node < gaveUpIn.length; node++) {
      gaveUp |= givenUpIn > 0 && gaveUpIn[node] == givenUpIn ? Quorum.of(node) : 0;
    }
    return gaveUp;
  }

  /** Too few serve: all begin another life, and recover when those that are missing are back. */
  private void stop() {
    for (int node = 0; node < nodes.size(); node++) {
      Node each = nodes.set(node, null);
      if (each != null) {
        each.member().onLeft(view.nodes().shares().whyStopped());
      }
    }
  }

  private void install(AgreedView next) {
    try {
      if (store != null) {
        store.write(next);
      }
    } catch (IOException e) {
      fail(new IOException("The view cannot be kept: " + e.getMessage(), e));
      return;
    }
    view = next;
    caughtUp = 0;
    for (int node = 0; node < nodes.size(); node++) {
      Node each = nodes.get(node);
      if (each != null && next.nodes().has(node, each.present().id())) {
        each.member().onView(next);
      } else if (each != null
          && next.nodes().places().get(node).registration() == each.present().id()) {
        nodes.set(node, null);
        each.member().onLeft("those who served last recover without it");
      }
    }
    // A node that begins another life, or one that waits, may be a reason for the next one.
    look();
  }

  /**
   * Agrees on nothing any more. To be closed before the nodes if the grid ends: those that served
   * together are told apart by nobody then, and come back together.
   */
  @Override
  public void close() {
    tasks.add(() -> over = true);
    boolean interrupted = false;
    while (thread.isAlive() && thread != Thread.currentThread()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    try {
      if (lock != null) {
        lock.close();
      }
    } catch (IOException e) {
      // The kernel frees it with the process at the latest.
      LOG.log(System.Logger.Level.WARNING, "The folder's lock cannot be given back", e);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private <T> T agree(Agreement<T> what) throws IOException, InterruptedException {
    long end = clock.nanoTime() + TimeUnit.SECONDS.toNanos(AGREED_SECONDS_MAX);
    while (true) {
      CompletableFuture<Optional<T>> answer = new CompletableFuture<>();
      Consumer<Throwable> waits = answer::completeExceptionally;
      waiting.add(waits);
      Throwable reason = ended;
      if (reason != null) {
        throw hasEnded(reason);
      }
      tasks.add(
          () -> {
            try {
              answer.complete(what.attempt());
            } catch (RuntimeException e) {
              answer.completeExceptionally(e);
            }
          });
      Optional<T> agreed;
      try {
        agreed = await(answer);
      } finally {
        waiting.remove(waits);
      }
      if (agreed.isPresent()) {
        return agreed.get();
      }
      if (clock.nanoTime() - end >= 0) {
        throw new IOException("No node serves, so that nothing can be agreed on");
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private static <T> T await(CompletableFuture<T> answer) throws IOException, InterruptedException {
    try {
      return answer.get(AGREED_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("The grid was closed", e);
    }
  }

  /** Tries to agree on something; empty if nobody serves at present. */
  @FunctionalInterface
  private interface Agreement<T> {
    Optional<T> attempt();
  }

  private final class Local implements Views {
    private final int node;
    private final String address;

    private final long process = new SecureRandom().nextLong() | 1;

    /** Of the thread. */
    private long registration;

    Local(int node, String address) {
      this.node = node;
      this.address = address;
    }

    @Override
    public int place() {
      return node;
    }

    /** They are in one JVM, and know each other. */
    @Override
    public long grid() {
      return 0;
    }

    @Override
    public Optional<AgreedView> newest() {
      return Optional.ofNullable(view);
    }

    @Override
    public void join(Member member) {
      tasks.add(
          () -> {
            registration = ++lastRegistration;
            gaveUpIn[node] = 0;
            nodes.set(
                node, new Node(new ViewRules.Present(registration, process, address), member));
            look();
          });
    }

    @Override
    public void caughtUp(int inView) {
      tasks.add(
          () -> {
            if (view != null && view.number() == inView && view.nodes().has(node, registration)) {
              caughtUp |= Quorum.of(node);
              look();
            }
          });
    }

    @Override
    public void gaveUp(int inView) {
      tasks.add(
          () -> {
            if (view != null && view.nodes().has(node, registration)) {
              gaveUpIn[node] = inView;
              look();
            }
          });
    }

    @Override
    public void refreshed(int since) {
      // These grids lose no place.
    }

    @Override
    public void wantPurge(int inView) {
      tasks.add(
          () -> {
            // No other view is due: each task looks for one before it ends.
            if (view != null && view.number() == inView && view.nodes().has(node, registration)) {
              ViewRules.purge(view.nodes()).map(view::with).ifPresent(LocalViews.this::install);
            }
          });
    }

    @Override
    public void tick(Beats beats, long stoodNanos) {
      // All nodes end with this JVM: nobody is suspected.
    }

    @Override
    public void onBeat(int from, Beat beat) {
      throw new IllegalStateException("Nobody sends beats here, and " + from + " has");
    }

    @Override
    public void onDisconnected(int peer) {
      // Nobody is suspected.
    }

    @Override
    public long servesUntilNanos() {
      return clock.nanoTime() + Long.MAX_VALUE / 2;
    }

    /** Nobody is suspected. */
    @Override
    public List<PeerLease> peers() {
      return List.of();
    }

    @Override
    public MapDefinition define(String name, Ddp model, Conflicts conflicts, int copies)
        throws IOException, InterruptedException {
      return agree(
          () ->
              MapAgreement.define(view, name, model, conflicts, copies, LocalViews.this::install));
    }

    @Override
    public void remove(String name) throws IOException, InterruptedException {
      agree(() -> MapAgreement.remove(view, name, LocalViews.this::install));
    }

    @Override
    public void close() {
      tasks.add(
          () -> {
            Node there = nodes.get(node);
            if (there != null && there.present().id() == registration) {
              nodes.set(node, null);
              look();
            }
          });
    }
  }
}
