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

import java.io.IOException;
import org.orcagrid.ddp.kite.KiteNode;
import org.orcagrid.ddp.kite.KiteRule;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.KiteView;
import org.orcagrid.ddp.kite.ProtocolNode;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.worker.Workers;

/** Nodes of Kite's keys alone, in the first view for ever, for tests. */
public final class KiteNodes {
  private KiteNodes() {}

  /** Starts a node. */
  public static ProtocolHost start(
      KiteSettings settings, ReplicaStore.Limits limits, Workers.Environment environment)
      throws IOException {
    return ProtocolHost.start(protocol(settings, limits), environment);
  }

  /** Hosts keys on workers that are still to be started. */
  public static ProtocolHost on(
      Workers workers, KiteSettings settings, ReplicaStore.Limits limits) {
    return ProtocolHost.on(workers, protocol(settings, limits));
  }

  private static ProtocolNode protocol(KiteSettings settings, ReplicaStore.Limits limits) {
    KiteView first = KiteView.first(settings.nodes());
    return new KiteNode(settings, new ReplicaStore(limits), first, KiteRule.all());
  }
}
