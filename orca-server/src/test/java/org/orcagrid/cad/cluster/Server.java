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

import java.util.HashMap;
import java.util.Map;
import org.orcagrid.cad.ElectionPromise;
import org.orcagrid.simulator.SimulatedClock;

/** One server: its disk, its clock, and the role that it has at the moment. */
final class Server {
  /** What a server does while it is part of a quorum. */
  interface Role {
    void read(String key);

    void write(String key);

    /** More of the log is on disk. */
    void onForced();

    /** The next entry of the log is to be applied now. */
    void onApplied();

    /** The index up to which everything is known to be durable and applied by all. */
    long settled();

    /** The role ends; a server that crashes cannot tell anyone. */
    void end(boolean crashed);
  }

  final Cluster cluster;
  final int id;
  final SimulatedClock clock;
  final Store store = new Store();
  ElectionPromise promise = new ElectionPromise();

  /** Whose leader has the promise; a server that has restarted does not know. */
  private long promisedEpoch = NOBODY;

  /** Null while the server is down or looks for a leader. */
  Role role;

  boolean up = true;

  /** Who is to lead by a reconfiguration that has committed, without an election; or nobody. */
  int successor = NOBODY;

  static final int NOBODY = -1;

  /** Grows with each crash: what was scheduled before it does not happen. */
  private int life;

  /** A slow disk takes many times as long. */
  boolean slowDisk;

  /** A lagging server applies what it has much later. */
  boolean lags;

  /** How long this server bears with a peer that is silent. */
  final long silenceMaxNanos;

  private boolean forcing;

  Server(Cluster cluster, int id, SimulatedClock clock) {
    this.cluster = cluster;
    this.id = id;
    this.clock = clock;
    this.silenceMaxNanos =
        cluster.sim.between(300, cluster.settings.reconfigures() ? 1_500 : 4_000)
            * ClusterSettings.MILLI;
    clock.after(cluster.sim.between(0, 10 * ClusterSettings.MILLI), guarded(this::flushForEver));
  }

  /** {@code action}, if the server has not crashed until then. */
  Runnable guarded(Runnable action) {
    int scheduledIn = life;
    return () -> {
      if (up && life == scheduledIn) {
        action.run();
      }
    };
  }

  private void flushForEver() {
    force();
    clock.after(10 * ClusterSettings.MILLI, guarded(this::flushForEver));
  }

  /** Forces what is in the log now; takes its time. */
  void force() {
    int covered = store.log.entries().size();
    if (forcing || covered == store.log.forced()) {
      return;
    }
    forcing = true;
    Entry last = store.log.entries().get(covered - 1);
    long took = cluster.sim.between(100_000, 3 * ClusterSettings.MILLI) * (slowDisk ? 200 : 1);
    cluster.sim.after(
        took,
        guarded(
            () -> {
              forcing = false;
              // The log may have been cut off and have grown again meanwhile.
              if (covered <= store.log.entries().size()
                  && store.log.entries().get(covered - 1).equals(last)) {
                store.log.force(covered);
                if (role != null) {
                  role.onForced();
                }
              }
            }));
  }

  /** Applies what the role lets it, one entry at a time. */
  void applyLater() {
    Role now = role;
    cluster.sim.after(
        cluster.sim.between(10_000, ClusterSettings.MILLI) * (lags ? 1_000 : 1),
        guarded(
            () -> {
              if (role == now && now != null) {
                now.onApplied();
              }
            }));
  }

  /** Writes a snapshot, while entries are applied; publishes it when nothing in it can be lost. */
  void snapshot() {
    if (role == null) {
      return;
    }
    long name = store.appliedIndex();
    Role during = role;
    cluster.sim.after(
        cluster.sim.between(0, 20 * ClusterSettings.MILLI),
        guarded(
            () -> {
              if (role == during) {
                publishWhenDurable(during, new HashMap<>(store.tree), name, store.appliedIndex());
              }
            }));
  }

  private void publishWhenDurable(Role during, Map<String, Long> content, long name, long upTo) {
    if (role != during) {
      return;
    }
    if (cluster.settings.broken(Mutation.PUBLISH_SNAPSHOT_EARLY) || during.settled() >= upTo) {
      store.publish(content, name);
      return;
    }
    cluster.sim.after(
        5 * ClusterSettings.MILLI, guarded(() -> publishWhenDurable(during, content, name, upTo)));
  }

  /** Leaves its role and looks for a leader. */
  void look() {
    leave(false);
  }

  private void leave(boolean crashed) {
    if (role != null) {
      Role ended = role;
      role = null;
      ended.end(crashed);
    }
  }

  void crash() {
    leave(true);
    life++;
    up = false;
    forcing = false;
    successor = NOBODY;
    store.crash(cluster.sim);
    cluster.configurations.of(id).onCrash();
  }

  void restart() {
    up = true;
    promise = new ElectionPromise();
    promisedEpoch = NOBODY;
    if (store.promised && !cluster.settings.broken(Mutation.FORGET_PROMISE_AT_RESTART)) {
      promise.onAnswer(clock.nanos(), cluster.settings.times().promiseNanos());
    }
    clock.after(10 * ClusterSettings.MILLI, guarded(this::flushForEver));
  }

  /**
   * Whether the server looks for a leader, and may acknowledge that of {@code epoch} now. Who comes
   * back to the leader that has its promise need not wait.
   */
  boolean mayAcknowledge(long epoch) {
    return up
        && role == null
        && successor == NOBODY
        && (cluster.settings.broken(Mutation.ELECT_WITHOUT_DELAY)
            || epoch == promisedEpoch
            || promise.remainingNanos(clock.nanos()) == 0);
  }

  /** Leaves its role for a leader that was named; if that does not come, it looks for another. */
  void followSuccessor(int id) {
    look();
    successor = id;
    clock.after(
        silenceMaxNanos,
        guarded(
            () -> {
              if (role == null) {
                successor = NOBODY;
              }
            }));
  }

  /** Whether the server may take part in the epoch of the successor that was named. */
  boolean keepsPromiseTo(int leader) {
    return up
        && role == null
        && successor == leader
        && (cluster.settings.broken(Mutation.HAND_OVER_WITHOUT_WAIT)
            || promise.remainingNanos(clock.nanos()) == 0);
  }

  /** Promises the leader of {@code epoch} to acknowledge no other one for a while. */
  void promise(long epoch) {
    store.promised = true;
    promisedEpoch = epoch;
    promise.onAnswer(clock.nanos(), cluster.settings.times().promiseNanos());
  }
}
