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
package org.orcagrid.processes;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** What happens to three or more servers of a {@link TestEnsemble} while clients use them. */
final class EnsembleFaults {
  /** The kinds of faults. */
  enum Fault {
    /** A follower's process is killed and started again. */
    KILL_FOLLOWER,
    /** The leader's is. */
    KILL_LEADER,
    /** All are, at the same time. */
    KILL_ALL,
    /** A follower stands still for less than its leader bears, and goes on. */
    PAUSE_FOLLOWER,
    /** The leader stands still until it is replaced, and goes on. */
    PAUSE_LEADER,
    /** A follower leaves the configuration, is stopped, and joins again. */
    REMOVE_FOLLOWER,
    /** The leader does. */
    REMOVE_LEADER,
    /** The leader becomes an observer and a participant again. */
    DEMOTE_LEADER
  }

  private static final int PAUSE_MIN_MS = 100;
  private static final int PAUSE_MAX_MS = 800;

  private final TestEnsemble ensemble;
  private final Random random;

  EnsembleFaults(TestEnsemble ensemble, Random random) {
    this.ensemble = ensemble;
    this.random = random;
  }

  /** Brings the fault about; returns when all servers serve again. */
  void inflict(Fault fault) throws Exception {
    int leader = ensemble.awaitServing();
    int[] followers = Arrays.stream(ensemble.all()).filter(id -> id != leader).toArray();
    int follower = followers[random.nextInt(followers.length)];
    switch (fault) {
      case KILL_FOLLOWER -> killAndRestart(follower);
      case KILL_LEADER -> {
        ensemble.kill(leader);
        ensemble.awaitServing(followers);
        ensemble.start(leader);
      }
      case KILL_ALL -> killAndRestart(ensemble.all());
      case PAUSE_FOLLOWER -> pause(follower);
      case PAUSE_LEADER -> {
        ensemble.pause(leader);
        ensemble.awaitServing(followers);
        ensemble.resume(leader);
        ReconfigUnderLoadTest.awaitRole(ensemble, leader, "follower");
      }
      case REMOVE_FOLLOWER -> removeAndAdd(follower);
      case REMOVE_LEADER -> removeAndAdd(leader);
      case DEMOTE_LEADER -> {
        changeRole(leader, "observer", "observer");
        changeRole(leader, "participant", "follower");
      }
    }
    ensemble.awaitServing();
  }

  private void killAndRestart(int... victims) throws Exception {
    ensemble.killTogether(victims);
    for (int victim : victims) {
      ensemble.start(victim);
    }
  }

  /** How long it stands still is the fault; nothing is waited for. */
  private void pause(int id) throws Exception {
    ensemble.pause(id);
    try {
      Thread.sleep(PAUSE_MIN_MS + random.nextInt(PAUSE_MAX_MS - PAUSE_MIN_MS));
    } finally {
      ensemble.resume(id);
    }
  }

  private void changeRole(int id, String to, String thenIs) throws Exception {
    ReconfigUnderLoadTest.reconfigure(ensemble, ensemble.serverLine(id, to), null);
    ReconfigUnderLoadTest.awaitRole(ensemble, id, thenIs);
    ensemble.awaitServing();
  }

  private void removeAndAdd(int id) throws Exception {
    ReconfigUnderLoadTest.reconfigure(ensemble, null, Integer.toString(id));
    int[] others = Arrays.stream(ensemble.all()).filter(other -> other != id).toArray();
    ensemble.awaitServing(others);
    ensemble.stop(id);
    // Who joins knows the others and takes itself for an observer until it is told.
    Map<Integer, String> roles = new TreeMap<>();
    for (int other : others) {
      roles.put(other, "participant");
    }
    roles.put(id, "observer");
    ensemble.configure(id, roles);
    ensemble.start(id);
    ensemble.awaitServing(others);
    ReconfigUnderLoadTest.reconfigure(ensemble, ensemble.serverLine(id, "participant"), null);
    ReconfigUnderLoadTest.awaitRole(ensemble, id, "follower");
  }
}
