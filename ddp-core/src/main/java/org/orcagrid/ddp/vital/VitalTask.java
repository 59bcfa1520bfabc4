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
package org.orcagrid.ddp.vital;

import java.lang.System.Logger.Level;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * What a thread does without which its node would stand still in silence. Whatever ends it early,
 * an {@link Error} too, is logged and told, so that the node ends with that reason.
 */
public final class VitalTask implements Runnable {
  private static final System.Logger LOG = System.getLogger(VitalTask.class.getName());

  private static final int TELL_TIMES_MAX = 100;
  private static final long TELL_AGAIN_NANOS = 100_000_000;

  private final String name;
  private final Work work;
  private final Consumer<? super Throwable> onDeath;

  /** What such a thread does; it returns when its owner closes it. */
  @FunctionalInterface
  public interface Work {
    /** Runs until it is closed. */
    void run() throws Exception;
  }

  /**
   * A task that is still to be run.
   *
   * @param name what it is, for the log
   * @param onDeath told by the same thread why the work has ended, if it has not returned
   */
  public VitalTask(String name, Work work, Consumer<? super Throwable> onDeath) {
    this.name = name;
    this.work = work;
    this.onDeath = onDeath;
  }

  @Override
  public void run() {
    try {
      work.run();
    } catch (Throwable reason) {
      if (reason instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      try {
        LOG.log(Level.ERROR, name + " has failed, so its node ends", reason);
      } finally {
        tell(reason);
      }
    }
  }

  /** Without memory the telling may fail, too; it is to be got back from those that end. */
  private void tell(Throwable reason) {
    for (int time = 1; ; time++) {
      try {
        onDeath.accept(reason);
        return;
      } catch (RuntimeException | Error e) {
        if (time == TELL_TIMES_MAX) {
          throw e;
        }
        LockSupport.parkNanos(this, TELL_AGAIN_NANOS);
      }
    }
  }
}
