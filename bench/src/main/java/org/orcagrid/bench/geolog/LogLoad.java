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
package org.orcagrid.bench.geolog;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.orcagrid.client.Codec;
import org.orcagrid.geo.client.GeoSession;
import org.orcagrid.geo.client.GeoView;
import org.orcagrid.geo.client.RemoteGeo;
import org.orcagrid.geo.session.WriteGuarantee;

/**
 * Writes through {@link RemoteGeo}, from a program's threads, each with so many under way.
 *
 * @param threads of the program
 * @param window writes of each that are under way
 * @param valueBytes of each write
 * @param warmUpSeconds before anything is counted
 * @param seconds that are counted
 */
public record LogLoad(
    int threads, int window, int valueBytes, double warmUpSeconds, double seconds) {
  private static final int KEYS = 10_000;

  /** Refuses what cannot be measured. */
  public LogLoad {
    if (threads < 1 || window < 1 || valueBytes < 0 || warmUpSeconds < 0 || seconds <= 0) {
      throw new IllegalArgumentException("Load is positive");
    }
  }

  /**
   * What a round has shown.
   *
   * @param writesPerSecond acknowledged
   * @param processorSeconds of the three nodes, for each second
   * @param failed writes
   */
  public record Round(double writesPerSecond, double processorSeconds, long failed) {
    /** The figure. */
    public double writesPerProcessorSecond() {
      return writesPerSecond / processorSeconds;
    }
  }

  private static final class Counts {
    private final LongAdder done = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private volatile boolean over;
  }

  /** Measures a store once. */
  public Round run(LogStore store) throws IOException, InterruptedException {
    Counts counts = new Counts();
    List<Thread> running = new ArrayList<>();
    try (RemoteGeo geo = RemoteGeo.connect(store.settings())) {
      for (int i = 0; i < threads; i++) {
        int number = i;
        Thread thread = new Thread(() -> write(geo, number, counts), "geo-perf-" + i);
        thread.start();
        running.add(thread);
      }
      try {
        TimeUnit.MILLISECONDS.sleep((long) (warmUpSeconds * 1_000));
        long begin = System.nanoTime();
        long done = counts.done.sum();
        long failed = counts.failed.sum();
        Duration used = store.processorTime();
        TimeUnit.MILLISECONDS.sleep((long) (seconds * 1_000));
        double took = (System.nanoTime() - begin) / 1e9;
        long count = counts.done.sum() - done;
        double processor = store.processorTime().minus(used).toNanos() / 1e9;
        return new Round(count / took, processor / took, counts.failed.sum() - failed);
      } finally {
        counts.over = true;
        for (Thread each : running) {
          each.join();
        }
      }
    }
  }

  private void write(RemoteGeo geo, int number, Counts counts) {
    SplittableRandom random = new SplittableRandom(number);
    Semaphore room = new Semaphore(window);
    byte[] value = new byte[valueBytes];
    try (GeoSession session = geo.openSession()) {
      GeoView<String, byte[]> view = session.view("perf", Codec.STRING, Codec.BYTES);
      while (!counts.over) {
        room.acquireUninterruptibly();
        Object unused =
            view.putAsync("key-" + random.nextInt(KEYS), value, WriteGuarantee.EVENTUAL)
                .whenComplete(
                    (version, failure) -> {
                      (failure == null ? counts.done : counts.failed).increment();
                      room.release();
                    });
      }
      room.acquireUninterruptibly(window);
    }
  }
}
