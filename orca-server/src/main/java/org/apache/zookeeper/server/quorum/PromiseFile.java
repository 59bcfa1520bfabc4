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
 * What this server has promised to its last leader, across restarts: a file beside the log says
 * that it has promised at all, and for how long; a server that finds it when it starts waits that
 * long.
 *
 * <p>Safe for use by many threads.
 */
final class PromiseFile {

  private static final Logger LOG = LoggerFactory.getLogger(PromiseFile.class);
  private static final String NAME = "orcaPromise";
  private static final long LOOK_MILLIS = 50;

  private static final long UNKNOWN = -1;

  private final ElectionPromise promise = new ElectionPromise();
  private long epoch = UNKNOWN;
  private long writtenMillis = UNKNOWN;

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
              + ". It says for how many milliseconds this server acknowledges no leader after a"
              + " restart. Write the ensemble's orca.promiseMs into it: echo 600 > "
              + file,
          e);
    }
  }

  /**
   * Promises the leader of {@code epoch} to acknowledge no other one for a while; on disk before
   * this returns.
   *
   * @throws IOException if it cannot be written: then nothing is promised
   */
  synchronized void promise(Path folder, long epoch, long nanos) throws IOException {
    long now = System.nanoTime();
    long millis = toMillis(nanos);
    // What is shorter is written once what was longer is over: a restart forgets when that was
    // made.
    if (millis != writtenMillis && promise.remainingNanos(now) <= nanos) {
      NumberFile.write(folder.resolve(NAME), millis, "");
      LogStorage.files().forceDirectory(folder);
      writtenMillis = millis;
    }
    this.epoch = epoch;
    promise.onAnswer(now, nanos);
  }

  /**
   * Returns once everything that was promised is kept: by then the last leader, and every server
   * that it had granted a lease, has stopped to answer reads (section 4.4.2, "Deposed leaders").
   * Who comes back to the leader that has the promise need not wait.
   *
   * <p>Every way to a new leader passes through here, by an election and without one: a
   * reconfiguration names the next leader, which then leads at once. Nothing of the new epoch is
   * shown before a quorum has passed: it is what acknowledges the leader.
   *
   * @param newEpoch the epoch whose leader is to be acknowledged
   * @param running whether it is worth to wait
   * @throws InterruptedException if it is not kept, and this server is to take no part
   */
  void keep(long newEpoch, BooleanSupplier running) throws InterruptedException {
    long millis = remainingMillis(newEpoch);
    if (millis > 0) {
      LOG.info("For {} ms this server acknowledges no new leader, as it has promised", millis);
    }
    while (millis > 0) {
      if (!running.getAsBoolean()) {
        throw new InterruptedException("This server stops before it may acknowledge a new leader");
      }
      Thread.sleep(Math.min(LOOK_MILLIS, millis));
      millis = remainingMillis(newEpoch);
    }
  }

  private synchronized long remainingMillis(long newEpoch) {
    return newEpoch == epoch ? 0 : remainingMillis();
  }

  /** How long the leader of another epoch has to wait. */
  synchronized long remainingMillis() {
    return toMillis(promise.remainingNanos(System.nanoTime()));
  }

  private static long toMillis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos + TimeUnit.MILLISECONDS.toNanos(1) - 1);
  }
}
