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

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.orcagrid.cad.UndurableChanges;

/**
 * The notes of what has changed and may still be lost. A write notes its path, a read looks for its
 * own. The baselines are a put and a remove, and a get, of a map of the JVM's own.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class UndurableChangesBenchmark {
  private static final int BATCH = 100;
  private static final int PATHS = 1000;

  /** Paths, of which every second one has changed. */
  @State(Scope.Thread)
  public static class Notes {
    private final String[] paths = new String[PATHS];
    private final UndurableChanges changes = new UndurableChanges();
    private final UndurableChanges written = new UndurableChanges();
    private final ConcurrentHashMap<String, Long> map = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Long> writtenMap = new ConcurrentHashMap<>();
    private long index;
    private int next;

    /** Notes the changes. */
    @Setup
    public void note() {
      for (int i = 0; i < PATHS; i++) {
        paths[i] = "/benchmark/node-" + i;
        if (i % 2 == 0) {
          changes.onNodeChanged(paths[i], i + 1);
          map.put(paths[i], i + 1L);
        }
      }
    }

    private String next() {
      next = next + 1 == PATHS ? 0 : next + 1;
      return paths[next];
    }
  }

  /** One of 100 writes that are noted, and forgotten when they are durable. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int noteAndForget(Notes notes) {
    for (int i = 0; i < BATCH; i++) {
      notes.written.onNodeChanged(notes.next(), ++notes.index);
    }
    notes.written.onDurable(notes.index);
    return notes.written.size();
  }

  /** The baseline of a write. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int putAndRemove(Notes notes) {
    int first = notes.next;
    for (int i = 0; i < BATCH; i++) {
      notes.writtenMap.put(notes.next(), ++notes.index);
    }
    notes.next = first;
    for (int i = 0; i < BATCH; i++) {
      notes.writtenMap.remove(notes.next());
    }
    return notes.writtenMap.size();
  }

  /** A read looks for its path. */
  @Benchmark
  public long indexOfNode(Notes notes) {
    return notes.changes.indexOfNode(notes.next());
  }

  /** The baseline of a read. */
  @Benchmark
  public Long get(Notes notes) {
    return notes.map.get(notes.next());
  }
}
