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
package org.orcagrid.ddp.replica.removal;

import static org.orcagrid.ddp.replica.Alone.REMOVAL;
import static org.orcagrid.ddp.replica.Alone.VALUE;
import static org.orcagrid.ddp.replica.Alone.assertBroken;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.Alone;
import org.orcagrid.ddp.replica.consistency.Parts;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;

/** The invariants of removals hold at first, and are red in a state that breaks them. */
class TombstonesInvariantsTest {
  /** Nothing keeps this node from forgetting. */
  private static final class Free implements RemovalGuard {
    @Override
    public void underWay(Consumer<Write> each) {}

    @Override
    public boolean isSettled(Entry entry) {
      return true;
    }

    @Override
    public boolean areZonesClean() {
      return true;
    }

    @Override
    public boolean isCheckpointUnderWay() {
      return false;
    }
  }

  @Test
  void onlyRemovalsAreAgreedToBeForgotten() {
    Parts parts = Alone.parts("eventual/eventual");
    Tombstones tombstones =
        new Tombstones(parts.state(), parts.links(), parts.journal(), new Free());
    // What was logged is not durable yet, so that the answer waits.
    parts.journal().persistLater(new LogRecord.Version(VALUE));
    tombstones.onMessage(0, new ReplicaMessage.ForgetAsk(1L << Integer.SIZE, List.of(REMOVAL)));
    tombstones.checkInvariants();
    tombstones.onMessage(0, new ReplicaMessage.ForgetAsk(1L << Integer.SIZE, List.of(VALUE)));
    assertBroken(tombstones::checkInvariants, "only removals are agreed");
  }
}
