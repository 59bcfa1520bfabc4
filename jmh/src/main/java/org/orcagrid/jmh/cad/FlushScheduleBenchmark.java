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

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.orcagrid.cad.FlushSchedule;

/** When a server forces its log: what each append asks, and a whole flush that was demanded. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class FlushScheduleBenchmark {
  private static final long INTERVAL_NANOS = 5_000_000;

  /** The schedule of a log. */
  @State(Scope.Thread)
  public static class Log {
    private final FlushSchedule schedule = new FlushSchedule(INTERVAL_NANOS, 0, 0);
    private long index;
    private long nowNanos;
  }

  /** An entry is appended, and it is asked whether a flush is due; every 5000th starts one. */
  @Benchmark
  public long append(Log log) {
    log.schedule.onAppended(++log.index);
    log.nowNanos += INTERVAL_NANOS / 5000;
    if (log.schedule.isDue(log.nowNanos)) {
      log.schedule.onFlushStarted(log.nowNanos);
      log.schedule.onFlushed(log.index, 0);
    }
    return log.schedule.persisted();
  }

  /** An entry is appended, demanded and flushed. */
  @Benchmark
  public long demandAndFlush(Log log) {
    log.schedule.onAppended(++log.index);
    log.schedule.onDemand(log.index);
    if (!log.schedule.isDue(++log.nowNanos)) {
      throw new IllegalStateException("A flush that was demanded is not due");
    }
    log.schedule.onFlushStarted(log.nowNanos);
    log.schedule.onFlushed(log.index, 0);
    return log.schedule.persisted();
  }
}
