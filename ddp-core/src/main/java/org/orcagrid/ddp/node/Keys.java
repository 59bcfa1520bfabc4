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
package org.orcagrid.ddp.node;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.orcagrid.ddp.kite.ProtocolNode;
import org.orcagrid.ddp.transfer.Progress;
import org.orcagrid.ddp.worker.Engine;
import org.orcagrid.ddp.worker.NodePart;
import org.orcagrid.ddp.worker.Packets;
import org.orcagrid.ddp.worker.Worker;

/** The keys of a node: Kite's, or those of a protocol that it is compared with. */
final class Keys implements NodePart {
  private final Listener listener;
  private final List<KeysEngine> engines = new CopyOnWriteArrayList<>();

  /** Null while there are none. */
  private volatile ProtocolNode protocol;

  /**
   * Keys of a node.
   *
   * @param first those that are there from the beginning, null for none
   * @param listener is called by workers
   */
  Keys(ProtocolNode first, Listener listener) {
    this.protocol = first;
    this.listener = listener;
  }

  /** What the keys say of themselves; by a worker, which does not wait. */
  interface Listener {
    /** For nodes without views. */
    Listener NONE =
        new Listener() {
          @Override
          public void onServing() {}

          @Override
          public void onPurgeWanted(int inView) {}

          @Override
          public void onRefreshed(int since) {}
        };

    /** The keys have come to serve at this node. */
    void onServing();

    /** A purge view is to follow this view. */
    void onPurgeWanted(int inView);

    /** The node has caught up with what was acknowledged before a place began to leave. */
    void onRefreshed(int since);
  }

  /** The view in which a place began to leave, since which this node is refreshed; 0 for none. */
  int refreshed() {
    ProtocolNode now = protocol;
    return now == null ? 0 : now.refreshed();
  }

  @Override
  public Engine engine(Worker worker, Packets packets) {
    KeysEngine engine = new KeysEngine(worker, packets, protocol, listener);
    engines.add(engine);
    return engine;
  }

  /** Goes on with other keys; by one thread at a time. */
  void turnTo(ProtocolNode next) {
    protocol = next;
    engines.forEach(engine -> engine.turnTo(next));
  }

  /** Whether this node has what the keys hold, and serves its sessions. */
  boolean isServing() {
    ProtocolNode now = protocol;
    return now != null
        && now.isServing()
        && engines.stream().allMatch(engine -> engine.hasTurnedTo(now));
  }

  long slowReleases() {
    return engines.stream().mapToLong(KeysEngine::slowReleases).sum();
  }

  int epoch() {
    ProtocolNode now = protocol;
    return now == null ? 0 : now.slowPaths();
  }

  KeysFigures figures() {
    ProtocolNode now = protocol;
    if (now == null) {
      return KeysFigures.NONE;
    }
    int most = now.sizes().workers() * now.sizes().sessions();
    int free = engines.stream().mapToInt(KeysEngine::freeSessions).sum();
    return new KeysFigures(
        now.store().keys(),
        now.store().memory().bytes(),
        // Between two contents the engines may still have, or not have yet, sessions of another.
        Math.max(0, most - free),
        most,
        slowReleases(),
        epoch());
  }

  Progress progress() {
    ProtocolNode now = protocol;
    return now == null ? Progress.NONE : now.progress();
  }

  long droppedMessages() {
    return engines.stream().mapToLong(KeysEngine::droppedMessages).sum();
  }

  /**
   * Opens a session at the worker with the most free ones.
   *
   * @throws IllegalStateException if all are in use, there is no view yet, or the node has failed
   */
  LocalSession openSession(int depth) {
    Throwable reason = engines.get(0).failure();
    if (reason != null) {
      throw new IllegalStateException("The node has failed: " + reason, reason);
    }
    ProtocolNode now = protocol;
    if (now == null) {
      throw new IllegalStateException(
          "This node is in no view yet; wait until it serves, and open the session then");
    }
    LocalSession session = null;
    for (int tries = 0; tries < engines.size() && session == null; tries++) {
      session = freest().openSession(depth);
    }
    if (session == null) {
      throw new IllegalStateException(
          "All "
              + now.sizes().workers() * now.sizes().sessions()
              + " sessions of this node are in use; close some, or start it with more");
    }
    return session;
  }

  private KeysEngine freest() {
    KeysEngine freest = engines.get(0);
    for (KeysEngine each : engines) {
      freest = each.freeSessions() > freest.freeSessions() ? each : freest;
    }
    return freest;
  }
}
