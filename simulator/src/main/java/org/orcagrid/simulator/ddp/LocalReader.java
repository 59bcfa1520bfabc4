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

import java.util.function.Consumer;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.LocalReads;

/**
 * A thread that reads beside its node's worker: other things happen between its steps, and its node
 * may be left out of the grid meanwhile.
 */
final class LocalReader {
  private final DdpRun run;
  private final DdpNode node;
  private final int life;
  private final Operation read;
  private final Consumer<Boolean> told;
  private final LocalReads reads;
  private final LocalReads.Look look = new LocalReads.Look();
  private final boolean acquires;

  /**
   * One that has not begun.
   *
   * @param told whether it was answered so
   */
  LocalReader(DdpRun run, DdpNode node, Operation read, Consumer<Boolean> told) {
    this.run = run;
    this.node = node;
    this.life = node.life();
    this.read = read;
    this.told = told;
    this.reads = node.replica().localReads();
    this.acquires = read.kind() == Operation.Kind.ACQUIRE;
  }

  void begin() {
    run.trace("beside node " + node.number() + ": " + read);
    if (reads.begin(look, acquires)) {
      after(this::find);
    } else {
      told.accept(false);
    }
  }

  private void after(Runnable step) {
    run.simulation().after(run.lookNanos(), step);
  }

  private void find() {
    reads.find(look, read.key());
    after(this::show);
  }

  private void show() {
    if (reads.mayBeShown(look, acquires)) {
      after(this::end);
    } else {
      told.accept(false);
    }
  }

  /** The life of the node stands for its lease. */
  private void end() {
    boolean serves = node.isUp() && node.life() == life;
    boolean counts = serves && reads.counts(look);
    if (counts) {
      read.answered(look.version());
      run.trace("beside node " + node.number() + ": " + read + " " + look.version());
      node.onReadBeside(read);
    }
    told.accept(counts);
  }
}
