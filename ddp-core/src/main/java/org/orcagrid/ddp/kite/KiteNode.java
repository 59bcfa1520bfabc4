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
package org.orcagrid.ddp.kite;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.orcagrid.ddp.paxos.CommittedCommands;
import org.orcagrid.ddp.store.ReplicaStore;

/**
 * What the workers of a machine share: the store, the machine's epoch, the delinquency bits, and
 * which commands are done. Safe for use by many threads.
 */
public final class KiteNode {
  private final KiteSettings settings;
  private final Set<Rule> rules;
  private final ReplicaStore store;
  private final Delinquency delinquency;
  private final CommittedCommands committed;
  private final AtomicInteger epoch = new AtomicInteger();

  /** A node that keeps all rules. */
  public KiteNode(KiteSettings settings, ReplicaStore store) {
    this(settings, store, Rule.all());
  }

  /** A node that breaks the rules that are not in {@code rules}: for tests of the checkers. */
  public KiteNode(KiteSettings settings, ReplicaStore store, Set<Rule> rules) {
    this.settings = settings;
    this.store = store;
    this.rules = rules;
    this.delinquency =
        new Delinquency(
            settings.nodes(), settings.workers(), rules.contains(Rule.RESET_BY_ACQUIRE_ID));
    this.committed = new CommittedCommands(settings.globalSessions());
  }

  /** The settings. */
  public KiteSettings settings() {
    return settings;
  }

  /** All keys. */
  public ReplicaStore store() {
    return store;
  }

  /** The machine's epoch-id (section 4.2). */
  public int epoch() {
    return epoch.get();
  }

  /** Renders all keys out-of-epoch. */
  void raiseEpoch() {
    epoch.incrementAndGet();
  }

  Delinquency delinquency() {
    return delinquency;
  }

  CommittedCommands committed() {
    return committed;
  }

  boolean keeps(Rule rule) {
    return rules.contains(rule);
  }
}
