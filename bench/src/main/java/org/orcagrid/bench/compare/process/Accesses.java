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
package org.orcagrid.bench.compare.process;

import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The operations of a client's thread on a system's data, by the system's own interface. Used by
 * one thread at a time.
 */
public final class Accesses {
  private final Function<Long, ? extends CompletionStage<?>> reads;
  private final BiFunction<Long, byte[], ? extends CompletionStage<?>> writes;
  private final Function<Long, ?> gets;
  private final BiConsumer<Long, byte[]> sets;

  /**
   * The forms of a system.
   *
   * @param reads asynchronous, with the value as result
   * @param writes asynchronous
   * @param gets waits; null for no value
   * @param sets waits
   */
  public Accesses(
      Function<Long, ? extends CompletionStage<?>> reads,
      BiFunction<Long, byte[], ? extends CompletionStage<?>> writes,
      Function<Long, ?> gets,
      BiConsumer<Long, byte[]> sets) {
    this.reads = reads;
    this.writes = writes;
    this.gets = gets;
    this.sets = sets;
  }

  /** Begins to read; the result is the value. */
  CompletionStage<?> read(long key) {
    return reads.apply(key);
  }

  /** Begins to write. */
  CompletionStage<?> write(long key, byte[] value) {
    return writes.apply(key, value);
  }

  /** Reads and waits: the value, null if there is none. */
  Object get(long key) {
    return gets.apply(key);
  }

  /** Writes and waits. */
  void set(long key, byte[] value) {
    sets.accept(key, value);
  }
}
