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
package org.orcagrid.mixed.store;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Does something every so often, on a daemon thread of its own, until it is closed. */
public final class Repeated implements AutoCloseable {
  private final String name;
  private final Runnable what;
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * One that has not started.
   *
   * @param name of its thread
   * @param what throws nothing
   */
  public Repeated(String name, Runnable what) {
    this.name = name;
    this.what = what;
  }

  /** Starts, once; the time is from one end to the next beginning. */
  public void start(Duration every) {
    Thread thread = new Thread(() -> repeat(every), name);
    thread.setDaemon(true);
    thread.start();
  }

  private void repeat(Duration every) {
    try {
      do {
        what.run();
      } while (!closed.await(every.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it, when what is being done is done; does not wait for that. */
  @Override
  public void close() {
    closed.countDown();
  }
}
