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
package org.orcagrid.bench.failover;

import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.orcagrid.bench.failover.FailoverPlan.Ensemble;

/**
 * What was seen.
 *
 * @param series beside each kind of ensemble
 */
public record FailoverResult(Map<Ensemble, Series> series) {
  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * One kill after the other.
   *
   * @param rounds those that have ended
   * @param brokenOff why there are no more, empty if all have ended
   */
  public record Series(List<Round> rounds, String brokenOff) {
    /** Keeps a copy. */
    public Series {
      rounds = List.copyOf(rounds);
    }

    /** All that surviving nodes have seen, in both parts of each round. */
    public List<Seen> all() {
      return rounds.stream()
          .flatMap(round -> Stream.concat(round.killed().stream(), round.back().stream()))
          .toList();
    }

    /** A count over all surviving nodes and rounds. */
    public long sum(ToLongFunction<Seen> what) {
      return all().stream().mapToLong(what).sum();
    }
  }

  /**
   * One kill.
   *
   * @param victim the node that was killed, from 0
   * @param killed what each surviving node has seen from the kill on
   * @param back what each has seen while the killed one came back
   * @param servesNanos from the start of the killed node's process to when it serves
   * @param load the machine's load average at the kill; negative if it is not known
   */
  public record Round(
      int victim, List<Seen> killed, List<Seen> back, long servesNanos, double load) {
    /** Keeps copies. */
    public Round {
      killed = List.copyOf(killed);
      back = List.copyOf(back);
    }

    /** Milliseconds from the start of the killed node's process to when it serves. */
    public double servesMillis() {
      return servesNanos / NANOS_PER_MILLI;
    }
  }
}
