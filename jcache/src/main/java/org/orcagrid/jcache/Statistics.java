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
package org.orcagrid.jcache;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import javax.cache.management.CacheStatisticsMXBean;

/**
 * What this manager's operations on a cache were; other managers count their own. Counts only while
 * it is enabled. Safe for use by many threads.
 */
final class Statistics implements CacheStatisticsMXBean {
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder puts = new LongAdder();
  private final LongAdder removals = new LongAdder();
  private final LongAdder getNanos = new LongAdder();
  private final LongAdder putNanos = new LongAdder();
  private final LongAdder removeNanos = new LongAdder();
  private volatile boolean enabled;

  void enabled(boolean now) {
    enabled = now;
  }

  /** When an operation begins. */
  long begin() {
    return enabled ? System.nanoTime() : 0;
  }

  /** Reads that began then, so many of which found something. */
  void got(long begun, long found, long missed) {
    if (enabled) {
      hits.add(found);
      misses.add(missed);
      add(getNanos, begun);
    }
  }

  /** A read that began then. */
  void got(long begun, boolean found) {
    got(begun, found ? 1 : 0, found ? 0 : 1);
  }

  /** Writes that began then. */
  void put(long begun, long count) {
    if (enabled && count > 0) {
      puts.add(count);
      add(putNanos, begun);
    }
  }

  /** Removals that began then. */
  void removed(long begun, long count) {
    if (enabled && count > 0) {
      removals.add(count);
      add(removeNanos, begun);
    }
  }

  private static void add(LongAdder nanos, long begun) {
    // It was enabled in between if there is no beginning.
    if (begun != 0) {
      nanos.add(System.nanoTime() - begun);
    }
  }

  // --- as a bean ---------------------------------------------------------------------------------

  @Override
  public void clear() {
    hits.reset();
    misses.reset();
    puts.reset();
    removals.reset();
    getNanos.reset();
    putNanos.reset();
    removeNanos.reset();
  }

  @Override
  public long getCacheHits() {
    return hits.sum();
  }

  @Override
  public float getCacheHitPercentage() {
    return percentage(getCacheHits(), getCacheGets());
  }

  @Override
  public long getCacheMisses() {
    return misses.sum();
  }

  @Override
  public float getCacheMissPercentage() {
    return percentage(getCacheMisses(), getCacheGets());
  }

  @Override
  public long getCacheGets() {
    return getCacheHits() + getCacheMisses();
  }

  @Override
  public long getCachePuts() {
    return puts.sum();
  }

  @Override
  public long getCacheRemovals() {
    return removals.sum();
  }

  /** None: nothing is evicted. */
  @Override
  public long getCacheEvictions() {
    return 0;
  }

  @Override
  public float getAverageGetTime() {
    return averageMicros(getNanos, getCacheGets());
  }

  @Override
  public float getAveragePutTime() {
    return averageMicros(putNanos, getCachePuts());
  }

  @Override
  public float getAverageRemoveTime() {
    return averageMicros(removeNanos, getCacheRemovals());
  }

  private static float percentage(long part, long all) {
    return all == 0 ? 0 : 100f * part / all;
  }

  private static float averageMicros(LongAdder nanos, long count) {
    return count == 0 ? 0 : (float) nanos.sum() / TimeUnit.MICROSECONDS.toNanos(count);
  }
}
