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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.orcagrid.ddp.replica.log.LogCodec;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.log.SharedLog;
import org.orcagrid.ddp.replica.log.SharedLogReader;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.simulator.SimulatedLog;
import org.orcagrid.simulator.Simulation;

/**
 * A node's journal, which a power cut leaves it: one log for all maps that the node has. They lose
 * power together.
 */
final class SimulatedJournal {
  private final Simulation simulation;
  private final DdpSchedule schedule;
  private final Set<ReplicaRule> rules;

  /** The maps of the node; the first one has the number 1. */
  private final List<DdpNode> maps = new ArrayList<>();

  private final SimulatedLog<ByteBuffer> log = new SimulatedLog<>();

  /** How many records were trimmed: the position of the first one less one. */
  private int trimmed;

  /** Of the present life, or the last one. */
  private SharedLog account;

  private int life;

  /** A medium makes things durable in their order. */
  private long durableDueNanos;

  SimulatedJournal(Simulation simulation, DdpSchedule schedule, Set<ReplicaRule> rules) {
    this.simulation = simulation;
    this.schedule = schedule;
    this.rules = rules;
  }

  /** Another map of the node; its number. */
  int add(DdpNode map) {
    maps.add(map);
    return maps.size();
  }

  int life() {
    return life;
  }

  int forced() {
    return log.forced();
  }

  /** A life of the node begins with what the log has. */
  void start() {
    life++;
    for (int map = 1; map <= maps.size(); map++) {
      int of = map;
      maps.get(map - 1).takeLanded(record -> takeLanded(of, record));
    }
    account = new SharedLog(schedule.journal(), rules);
    SharedLogReader reader = new SharedLogReader(account);
    long position = trimmed;
    for (ByteBuffer record : log.entries()) {
      reader.add(++position, record);
    }
    durableDueNanos = 0;
    for (int map = 1; map <= maps.size(); map++) {
      maps.get(map - 1).begin(reader.take(map), account.part(map));
    }
  }

  private void takeLanded(int map, ByteBuffer record) {
    ByteBuffer copy = DdpNode.buffer(LogCodec.MAP_BYTES + record.remaining());
    log.append(copy.putInt(map).put(record.duplicate()).flip());
    log.force(log.entries().size());
  }

  /** The node loses power: what was not forced may be gone, from some point on. */
  void crash() {
    log.crash(simulation);
    maps.forEach(DdpNode::onPowerLost);
  }

  /** All that was on the medium is gone. */
  void lose() {
    log.truncate(0);
  }

  /** Appends a record of a map; its position. */
  long append(int map, SharedLog.Part part, LogRecord record, boolean eager) {
    ByteBuffer bytes = DdpNode.buffer(LogCodec.MAP_BYTES + LogCodec.bytes(record));
    LogCodec.encode(map, record, bytes);
    log.append(bytes.flip());
    int position = trimmed + log.entries().size();
    part.appended(position, record, bytes.limit());
    long delay = simulation.between(1, eager ? schedule.forceNanosMax() : schedule.lazyNanosMax());
    if (eager) {
      durableDueNanos = Math.max(durableDueNanos, simulation.nowNanos() + delay);
      delay = durableDueNanos - simulation.nowNanos();
    }
    int ofLife = life;
    simulation.after(delay, () -> durable(ofLife, position));
    return position;
  }

  private void durable(int ofLife, int position) {
    if (maps.get(0).isUp() && life == ofLife && position > trimmed + log.forced()) {
      log.force(position - trimmed);
      maps.forEach(map -> map.onDurable(ofLife, position));
    }
  }

  /** Asks for room, and trims what nobody needs. */
  void look() {
    account.ask(
        false,
        map -> {
          DdpNode asked = maps.get(map - 1);
          if (asked.isUp()) {
            asked.replica().makeRoom();
          }
          return asked.isUp();
        });
    long needed = account.trimTo(trimmed + log.forced());
    if (needed > trimmed + 1) {
      // In parts of its own choice, as a medium does.
      int count = (int) simulation.between(0, needed - 1 - trimmed);
      log.trim(count);
      trimmed += count;
    }
    if (rules.size() == ReplicaRule.values().length) {
      account.checkInvariants();
    }
  }

  /** Shows what any loss of power leaves of a map. */
  void forEachForced(int map, Consumer<LogRecord> what) {
    for (ByteBuffer each : log.entries().subList(0, log.forced())) {
      ByteBuffer record = each.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      if (record.getInt() == map) {
        what.accept(LogCodec.decode(record));
      }
    }
  }
}
