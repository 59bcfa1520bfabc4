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

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.orcagrid.ddp.replica.Alone.KEY;
import static org.orcagrid.ddp.replica.Alone.assertBroken;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.ReplicaView;

/** A replica's check looks at its parts: without a rule that keeps an invariant it is red. */
class ReplicaInvariantsTest {
  private static Replica replica(int nodes, Set<ReplicaRule> rules) {
    ReplicaSettings settings =
        Alone.settings("eventual/eventual", nodes, new ReplicaSettings.Limits(1 << 10, 1 << 10, 1));
    return new Replica(settings, rules, new Alone.Nothing());
  }

  /** A replica in a view whose other member has not said hello. */
  private static Replica waitsForHello(Set<ReplicaRule> rules) {
    Replica replica = replica(2, rules);
    replica.onView(new ReplicaView(1, List.of(1, 1), 3));
    return replica;
  }

  @Test
  void aViewIsSettledWhenAllMembersHaveSaidHello() {
    Replica waits = waitsForHello(ReplicaRule.all());
    assertFalse(waits.isServing());
    waits.checkInvariants();
    Replica hurries = waitsForHello(ReplicaRule.allBut(ReplicaRule.HELLO_FIRST));
    assertTrue(hurries.isServing());
    assertBroken(hurries::checkInvariants, "all members have said hello");
  }

  /** A replica whose checkpoint has begun and not ended. */
  private static Replica checkpoints(Set<ReplicaRule> rules) {
    Replica replica = replica(1, rules);
    replica.onView(new ReplicaView(1, List.of(1), 1));
    replica.submit(replica.openSession(null), Operation.write(KEY, new byte[1]));
    replica.makeRoom();
    replica.tick(1);
    replica.onDurable(2);
    return replica;
  }

  @Test
  void nothingIsTrimmedBeforeACheckpointHasEnded() {
    checkpoints(ReplicaRule.all()).checkInvariants();
    Replica hurries = checkpoints(ReplicaRule.allBut(ReplicaRule.TRIM_WHEN_DURABLE));
    assertBroken(hurries::checkInvariants, "nothing is given up before the end");
  }
}
