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
package org.orcagrid.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.orcagrid.ddp.node.Membership;
import org.orcagrid.ddp.node.Roster;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Membership of nodes on one machine, by a file that all of them can write: the view, and which
 * process is at each place. A change needs a lock of the kernel's, so that views follow each other
 * one by one.
 *
 * <p>A node has its place by its number, and holds the place's lock as long as it lives. A place is
 * free when nobody holds it, which the kernel knows for certain: nobody is only taken for lost.
 * Where no process is left, what the grid held is gone, and the next node begins it anew.
 */
final class FolderMembership implements Membership {
  private static final Logger LOG = LoggerFactory.getLogger(FolderMembership.class);
  private static final long LOOK_MILLIS = 100;
  private static final int GRID_BITS = 43;

  private final Path file;
  private final PlaceLocks locks;
  private final List<String> addresses;
  private final int self;
  private final String id = UUID.randomUUID().toString();
  private final AtomicReference<KernelLock> place = new AtomicReference<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread follower = new Thread(this::follow, "orca-grid-membership");

  // Set by join, used by the follower.
  private Listener listener;
  private Roster known;
  private boolean marked;

  /**
   * Membership in a grid.
   *
   * @param file where the view is kept; beside it lies its lock
   * @param addresses of all nodes, by place
   * @param self this node's place
   */
  FolderMembership(Path file, List<String> addresses, int self) {
    this.file = file.toAbsolutePath().normalize();
    this.locks = new PlaceLocks(this.file);
    this.addresses = List.copyOf(addresses);
    this.self = self;
    follower.setDaemon(true);
  }

  @Override
  public Roster join(String address, Listener told, Consumer<String> progress)
      throws IOException, InterruptedException {
    listener = told;
    String said = null;
    while (known == null) {
      String waitsFor = locks.exclusively(this::takePlace);
      if (waitsFor != null && !waitsFor.equals(said)) {
        progress.accept(waitsFor);
        said = waitsFor;
      }
      if (known == null && closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new IOException("The membership was closed");
      }
    }
    follower.start();
    return known;
  }

  private FolderPlaces read() throws IOException {
    return FolderPlaces.parse(file, Files.readString(file));
  }

  private void write(FolderPlaces places) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, places.text());
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Takes this node's place if that may be; else says what is waited for. */
  private String takePlace() throws IOException {
    Optional<KernelLock> lock = locks.take(self);
    if (lock.isEmpty()) {
      throw new IOException(
          "Node " + self + " of this grid runs already, as " + locks.holder(self));
    }
    try {
      return takePlace(locks.running());
    } finally {
      // Who waits does not keep it: the file says of this place what holds of an earlier process.
      if (known == null) {
        lock.get().close();
      } else {
        place.set(lock.get());
      }
    }
  }

  private String takePlace(Set<Integer> held) throws IOException {
    FolderPlaces places = Files.exists(file) ? read() : null;
    Set<Integer> others = new TreeSet<>(held);
    others.remove(self);
    if (places == null || places.running(others) == 0) {
      requireNobody(others);
      long grid = new SecureRandom().nextLong() >>> (Long.SIZE - GRID_BITS);
      places = FolderPlaces.first(grid, addresses.size());
    }
    if (places.size() != addresses.size()) {
      throw new IOException(
          file
              + " is of a grid with "
              + places.size()
              + " nodes and not "
              + addresses.size()
              + "; stop its nodes first");
    }
    FolderPlaces.Place before = places.places().get(self);
    FolderPlaces.Place mine = FolderPlaces.Place.of(id, ProcessHandle.current());
    if (before.isEmpty()) {
      // Nobody was here in this life of the grid, so that nothing is forgotten.
      places = places.with(self, mine);
    } else {
      int needed = places.neededToCatchUp();
      if (places.serving(others) < needed) {
        return needed
            + " nodes that hold the data are needed to catch up with and there are "
            + places.serving(others)
            + "; if the others are lost for good, stop all nodes and begin anew";
      }
      places = places.withNewNode(self, mine);
      LOG.info("View {}: node {} was started again", places.view().number(), self);
    }
    write(places);
    known = places.roster(addresses, self);
    return null;
  }

  /** Fails if nodes run that the file does not name: a new grid would end them. */
  private void requireNobody(Set<Integer> others) throws IOException {
    if (!others.isEmpty()) {
      int other = others.iterator().next();
      throw new IOException(
          "Node "
              + other
              + " runs, as "
              + locks.holder(other)
              + ", but "
              + file
              + " is missing or does not name it; stop all nodes and begin anew");
    }
  }

  private void follow() {
    String said = null;
    try {
      while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        try {
          if (!look()) {
            return;
          }
          said = null;
        } catch (IOException e) {
          // Who cannot look keeps the view that it has: those who go on without it do not count it.
          if (!e.toString().equals(said)) {
            said = e.toString();
            LOG.warn("The view cannot be read: file={} reason={}", file, said);
          }
        }
      }
    } catch (InterruptedException e) {
      // close() wants this thread to end.
      return;
    } catch (RuntimeException e) {
      listener.onPlaceLost("The membership has failed: " + e.getMessage());
    }
  }

  /** Tells the node what is new; false if it has no place any more. */
  private boolean look() throws IOException {
    FolderPlaces places = read();
    if (!isMine(places)) {
      listener.onPlaceLost("The grid has begun anew without this node; stop all its nodes");
      return false;
    }
    Roster next = places.roster(addresses, self);
    if (!next.equals(known)) {
      known = next;
      listener.onRoster(next);
    }
    if (!marked && listener.isServing()) {
      // If the place is lost by now, the next look says so.
      marked =
          locks.exclusively(
              () -> {
                FolderPlaces now = read();
                if (!isMine(now)) {
                  return false;
                }
                write(now.with(self, now.places().get(self).serving()));
                return true;
              });
    }
    return true;
  }

  private boolean isMine(FolderPlaces places) {
    return places.grid() == known.grid()
        && self < places.size()
        && places.places().get(self).id().equals(id);
  }

  @Override
  public void close() {
    closed.countDown();
    follower.interrupt();
    try {
      if (follower.isAlive() && Thread.currentThread() != follower) {
        follower.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    free(place.getAndSet(null));
  }

  private static void free(KernelLock lock) {
    if (lock == null) {
      return;
    }
    try {
      lock.close();
    } catch (IOException e) {
      LOG.warn("The place's lock is free only when this process ends", e);
    }
  }
}
