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
import org.orcagrid.cad.ReplicationWindow;

/** The bound of what a leader commits before a quorum holds it: a write enters and leaves. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReplicationWindowBenchmark {
  private static final int COUNT_MAX = 1000;
  private static final int UNDER_WAY = 100;
  private static final long ENTRY_BYTES = 200;

  /** A window with writes in it. */
  @State(Scope.Thread)
  public static class Window {
    private final ReplicationWindow window =
        new ReplicationWindow(COUNT_MAX, COUNT_MAX * ENTRY_BYTES, 1_000_000_000L);
    private long index;
  }

  /** A write is admitted while 100 are in the window, and the oldest is replicated. */
  @Benchmark
  public int admitAndReplicate(Window window) {
    long index = ++window.index;
    if (!window.window.admit(index, ENTRY_BYTES, index)) {
      throw new IllegalStateException("The window is full");
    }
    window.window.onReplicated(index - UNDER_WAY);
    return window.window.count();
  }
}
