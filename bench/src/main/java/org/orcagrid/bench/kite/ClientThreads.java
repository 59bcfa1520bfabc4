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
package org.orcagrid.bench.kite;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** A turn of clients, each in a thread of its own. */
final class ClientThreads {
  private static final double RAMP_SHARE = 0.2;
  private static final long STOP_MILLIS_MAX = TimeUnit.SECONDS.toMillis(60);

  private ClientThreads() {}

  /** Runs them for a while; what all of them have done per second, also of processor time. */
  static StructureResult.Rate run(List<? extends WaitingClient> clients, double seconds)
      throws InterruptedException {
    WaitingClient.StopSign stop = new WaitingClient.StopSign();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = clients.stream().map(client -> thread(client, stop, failure)).toList();
    threads.forEach(Thread::start);
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    pause(seconds * RAMP_SHARE);
    long beginNanos = System.nanoTime();
    long beginCpuNanos = system.getProcessCpuTime();
    long begin = done(clients);
    pause(seconds);
    double made = done(clients) - begin;
    double took = System.nanoTime() - beginNanos;
    double cpu = system.getProcessCpuTime() - beginCpuNanos;
    stop.show();
    for (Thread thread : threads) {
      thread.join(STOP_MILLIS_MAX);
      if (thread.isAlive()) {
        throw new IllegalStateException("A client does not end: " + failure.get(), failure.get());
      }
    }
    if (failure.get() != null) {
      throw new IllegalStateException("A client has failed: " + failure.get(), failure.get());
    }
    return new StructureResult.Rate(
        made / took * TimeUnit.SECONDS.toNanos(1), made / cpu * TimeUnit.SECONDS.toNanos(1));
  }

  private static Thread thread(
      WaitingClient client, WaitingClient.StopSign stop, AtomicReference<Throwable> failure) {
    Thread thread =
        new Thread(
            () -> {
              try {
                client.run(stop);
              } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
              }
            },
            "kite-client");
    thread.setDaemon(true);
    return thread;
  }

  private static void pause(double seconds) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep((long) (seconds * TimeUnit.SECONDS.toNanos(1)));
  }

  private static long done(List<? extends WaitingClient> clients) {
    return clients.stream().mapToLong(WaitingClient::done).sum();
  }
}
