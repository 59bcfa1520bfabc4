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
package org.orcagrid.examples.demo;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread that does a thing again and again until it is told to end. */
public final class Loop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

  private final Thread thread;
  private volatile boolean ended;

  /** What is repeated; it waits by itself. */
  @FunctionalInterface
  public interface Step {
    /** Does it once. */
    void run() throws Exception;
  }

  private Loop(String name, Step step) {
    this.thread = new Thread(() -> repeat(step), name);
    thread.setDaemon(true);
  }

  /** Starts to repeat {@code step}; what it throws is logged, and it goes on. */
  public static Loop start(String name, Step step) {
    Loop loop = new Loop(name, step);
    loop.thread.start();
    return loop;
  }

  private void repeat(Step step) {
    while (!ended) {
      try {
        step.run();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (Exception e) {
        if (!ended) {
          LOG.warn("{} has failed and goes on", thread.getName(), e);
        }
      }
    }
  }

  /** Ends it and waits until it has ended. */
  @Override
  public void close() {
    ended = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
