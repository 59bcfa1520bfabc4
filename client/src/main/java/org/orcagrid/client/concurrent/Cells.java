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
package org.orcagrid.client.concurrent;

import java.util.function.Predicate;

/**
 * The variables of a structure: keys of a session, or entries of a map. An acquire and a
 * compare-and-set of a variable are linearizable. An acquire that finds a compare-and-set also
 * shows what its thread had written before.
 *
 * <p>All throw what their grid's operations throw.
 *
 * @param <V> what they hold
 */
interface Cells<V> {
  /** Reads what was there before anything that the thread has acquired; null for nothing. */
  V get(Part part);

  /** Reads, linearizable; null for nothing. */
  V getAcquire(Part part);

  /** Writes a variable that nobody looks at before a later compare-and-set shows the way to it. */
  void prepare(Part part, V value);

  /** Writes if this is there, null for nothing; whether it has. */
  boolean compareAndSet(Part part, V expected, V value);

  /** The same for who tries again with what it finds: it may fail without asking others. */
  boolean weakCompareAndSet(Part part, V expected, V value);

  /** The same as a hint: correctness never depends on it, and its outcome is not reported. */
  void hint(Part part, V expected, V value);

  /** Takes a variable away that nobody needs any more. It may fail, and then the variable stays. */
  void remove(Part part);

  /**
   * Whether what this thread has just written is never lost, or has become so by being read.
   *
   * @param written whether a value is what was written, or came after it
   */
  boolean isKept(Part part, Predicate<V> written);

  /** Whether a completed write survives that all nodes lose power. */
  boolean keepsAll();

  /** How many nodes that were taken out a thread may keep to use them again. */
  int keptMax();
}
