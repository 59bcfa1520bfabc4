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
package org.apache.zookeeper.server.quorum;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.orcagrid.cad.ElectionPromise;
import org.orcagrid.server.log.LogStorage;
import org.orcagrid.server.log.NumberFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this server has promised about elections, across restarts: a file beside the log says that
 * it has promised at all, and for how long; a server that finds it when it starts waits that long.
 *
 * <p>Safe for use by many threads.
 */
final class PromiseFile {

  private static final Logger LOG = LoggerFactory.getLogger(PromiseFile.class);
  private static final String NAME = "orcaPromise";
  private static final long LOOK_MILLIS = 50;

  private final ElectionPromise promise = new ElectionPromise();
  private boolean written;

  /**
   * Counts a promise of before the start, if there was one, from now on.
   *
   * @throws IOException if the file cannot be read, or holds something else
   */
  synchronized void onStart(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    if (!Files.exists(file)) {
      return;
    }
    try {
      promise.onAnswer(System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(NumberFile.require(file)));
    } catch (IOException e) {
      throw new IOException(
          e.getMessage()
              + ". It says for how many milliseconds this server elects no leader after a restart."
              + " Write the ensemble's orca.removalMs into it: echo 1000 > "
              + file,
          e);
    }
  }

  /**
   * Promises to take part in no election for a while; on disk before this returns.
   *
   * @throws IOException if it cannot be written: then nothing is promised
   */
  synchronized void promise(Path folder, long removalNanos) throws IOException {
    if (!written) {
      long millis =
          TimeUnit.NANOSECONDS.toMillis(removalNanos + TimeUnit.MILLISECONDS.toNanos(1) - 1);
      NumberFile.write(folder.resolve(NAME), millis, "");
      LogStorage.files().forceDirectory(folder);
      written = true;
    }
    promise.onAnswer(System.nanoTime(), removalNanos);
  }

  /**
   * Returns once everything that was promised is kept: by then the last leader, and every server
   * that it had granted a lease, has stopped to answer reads (section 4.4.2, "Deposed leaders").
   *
   * <p>Every way to a new leader passes through here, by an election and without one: a
   * reconfiguration names the next leader, which then leads at once.
   *
   * @param running whether it is worth to wait
   * @return whether the promise is kept; if not, this server is to take no part
   */
  boolean awaitKept(BooleanSupplier running) throws InterruptedException {
    long millis = remainingMillis();
    if (millis > 0) {
      LOG.info("For {} ms this server takes no part in a new epoch, as it has promised", millis);
    }
    while (millis > 0 && running.getAsBoolean()) {
      Thread.sleep(Math.min(LOOK_MILLIS, millis));
      millis = remainingMillis();
    }
    return millis <= 0;
  }

  /** How long an election has to wait. */
  synchronized long remainingMillis() {
    long nanos = promise.remainingNanos(System.nanoTime());
    return TimeUnit.NANOSECONDS.toMillis(nanos + TimeUnit.MILLISECONDS.toNanos(1) - 1);
  }
}
