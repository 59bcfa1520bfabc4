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
package org.orcagrid.simulator.timing;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.orcagrid.ddp.replica.Effects;
import org.orcagrid.ddp.replica.Replica;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.ddp.replica.wire.Packet;
import org.orcagrid.ddp.replica.wire.PacketCodec;
import org.orcagrid.simulator.Simulation;

/** A server: the replica that ships, whose effects take the time that NIC and NVM need for them. */
final class TimedNode {
  /** The replica's own clockwork; nothing is lost here, so that nothing has to be sent again. */
  static final ReplicaSettings.Times TIMES = new ReplicaSettings.Times(1_000_000_000, 10_000);

  private static final long TICK_NANOS = 5_000;

  private final TimingRun run;
  private final Simulation simulation;
  private final int number;
  private final TimedNvm nvm;
  private final TimedNic nic;
  private final Replica replica;

  /** What has ended since the replica was last called. */
  private final List<Operation> ended = new ArrayList<>();

  private long position;

  TimedNode(TimingRun run, int number, ReplicaSettings settings, Set<ReplicaRule> rules) {
    this.run = run;
    this.simulation = run.simulation();
    this.number = number;
    this.nvm = new TimedNvm(run.settings().machine().nvm(), run::place);
    this.nic = new TimedNic(run.settings().machine().bytesPerNano());
    this.replica = new Replica(settings, rules, new Timed());
  }

  void start(ReplicaView view) {
    call(() -> replica.onView(view));
    tick();
  }

  private void tick() {
    call(() -> replica.tick(simulation.nowNanos()));
    simulation.after(TICK_NANOS, this::tick);
  }

  /** A client's session here. */
  ReplicaSession openSession() {
    return replica.openSession(null);
  }

  void submit(ReplicaSession session, Operation operation) {
    call(() -> replica.submit(session, operation));
  }

  TimedNvm nvm() {
    return nvm;
  }

  Replica replica() {
    return replica;
  }

  private void call(Runnable action) {
    action.run();
    replica.flush(simulation.nowNanos());
    while (!ended.isEmpty()) {
      List<Operation> now = List.copyOf(ended);
      ended.clear();
      now.forEach(Operation::tell);
    }
  }

  private void arrive(int from, Packet packet, int bytes) {
    long inNanos = nic.receive(bytes, simulation.nowNanos());
    simulation.after(
        inNanos + run.settings().machine().deliverNanos() - simulation.nowNanos(),
        () -> call(() -> replica.onPacket(from, packet)));
  }

  private final class Timed implements Effects {
    @Override
    public void send(int peer, Packet packet) {
      int bytes = PacketCodec.bytes(packet);
      run.sent(bytes);
      long leftNanos = nic.send(bytes, simulation.nowNanos());
      simulation.after(
          leftNanos + run.settings().machine().roundTripNanos() / 2 - simulation.nowNanos(),
          () -> run.node(peer).arrive(number, packet, bytes));
    }

    @Override
    public long persist(LogRecord record, boolean eager) {
      long now = simulation.nowNanos();
      long appended = ++position;
      if (eager) {
        simulation.after(
            nvm.persist(record, now) - now, () -> call(() -> replica.onDurable(appended)));
      } else {
        nvm.write(record, now);
      }
      return appended;
    }

    @Override
    public void trim(long upTo, long live) {
      // No run is so long that its log is full.
    }

    @Override
    public void completed(Operation operation) {
      ended.add(operation);
    }

    @Override
    public void caughtUp(int view) {
      throw new IllegalStateException("All have caught up from the beginning");
    }
  }
}
