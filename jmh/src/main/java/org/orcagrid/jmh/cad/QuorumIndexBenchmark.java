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
package org.orcagrid.jmh.cad;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.orcagrid.cad.QuorumIndex;
import org.orcagrid.cad.QuorumRule;

/**
 * A server's report of what it has persisted, and the highest index that a majority has. The
 * baseline sorts the reports and takes the middle one.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class QuorumIndexBenchmark {
  private static final int SERVERS = 5;
  private static final QuorumRule MAJORITY = (ids, count) -> 2 * count > SERVERS;

  /** The reports of five servers. */
  @State(Scope.Thread)
  public static class Reports {
    private final QuorumIndex quorum = new QuorumIndex(0);
    private final long[] reported = new long[SERVERS];
    private final long[] sorted = new long[SERVERS];
    private long index;
  }

  /** One of the reports that all five make of an index. */
  @Benchmark
  @OperationsPerInvocation(SERVERS)
  public long report(Reports reports) {
    long index = ++reports.index;
    for (int server = 0; server < SERVERS; server++) {
      reports.quorum.onReport(server, index, MAJORITY);
    }
    if (reports.quorum.value() != index) {
      throw new IllegalStateException("Index " + index + " has no quorum");
    }
    return reports.quorum.value();
  }

  /** The baseline. */
  @Benchmark
  @OperationsPerInvocation(SERVERS)
  public long sort(Reports reports) {
    long index = ++reports.index;
    long value = 0;
    for (int server = 0; server < SERVERS; server++) {
      reports.reported[server] = index;
      System.arraycopy(reports.reported, 0, reports.sorted, 0, SERVERS);
      Arrays.sort(reports.sorted);
      value += reports.sorted[SERVERS / 2];
    }
    return value;
  }
}
