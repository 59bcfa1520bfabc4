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
package org.orcagrid.ddp.replica;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.Operations;
import org.orcagrid.ddp.replica.consistency.Parts;
import org.orcagrid.ddp.replica.consistency.Scopes;
import org.orcagrid.ddp.replica.consistency.ZonePersists;
import org.orcagrid.ddp.replica.log.Journal;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.Links;
import org.orcagrid.ddp.replica.wire.Packet;

/** The parts of the only node of a grid, which serves: to break one of them on purpose. */
public final class Alone {
  /** A key. */
  public static final Key KEY = Key.of("key");

  /** A version of it. */
  public static final Write VALUE = new Write(KEY, 1 << 16, new byte[1]);

  /** A later one that removes it. */
  public static final Write REMOVAL = new Write(KEY, 2 << 16, null);

  private Alone() {}

  /** A medium on which nothing becomes durable, and nobody to send to. */
  public static final class Nothing implements Effects {
    private long position;

    @Override
    public void send(int peer, Packet packet) {}

    @Override
    public long persist(LogRecord record, boolean eager) {
      return ++position;
    }

    @Override
    public void trim(long upTo, long live) {}

    @Override
    public void completed(Operation operation) {}

    @Override
    public void caughtUp(int view) {}
  }

  /** The settings of a node. */
  public static ReplicaSettings settings(String model, int nodes, ReplicaSettings.Limits limits) {
    return new ReplicaSettings(
        nodes,
        0,
        Ddp.parse(model),
        ReplicaSettings.Conflicts.ABORT,
        new ReplicaSettings.Times(1, 1),
        100,
        limits);
  }

  /** The parts of a node that serves. */
  public static Parts parts(String model) {
    return parts(model, ReplicaRule.all());
  }

  /** The same with some rules. */
  public static Parts parts(String model, Set<ReplicaRule> rules) {
    Effects effects = new Nothing();
    ReplicaState state =
        new ReplicaState(settings(model, 1, ReplicaSettings.Limits.DEFAULT), rules);
    Links links = new Links(state, effects);
    Journal journal = new Journal(effects);
    Operations operations = new Operations(effects);
    state.onView(new ReplicaView(1, List.of(1), 1));
    state.viewSettled(true);
    return new Parts(
        state,
        links,
        journal,
        operations,
        new Scopes(state, links, journal, operations),
        new ZonePersists(state, links, journal, effects));
  }

  /** A check is red, and says what is broken. */
  public static void assertBroken(Runnable check, String what) {
    IllegalStateException broken = assertThrows(IllegalStateException.class, check::run);
    assertTrue(broken.getMessage().contains(what), broken::getMessage);
  }
}
