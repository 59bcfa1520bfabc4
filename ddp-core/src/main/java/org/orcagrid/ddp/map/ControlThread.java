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
package org.orcagrid.ddp.map;

import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.orcagrid.ddp.vital.VitalTask;
import org.orcagrid.ddp.worker.Workers;

/**
 * What a node of maps does beside its workers, since it takes time: one task after the other, until
 * the node is over.
 */
final class ControlThread {
  private final LinkedBlockingQueue<Task> tasks = new LinkedBlockingQueue<>();
  private final Thread thread;
  private final BooleanSupplier isOver;
  private final Consumer<Throwable> failures;

  /** Something that this thread does; the node ends with what it throws. */
  @FunctionalInterface
  interface Task {
    void run() throws IOException, InterruptedException;
  }

  ControlThread(Workers workers, BooleanSupplier isOver, Consumer<Throwable> failures) {
    this.isOver = isOver;
    this.failures = failures;
    this.thread = workers.newThread(this::control);
  }

  void start() {
    thread.start();
  }

  /** Does something after all that was given before; any thread. */
  void execute(Task task) {
    tasks.add(task);
  }

  /** Has it look whether the node is over. */
  void wakeUp() {
    tasks.add(() -> {});
  }

  /** Waits for its end, which needs that the node is over; whether this thread was interrupted. */
  boolean join() {
    return Workers.join(thread);
  }

  private void control() {
    new VitalTask("The control of a node of maps", this::work, failures).run();
  }

  private void work() throws InterruptedException {
    while (!isOver.getAsBoolean()) {
      Task task = tasks.take();
      try {
        task.run();
      } catch (IOException | RuntimeException e) {
        failures.accept(e);
      }
    }
  }
}
