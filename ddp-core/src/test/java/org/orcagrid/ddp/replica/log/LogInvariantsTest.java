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
package org.orcagrid.ddp.replica.log;

import static org.orcagrid.ddp.replica.Alone.KEY;
import static org.orcagrid.ddp.replica.Alone.VALUE;
import static org.orcagrid.ddp.replica.Alone.assertBroken;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.Alone;
import org.orcagrid.ddp.replica.consistency.Parts;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.ddp.replica.state.Write;

/** The invariants of the log hold at first, and each is red in a state that breaks it. */
class LogInvariantsTest {
  private static final class NothingOpen implements OpenRecords {}

  @Test
  void ofAJournal() {
    Journal journal = new Journal(new Alone.Nothing());
    journal.persist(new LogRecord.Version(VALUE), () -> {});
    journal.checkInvariants();
    journal.trim(1, 0);
    assertBroken(journal::checkInvariants, "what is behind a trimmed part is durable");
    journal.onDurable(1);
    journal.checkInvariants();
  }

  @Test
  void ofACheckpoint() {
    begins(ReplicaRule.all()).checkInvariants();
    Checkpoint tooEarly = begins(ReplicaRule.allBut(ReplicaRule.TRIM_WHEN_DURABLE));
    assertBroken(tooEarly::checkInvariants, "nothing is given up before the end");
  }

  /** A checkpoint whose begin is durable, and whose end is not. */
  private static Checkpoint begins(Set<ReplicaRule> rules) {
    Parts parts = Alone.parts("eventual/eventual", rules);
    Checkpoint checkpoint = new Checkpoint(parts.state(), parts.journal(), new NothingOpen());
    checkpoint.ask();
    checkpoint.tick(true);
    parts.journal().onDurable(1);
    return checkpoint;
  }

  @Test
  void ofARecoveredLog() {
    Parts parts = Alone.parts("linearizable/eventual");
    RecoveredLog log = new RecoveredLog(parts.state(), parts.journal(), new Alone.Nothing());
    log.take(new HashMap<>(Map.of(KEY, Write.conditional(KEY, 1 << 16, new byte[1]))), null);
    assertBroken(log::checkInvariants, "what may not count is decided upon");
    log.onView(new ReplicaView(2, List.of(1), 1));
    log.checkInvariants();
  }
}
