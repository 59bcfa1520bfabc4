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
package org.orcagrid.bench.faults;

import java.util.List;
import org.orcagrid.cli.EnsembleMember;
import org.orcagrid.simulator.checker.ExposedStates;

/**
 * Section 5.3 of the paper: in each stage items are written and read at the servers that do not
 * lag, then at the one that does.
 */
public final class Table3Script implements FaultScript {
  private static final int KEYS = 3;

  private final FaultClients clients;
  private ExposedStates states = new ExposedStates();
  private long began = System.nanoTime();

  /** Clients of these servers; makes the items. */
  public Table3Script(List<EnsembleMember> members) throws InterruptedException {
    this.clients = new FaultClients(members);
    clients.prepare(KEYS);
  }

  /** What follows belongs to a new sequence. */
  public void begin() {
    states = new ExposedStates();
    clients.judgeBy(states);
    began = System.nanoTime();
  }

  /** Returns what has come of the sequence. */
  public SequenceOutcome outcome(long number, FaultSequence sequence) {
    return new SequenceOutcome(
        number,
        sequence.toString(),
        states.violations(),
        states.reads(),
        states.stale(),
        clients.takeRejected(),
        (System.nanoTime() - began) / 1_000_000);
  }

  @Override
  public void before(List<Integer> prompt) throws InterruptedException {
    writeAndRead(prompt);
  }

  @Override
  public void during(List<Integer> prompt, int lagging) throws InterruptedException {
    writeAndRead(prompt);
    clients.readOfLagging(lagging);
  }

  private void writeAndRead(List<Integer> prompt) throws InterruptedException {
    clients.write(prompt.get(0));
    allUp(prompt);
  }

  @Override
  public void crashed(int server) {
    clients.onCrashed(server);
  }

  @Override
  public void allUp(List<Integer> servers) throws InterruptedException {
    for (int id : servers) {
      clients.read(id);
    }
  }

  @Override
  public void close() {
    clients.close();
  }
}
