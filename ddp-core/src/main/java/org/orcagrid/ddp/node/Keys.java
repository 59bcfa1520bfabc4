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
import org.orcagrid.ddp.kite.KiteNode;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.Rule;
import org.orcagrid.ddp.kite.View;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.worker.Engine;
import org.orcagrid.ddp.worker.NodePart;
import org.orcagrid.ddp.worker.Packets;
import org.orcagrid.ddp.worker.Worker;

/**
 * Kite's keys at a node that is told of views. What they hold is in memory only. It goes on while
 * enough processes are left that hold it; else it begins anew with nothing, in a view that says so
 * ({@link GridView#memorySince}).
 */
final class Keys implements NodePart {
  private static final System.Logger LOG = System.getLogger(Keys.class.getName());

  private final KiteSettings settings;
  private final ReplicaStore.Limits limits;
  private final Runnable onServing;
  private final List<KeysEngine> engines = new CopyOnWriteArrayList<>();

  /** Null while the node has not been in a view. */
  private volatile KiteNode kite;

  private volatile ProtocolNode protocol;

  /** {@code onServing} is called by a worker when the keys have come to serve at this node. */
  Keys(KiteSettings settings, ReplicaStore.Limits limits, Runnable onServing) {
    this.settings = settings;
    this.limits = limits;
    this.onServing = onServing;
  }

  @Override
  public Engine engine(Worker worker, Packets packets) {
    KeysEngine engine = new KeysEngine(worker, packets, onServing);
    engines.add(engine);
    return engine;
  }

  /** There is a view, of which this node is a member; by one thread at a time. */
  void onView(GridView view) {
    View next = View.of(view);
    KiteNode now = kite;
    if (now != null && next.joined().get(settings.self()) == now.joined()) {
      now.offer(next);
      return;
    }
    if (now != null) {
      LOG.log(
          System.Logger.Level.WARNING,
          "What was in memory is lost with the processes that held it: it begins anew in view {0}",
          Integer.toString(next.number()));
      now.offer(next);
    }
    KiteNode begins = new KiteNode(settings, new ReplicaStore(limits), next, Rule.all());
    ProtocolNode turn = new KiteProtocol(begins);
    protocol = turn;
    kite = begins;
    engines.forEach(engine -> engine.turnTo(turn));
  }

  /** Whether this node has what the keys hold, and serves its sessions. */
  boolean isServing() {
    KiteNode now = kite;
    ProtocolNode turn = protocol;
    return now != null
        && now.isServing()
        && engines.stream().allMatch(engine -> engine.hasTurnedTo(turn));
  }

  long slowReleases() {
    ProtocolNode turn = protocol;
    return turn == null ? 0 : turn.slowReleases();
  }

  int epoch() {
    ProtocolNode turn = protocol;
    return turn == null ? 0 : turn.epoch();
  }

  long droppedMessages() {
    return engines.stream().mapToLong(KeysEngine::droppedMessages).sum();
  }

  int valueBytesMax() {
    return limits.valueBytesMax();
  }

  /**
   * Opens a session at the worker with the most free ones.
   *
   * @throws IllegalStateException if all are in use, or there is no view yet
   */
  LocalSession openSession(int depth) {
    if (kite == null) {
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
              + settings.workers() * settings.sessions()
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
