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
package org.orcagrid.cli;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.util.ServiceUtils;

/**
 * Ends this JVM cleanly on SIGTERM and SIGINT: stops the server, frees the data folder and exits
 * with status 0, where Java on its own would report the signal as a failure.
 */
final class StopOnSignal {
  /** A stop that takes longer is cut off: the caller was promised an end within five seconds. */
  private static final Duration STOP_LIMIT = Duration.ofMillis(4_700);

  private final AtomicInteger exitStatus = new AtomicInteger(0);
  private final AtomicReference<AutoCloseable> server = new AtomicReference<>();
  private final PidFile pidFile;
  private final AutoCloseable lock;
  private final Thread hook = new Thread(this::stop, "orca-stop");

  private StopOnSignal(PidFile pidFile, AutoCloseable lock) {
    this.pidFile = pidFile;
    this.lock = lock;
  }

  /** Arms the hook before the server is started, which may take long; see {@link #disarm()}. */
  static StopOnSignal arm(PidFile pidFile, AutoCloseable lock) {
    StopOnSignal stop = new StopOnSignal(pidFile, lock);
    // ZooKeeper ends the JVM when it cannot go on; that status must not become a success.
    ServiceUtils.setSystemExitProcedure(stop::exit);
    Runtime.getRuntime().addShutdownHook(stop.hook);
    return stop;
  }

  /** From now on the hook stops this server before anything else. */
  void stopFirst(AutoCloseable started) {
    server.set(started);
  }

  /**
   * For a server that has ended by itself or never started. If a signal came first, this waits for
   * the end of the JVM, whose status is the hook's to decide.
   */
  void disarm() throws InterruptedException {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook is at work and ends the JVM; the caller must not come first.
      hook.join();
    }
  }

  private void exit(int status) {
    exitStatus.compareAndSet(0, status);
    System.exit(status);
  }

  private void stop() {
    Thread closer = new Thread(this::close, "orca-close");
    closer.setDaemon(true);
    closer.start();
    try {
      closer.join(STOP_LIMIT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (closer.isAlive()) {
      System.err.println(
          FailureReport.PREFIX
              + "The server did not stop within "
              + STOP_LIMIT.toMillis()
              + " ms and was cut off; nothing acknowledged as durable is lost.");
      exitStatus.compareAndSet(0, 1);
    }
    System.out.flush();
    System.err.flush();
    Runtime.getRuntime().halt(exitStatus.get());
  }

  private void close() {
    try {
      AutoCloseable started = server.get();
      if (started != null) {
        started.close();
      }
      pidFile.delete();
      lock.close();
    } catch (Exception e) {
      exitStatus.compareAndSet(0, 1);
      System.err.println(
          FailureReport.PREFIX + "The server did not stop cleanly: " + e + "; look at its log.");
    }
  }
}
