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

import org.orcagrid.ddp.kite.KiteNode;
import org.orcagrid.ddp.kite.KiteRule;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.KiteView;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.transfer.Budget;

/**
 * Kite's keys in the views of a node. What they hold is in memory only. It goes on while enough
 * processes are left that hold it; else it begins anew with nothing, in a view that says so ({@link
 * GridView#memorySince}).
 */
final class KeyViews {
  private static final System.Logger LOG = System.getLogger(KeyViews.class.getName());

  private final KiteSettings settings;
  private final ReplicaStore.Limits limits;
  private final Budget budget;
  private final Keys keys;

  /** Null while the node has not been in a view. */
  private KiteNode kite;

  KeyViews(KiteSettings settings, ReplicaStore.Limits limits, Budget budget, Keys keys) {
    this.settings = settings;
    this.budget = budget;
    this.limits = limits;
    this.keys = keys;
  }

  /** There is a view, of which this node is a member; by one thread at a time. */
  void onView(GridView view) {
    KiteView next = KiteView.of(view);
    boolean goesOn = kite != null && next.joined().get(settings.self()) == kite.joined();
    if (kite != null) {
      kite.offer(next);
    }
    if (goesOn) {
      return;
    }
    if (kite != null) {
      LOG.log(
          System.Logger.Level.WARNING,
          "What was in memory is lost with the processes that held it: it begins anew in view {0}",
          Integer.toString(next.number()));
    }
    kite = new KiteNode(settings, new ReplicaStore(limits), next, KiteRule.all(), budget);
    keys.turnTo(kite);
  }
}
