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
package org.orcagrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The engine of Kite allocates nothing per operation or message. */
@Timeout(60)
class AllocationTest {
  private static final int KEYS = 1_000;
  private static final int WARM_UP = 10_000;
  private static final int MEASURED = 4_000;

  /**
   * A class that is loaded, or a slow release on a busy machine, is in some of so many windows.
   * What each operation allocates is in all of them.
   */
  private static final int WINDOWS = 5;

  /** A fraction of a byte: what threads allocate now and then. */
  private static final double BYTES_MAX = 1;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Workers of other tests' grids, which do as they like. */
  private long[] others;

  private EmbeddedGrid grid;
  private GridSession session;
  private View<Long, Long> view;

  @BeforeEach
  void start() {
    others = running();
    grid = Grid.embedded(new EmbeddedGrid.Settings(3, 4, 64, 64 << 20));
    session = grid.openSession(0);
    view = session.view(Codec.LONG, Codec.LONG);
  }

  @AfterEach
  void close() {
    session.close();
    grid.close();
  }

  private long[] workers() {
    return Arrays.stream(running())
        .filter(each -> Arrays.stream(others).noneMatch(other -> other == each))
        .toArray();
  }

  private static long[] running() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().startsWith("orca-grid-"))
        .mapToLong(Thread::getId)
        .toArray();
  }

  private void assertNothingAllocated(String what, LongConsumer operation) {
    for (long i = 0; i < WARM_UP; i++) {
      operation.accept(i % KEYS);
    }
    long[] ids = workers();
    assertTrue(ids.length >= 3, "the workers of three nodes");
    double least = Double.MAX_VALUE;
    for (int window = 0; window < WINDOWS; window++) {
      long before = allocated(ids);
      for (long i = 0; i < MEASURED; i++) {
        operation.accept(i % KEYS);
      }
      least = Math.min(least, (allocated(ids) - before) / (double) MEASURED);
    }
    assertTrue(least < BYTES_MAX, what + " allocates " + least + " bytes at all nodes");
  }

  private long allocated(long[] ids) {
    return Arrays.stream(threads.getThreadAllocatedBytes(ids)).sum();
  }

  @Test
  void aRelaxedWriteAndReadAllocateNothing() {
    assertNothingAllocated("a relaxed write", key -> view.set(key, key));
    assertNothingAllocated("a relaxed read", key -> assertEquals(key, view.get(key)));
  }

  @Test
  void aReleaseAndAnAcquireAllocateNothing() {
    assertNothingAllocated("a release", key -> view.setRelease(key, key));
    assertNothingAllocated("an acquire", key -> assertEquals(key, view.getAcquire(key)));
  }

  @Test
  void aReadModifyWriteAllocatesNothing() {
    assertNothingAllocated("a read-modify-write", key -> view.getAndAdd(key, 1));
  }
}
