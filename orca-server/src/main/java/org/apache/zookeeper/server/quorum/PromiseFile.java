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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.common.AtomicFileWritingIdiom;
import org.orcagrid.cad.ElectionPromise;
import org.orcagrid.server.log.LogStorage;

/**
 * What this server has promised about elections, across restarts: a file beside the log says that
 * it has promised at all, and for how long; a server that finds it when it starts waits that long.
 *
 * <p>Safe for use by many threads.
 */
final class PromiseFile {

  private static final String NAME = "orcaPromise";

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
    String text = Files.readString(file).trim();
    try {
      promise.onAnswer(
          System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(Long.parseUnsignedLong(text)));
    } catch (NumberFormatException e) {
      throw new IOException(
          "The file "
              + file
              + " must hold for how many milliseconds this server elects no leader after a restart,"
              + " but holds '"
              + text
              + "'; write the ensemble's orca.removalMs into it.",
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
      new AtomicFileWritingIdiom(
          folder.resolve(NAME).toFile(),
          (AtomicFileWritingIdiom.OutputStreamStatement)
              out -> out.write(Long.toString(millis).getBytes(StandardCharsets.US_ASCII)));
      LogStorage.files().forceDirectory(folder);
      written = true;
    }
    promise.onAnswer(System.nanoTime(), removalNanos);
  }

  /** How long an election has to wait. */
  synchronized long remainingMillis() {
    long nanos = promise.remainingNanos(System.nanoTime());
    return TimeUnit.NANOSECONDS.toMillis(nanos + TimeUnit.MILLISECONDS.toNanos(1) - 1);
  }
}
