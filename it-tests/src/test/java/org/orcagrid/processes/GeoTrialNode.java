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
package org.orcagrid.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.log.ForgetfulFiles;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.geo.node.GeoConfig;
import org.orcagrid.geo.node.GeoNode;
import org.orcagrid.transport.tcp.LinkLog;

/**
 * A process with a node of a geo store, as {@code orca geo run} starts it, but for its machine: a
 * file says how wrong its clock is, and what its journal has not forced may be in the process
 * alone. To kill it loses that then, as to cut the power of its machine does. {@link GeoProcesses}
 * has several.
 */
final class GeoTrialNode {
  /** Small, so that it is trimmed while a test runs. */
  private static final SegmentLimits JOURNAL =
      new SegmentLimits(4 << 20, 1 << 20, 4 << 20, 24 << 20);

  /** How its disk is: what the first argument says. */
  enum Disk {
    /** What was written outlives the process. */
    KEEPS,
    /** What was not forced does not. */
    FORGETS
  }

  private static final long LOOK_NANOS = 20_000_000;
  private static final String CLOCK = "clock";

  private final Path file;
  private final AtomicLong aheadMillis = new AtomicLong();
  private final AtomicLong lookedNanos = new AtomicLong(System.nanoTime() - LOOK_NANOS);

  private GeoTrialNode(Path file) {
    this.file = file;
  }

  /**
   * Where it says how many milliseconds the clock of a node is ahead; there may be no such file.
   */
  static Path clock(Path folder) {
    return folder.resolve(CLOCK);
  }

  /** A {@link Disk}, and the node's geo.cfg. Until it is killed. */
  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[1]);
    MediumKind journals =
        Disk.valueOf(args[0]) == Disk.FORGETS
            ? ForgetfulFiles.logs(JOURNAL)
            : LogMedium.kind(JOURNAL);
    GeoTrialNode clock = new GeoTrialNode(clock(file.resolveSibling(".").normalize()));
    CompletableFuture<Void> failed = new CompletableFuture<>();
    try (GeoNode node =
        GeoNode.start(
            GeoConfig.read(file),
            new LinkLog(),
            failed::completeExceptionally,
            new GeoNode.Machine(clock::millis, journals))) {
      System.out.println("Node " + node.plan().self() + " runs");
      failed.join();
    }
  }

  private long millis() {
    long now = System.nanoTime();
    long looked = lookedNanos.get();
    if (now - looked >= LOOK_NANOS && lookedNanos.compareAndSet(looked, now)) {
      look();
    }
    return System.currentTimeMillis() + aheadMillis.get();
  }

  private void look() {
    try {
      String text = Files.readString(file).strip();
      if (!text.isEmpty()) {
        aheadMillis.set(Long.parseLong(text));
      }
    } catch (NoSuchFileException e) {
      // Then it is right.
      aheadMillis.set(0);
    } catch (IOException e) {
      throw new IllegalStateException(file + " cannot be read", e);
    }
  }
}
