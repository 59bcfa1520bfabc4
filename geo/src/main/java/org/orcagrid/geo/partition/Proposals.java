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
package org.orcagrid.geo.partition;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.orcagrid.geo.GeoRule;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.clock.HybridClock;
import org.orcagrid.geo.replica.Command;
import org.orcagrid.geo.replica.CommandCodec;
import org.orcagrid.geo.replica.Found;
import org.orcagrid.geo.replica.LocalWrite;
import org.orcagrid.geo.replica.Outcome;
import org.orcagrid.geo.replica.Replica;

/** A leader's writes that are not committed yet (Algorithm 2, lines 5 to 13). */
final class Proposals {
  /** A write that does not expire by then is of a client whose clock is wrong. */
  private static final long EXPIRES_MILLIS_MAX = 180_000;

  private final PartitionLog log;
  private final HybridClock clock;
  private final Replica replica;
  private final Set<GeoRule> rules;

  /** By their indexes; their times grow with these. */
  private final TreeMap<Long, Pending> pending = new TreeMap<>();

  /** In which they were proposed. */
  private long term;

  private record Pending(WriteRequest request, long time) {}

  Proposals(PartitionLog log, HybridClock clock, Replica replica, Set<GeoRule> rules) {
    this.log = log;
    this.clock = clock;
    this.replica = replica;
    this.rules = rules;
  }

  int size() {
    return pending.size();
  }

  boolean isEmpty() {
    return pending.isEmpty();
  }

  /** The last one's index. */
  long lastIndex() {
    return pending.lastKey();
  }

  /** The time of the first that is not committed, 0 if there is none. */
  long firstTime() {
    return pending.isEmpty() ? 0 : pending.firstEntry().getValue().time();
  }

  /** Proposes a write, or refuses it. */
  void propose(WriteRequest request, long wallMillis, PositionVector everywhere) {
    long dependency = request.dependency();
    if (clock.isAhead(dependency, wallMillis) && rules.contains(GeoRule.AHEAD_IS_REFUSED)) {
      request.answer(new WriteAnswer.ClockAhead(HybridClock.millis(dependency) - wallMillis));
      return;
    }
    long tooLate = HybridClock.of(wallMillis + EXPIRES_MILLIS_MAX);
    if (request.write().expires() > Math.max(clock.last(), tooLate)) {
      request.answer(
          new WriteAnswer.ClockAhead(HybridClock.millis(request.write().expires()) - wallMillis));
      return;
    }
    Outcome refusal = conditionFailure(request.write());
    if (refusal != null) {
      request.answer(new WriteAnswer.Done(refusal, everywhere));
      return;
    }
    if (rules.contains(GeoRule.DEPENDENCY_MOVES_CLOCK)) {
      clock.observe(dependency);
    }
    long time = clock.next(wallMillis);
    if (time > request.write().expires() && rules.contains(GeoRule.EXPIRED_IS_REFUSED)) {
      // It tells the time, so that the client does better next time.
      Version present = new Version(time, replica.datacenter(), Positions.NONE);
      Outcome expired = new Outcome(Outcome.Result.EXPIRED, present);
      request.answer(new WriteAnswer.Done(expired, everywhere));
      return;
    }
    long index = log.propose(CommandCodec.encode(new Command.Local(request.write().at(time))));
    if (index == PartitionLog.REFUSED) {
      request.answer(new WriteAnswer.Overloaded());
      return;
    }
    term = log.term();
    if (!rules.contains(GeoRule.ANSWERED_WHEN_COMMITTED)) {
      Version version = new Version(time, replica.datacenter(), replica.position(index));
      request.answer(new WriteAnswer.Done(new Outcome(Outcome.Result.DONE, version), everywhere));
      return;
    }
    pending.put(index, new Pending(request, time));
  }

  /** What a careless leader does: it looks before others' writes are in the log. */
  private Outcome conditionFailure(LocalWrite write) {
    if (write.condition() == null || rules.contains(GeoRule.CONDITION_IN_LOG_ORDER)) {
      return null;
    }
    Found present = replica.get(write.key());
    boolean holds =
        write.condition().time() == 0
            ? present.value() == null
            : write.condition().time() == present.version().time();
    return holds ? null : new Outcome(Outcome.Result.CONDITION_FAILED, present.version());
  }

  /** An entry is applied; what came of it, null if it is no client's write. */
  void applied(long index, long entryTerm, Outcome outcome, PositionVector everywhere) {
    Pending own = pending.remove(index);
    if (own == null) {
      return;
    }
    if (entryTerm == term && outcome != null) {
      own.request().answer(new WriteAnswer.Done(outcome, everywhere));
    } else {
      own.request().answer(new WriteAnswer.NotLeading(log.leader()));
    }
  }

  /** This node may not lead any more: nobody here hears what comes of the writes. */
  void look() {
    if (!pending.isEmpty() && (!log.leads() || log.term() != term)) {
      WriteAnswer answer = new WriteAnswer.NotLeading(log.leader());
      for (Map.Entry<Long, Pending> each : pending.entrySet()) {
        each.getValue().request().answer(answer);
      }
      pending.clear();
    }
  }
}
