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
package org.orcagrid.bench.load;

import java.util.List;
import java.util.OptionalDouble;
import org.orcagrid.bench.stats.LatencyHistograms;

/**
 * What one run has measured.
 *
 * @param latencies service times in closed and pipelined mode, times since due in rate mode
 * @param seconds the length of the measured interval
 * @param clients how many clients there were
 * @param errors operations that failed, warm-up included
 * @param firstError what the first of them failed with; empty if none did
 * @param missing reads that found no record, as a lagging follower may
 * @param triggeringPercent percentage of reads that had to wait for durability; empty if the
 *     servers do not count them
 * @param serverCpuSeconds processor time of each server in the measured interval; empty if the
 *     operating system does not tell
 */
public record LoadResult(
    LatencyHistograms latencies,
    double seconds,
    int clients,
    long errors,
    String firstError,
    long missing,
    OptionalDouble triggeringPercent,
    List<Double> serverCpuSeconds) {

  /** Keeps a copy of the list. */
  public LoadResult {
    serverCpuSeconds = List.copyOf(serverCpuSeconds);
  }

  /** Returns answered requests per second. */
  public double throughput() {
    return latencies.requests() / seconds;
  }

  /** Returns the processor time that all servers spent on one request, in microseconds. */
  public OptionalDouble serverCpuMicrosPerRequest() {
    return microsPerRequest(serverCpuSeconds.stream().mapToDouble(Double::doubleValue).sum());
  }

  /**
   * Returns the processor time of the server that spent most, by all requests, in microseconds. Its
   * inverse is the highest rate if each server had one processor to itself.
   */
  public OptionalDouble busiestCpuMicrosPerRequest() {
    return microsPerRequest(
        serverCpuSeconds.stream().mapToDouble(Double::doubleValue).max().orElse(0));
  }

  private OptionalDouble microsPerRequest(double seconds) {
    long requests = latencies.requests();
    return serverCpuSeconds.isEmpty() || requests == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(seconds * 1e6 / requests);
  }

  /** Returns the mean time between two requests of one client, in nanoseconds; 0 if none was. */
  public long clientIntervalNanos() {
    long requests = latencies.requests();
    return requests == 0 ? 0 : Math.round(seconds * 1e9 * clients / requests);
  }
}
