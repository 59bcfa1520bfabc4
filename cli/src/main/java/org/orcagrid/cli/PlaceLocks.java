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

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.orcagrid.ddp.kite.KiteSettings;

/**
 * The locks beside the file in which nodes on one machine agree on views: one for whoever changes
 * the file, and one for each place, which its node holds as long as it lives.
 *
 * @param views the file
 */
record PlaceLocks(Path views) {
  /** Threads of a killed process may outlive the one that tells that it has ended. */
  private static final Duration FREED_LIMIT = Duration.ofSeconds(3);

  private static final long PAUSE_MILLIS = 20;

  /** What is done while nobody else may change the file. */
  interface Change<T> {
    T make() throws IOException;
  }

  /** For one process at a time; places are taken and looked at under this lock only. */
  <T> T exclusively(Change<T> change) throws IOException {
    Path lock = views.resolveSibling(views.getFileName() + ".lock");
    try (FileChannel channel =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      if (!held.isValid()) {
        throw new IOException(lock + " cannot be locked");
      }
      return change.make();
    }
  }

  /** Takes a place for the life of this process; empty if its node runs. */
  Optional<KernelLock> take(int place) throws IOException {
    return KernelLock.tryTake(file(place));
  }

  /** The places whose nodes run, be it of a grid with more nodes than this one. */
  Set<Integer> running() throws IOException {
    Set<Integer> running = new TreeSet<>();
    for (int place = 0; place < KiteSettings.NODES_MAX; place++) {
      if (KernelLock.isHeld(file(place))) {
        running.add(place);
      }
    }
    return running;
  }

  /** The process at a place, for a sentence. */
  String holder(int place) throws IOException {
    return KernelLock.holder(file(place));
  }

  /**
   * Does something while no node runs and none can begin to; returns the places whose nodes run, in
   * which case nothing was done. Waits a moment for nodes that have just ended.
   */
  Set<Integer> whileNobodyRuns(Change<Void> change) throws IOException, InterruptedException {
    Deadline deadline = Deadline.in(FREED_LIMIT);
    while (true) {
      Set<Integer> running =
          exclusively(
              () -> {
                Set<Integer> held = running();
                if (held.isEmpty()) {
                  change.make();
                }
                return held;
              });
      if (running.isEmpty() || deadline.passed()) {
        return running;
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
  }

  private Path file(int place) {
    return views.resolveSibling(views.getFileName() + "." + place + ".lock");
  }
}
