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
package org.orcagrid.bench.system;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How many reads an ensemble has served and how many of them had to wait for durability, summed
 * over its servers.
 *
 * @param reads reads served
 * @param triggering those that found state that was not durable yet and had it made durable
 */
public record DurabilityCounters(long reads, long triggering) {
  private static final String READS = "zk_orca_reads_total";
  private static final String TRIGGERING = "zk_orca_reads_triggering_flush";

  /**
   * Reads the counters from every server; empty if one does not have them, as stock does not.
   *
   * @throws IOException if a server cannot be asked
   */
  public static Optional<DurabilityCounters> of(List<ServerAddress> servers) throws IOException {
    long reads = 0;
    long triggering = 0;
    for (ServerAddress server : servers) {
      Map<String, String> values = FourLetterWords.monitor(server);
      if (!values.containsKey(READS) || !values.containsKey(TRIGGERING)) {
        return Optional.empty();
      }
      reads += count(values.get(READS));
      triggering += count(values.get(TRIGGERING));
    }
    return Optional.of(new DurabilityCounters(reads, triggering));
  }

  /** Returns the percentage of reads since {@code earlier} that triggered; empty if none was. */
  public OptionalDouble percentSince(DurabilityCounters earlier) {
    long served = reads - earlier.reads;
    return served <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(100.0 * (triggering - earlier.triggering) / served);
  }

  /** Gauges and summaries print decimals where counters print integers. */
  private static long count(String value) {
    return (long) Double.parseDouble(value);
  }
}
