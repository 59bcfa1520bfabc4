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
package org.orcagrid.simulator.ddp;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Promise;
import org.orcagrid.ddp.replica.state.ReplicaRule;

/** Without one of its rules the protocol is found out. */
class DdpMutantsTest {
  private static final int SEEDS_MAX = 6000;

  @ParameterizedTest
  @CsvSource({
    "ACK_WHEN_DURABLE, linearizable/synchronous",
    "TAKEN_AT_ITS_TURN, linearizable/none",
    "ARRIVAL_IN_ORDER, linearizable/none",
    "ARRIVAL_IN_ORDER, release/none",
    "TAKEN_AT_ITS_TURN, release/eventual",
    "VALID_WHEN_AT_ALL, linearizable/eventual",
    "VALID_WHEN_AT_ALL, transactional/read-enforced",
    "READ_WAITS_FOR_VALID, linearizable/strict",
    "READ_WAITS_FOR_DURABLE, read-enforced/read-enforced",
    "HISTORY_FIRST, causal/read-enforced",
    "ARRIVAL_FIRST, causal/synchronous",
    "OWN_WRITES, causal/synchronous",
    "FINISH_FOR_THE_GONE, read-enforced/eventual",
    "FINISH_FOR_THE_GONE, transactional/strict",
    "FINISH_FOR_THE_GONE, causal/scope",
    "LATER_VIEW_WAITS, linearizable/synchronous",
    "CONFLICTS, transactional/synchronous",
    "READ_WAITS_FOR_DECIDED, transactional/scope",
    "ONE_RECORD, transactional/read-enforced",
    "ONE_RECORD, eventual/scope",
    "STRICT_AT_ALL, eventual/strict",
    "CATCH_UP, linearizable/read-enforced",
    "FOLLOW_FIRST, causal/read-enforced",
    "TELL_WHAT_WAS_KEPT, causal/synchronous",
    "RECOVER_TOGETHER, linearizable/synchronous",
    "NEW_WRITER, transactional/strict",
    "LATER_WINS, linearizable/synchronous",
    "LATER_WINS, read-enforced/read-enforced",
    "WRITES_LEAVE_ROOM, linearizable/eventual",
    "VALID_WHEN_LATEST, linearizable/synchronous",
    "OWN_TO_END, linearizable/synchronous",
    "READ_WAITS_FOR_VALID, release/eventual",
    "READ_WAITS_FOR_DURABLE, release/read-enforced",
    "VALID_WHEN_AT_ALL, release/scope",
    "ACK_WHEN_DURABLE, release/strict",
    "RELEASE_LAST, release/synchronous",
    "CHECKPOINT_WAITS, causal/synchronous",
    "CHECKPOINT_HAS_OPEN, transactional/synchronous",
    "CHECKPOINT_HAS_SCOPES, eventual/scope",
    "TRIM_WHEN_DURABLE, linearizable/synchronous",
    "FORGET_WHEN_AT_ALL, causal/eventual",
    "FORGET_WITH_ALL, eventual/synchronous",
    "FORGET_WHEN_AT_ALL, linearizable/synchronous",
    "FORGOTTEN_IS_EARLIER, linearizable/eventual",
    "LOCAL_READ_LOOKS_AGAIN, linearizable/none",
    "LOCAL_READ_LOOKS_AGAIN, read-enforced/read-enforced",
    "LOCAL_READ_LOOKS_AGAIN, causal/read-enforced",
    "LOCAL_READ_WHILE_SERVING, linearizable/none",
    "LOCAL_READ_WHILE_SERVING, linearizable/synchronous"
  })
  void aBrokenRuleIsSeen(ReplicaRule broken, String model) {
    Set<ReplicaRule> rules = ReplicaRule.allBut(broken);
    Ddp of = Ddp.parse(model);
    for (long seed = 1; seed <= SEEDS_MAX; seed++) {
      if (isFoundOut(seed, of, rules)) {
        return;
      }
    }
    fail("Nobody misses " + broken + " in " + model);
  }

  private static boolean isFoundOut(long seed, Ddp model, Set<ReplicaRule> rules) {
    DdpVerdict verdict = DdpRun.of(seed, model, rules);
    return verdict.isAgainst(model);
  }

  @Test
  void aScopeThatOneNodeHasPersistedDiesWithItsDisk() {
    Ddp model = Ddp.parse("eventual/scope");
    Set<ReplicaRule> rules = ReplicaRule.allBut(ReplicaRule.SCOPE_AT_ALL);
    for (long seed = 1; seed <= SEEDS_MAX; seed++) {
      if (DdpRun.withLostDisk(seed, model, rules)
          .missed()
          .containsKey(Promise.COMPLETED_SURVIVES)) {
        return;
      }
    }
    fail("Nobody misses it");
  }
}
