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
package org.orcagrid.server.vital;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.zookeeper.server.ZooKeeperThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread without which its server would stand still in silence: whatever ends it early, an {@link
 * Error} too, is logged and told, so that the server stops. What stock's {@code
 * ZooKeeperCriticalThread} is to the processors of requests, with the reason passed on.
 */
public final class VitalThread extends ZooKeeperThread {

  private static final Logger LOG = LoggerFactory.getLogger(VitalThread.class);

  private static final int TELL_TIMES_MAX = 100;
  private static final long TELL_AGAIN_NANOS = 100_000_000;

  /** What such a thread does; it returns when its owner closes it. */
  @FunctionalInterface
  public interface Task {
    /** Runs until it is closed. */
    void run() throws Exception;
  }

  private final Task task;
  private final Consumer<? super Throwable> onDeath;

  /**
   * A daemon that is still to be started.
   *
   * @param onDeath told why the task ended, if it did not return
   */
  public VitalThread(String name, Task task, Consumer<? super Throwable> onDeath) {
    super(name);
    this.task = task;
    this.onDeath = onDeath;
    setDaemon(true);
  }

  @Override
  public void run() {
    try {
      task.run();
    } catch (Throwable reason) {
      handleException(getName(), reason);
    }
  }

  @Override
  protected void handleException(String name, Throwable reason) {
    try {
      LOG.error("The thread {} has failed, so this server stops: {}", name, reason, reason);
    } finally {
      tell(reason);
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
        LockSupport.parkNanos(TELL_AGAIN_NANOS);
      }
    }
  }
}
