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
package org.orcagrid.ddp.replica.state;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.orcagrid.ddp.replica.Alone.KEY;
import static org.orcagrid.ddp.replica.Alone.REMOVAL;
import static org.orcagrid.ddp.replica.Alone.VALUE;
import static org.orcagrid.ddp.replica.Alone.assertBroken;

import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.Alone;

/** The invariants of the state hold at first, and each is red in a state that breaks it. */
class StateInvariantsTest {
  private final ReplicaState state = Alone.parts("linearizable/eventual").state();
  private final Switch shown = new Switch();
  private final Watch watch = new Watch(state, shown, new Alone.Nothing());

  /** Shows every version or none. */
  private static final class Switch implements Visibility {
    private boolean on;

    @Override
    public boolean isShown(Entry entry) {
      return on;
    }

    @Override
    public void underWay(Consumer<Write> each) {}
  }

  @BeforeEach
  void watchEntries() {
    state.entries().watch(watch);
  }

  @Test
  void ofClocks() {
    state.checkInvariants();
    state.entry(KEY).set(VALUE);
    assertBroken(state::checkInvariants, "the clock of what is here was seen");
    state.learn(VALUE.clock());
    state.checkInvariants();
    state.forgot(REMOVAL.clock());
    assertBroken(state::checkInvariants, "what was forgotten had been seen");
  }

  @Test
  void ofAWatch() {
    watch.begin();
    watch.beginIfServing();
    state.entry(KEY).set(VALUE);
    watch.look(true);
    watch.checkInvariants();
    // As if it had become visible without a step.
    shown.on = true;
    assertBroken(watch::checkInvariants, "what a read shows was told");
    assertNull(watch.end().get(KEY));
  }
}
