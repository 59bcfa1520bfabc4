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

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.orcagrid.server.vital.VitalTimer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks now and then for reads that a learner's leader leaves without an answer. */
final class ReadHoldWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReadHoldWatch.class);
  private static final int LOOKS_PER_HOLD = 4;

  private final VitalTimer looks;

  ReadHoldWatch(
      long serverId,
      OrcaCommitProcessor processor,
      long holdNanos,
      Consumer<? super Throwable> onDeath) {
    long everyNanos = Math.max(TimeUnit.MILLISECONDS.toNanos(1), holdNanos / LOOKS_PER_HOLD);
    looks =
        new VitalTimer(
            "OrcaReadHold:" + serverId,
            everyNanos,
            everyNanos,
            () -> look(processor, holdNanos),
            onDeath);
  }

  private static void look(OrcaCommitProcessor processor, long holdNanos) {
    try {
      int closed = processor.closeThoseHeldLongerThan(holdNanos);
      if (closed > 0) {
        LOG.warn(
            "Closed {} client connections: this server holds no lease and its leader does not"
                + " confirm their reads",
            closed);
      }
    } catch (RuntimeException e) {
      // An exception would end the watch for good; the next look may well succeed.
      LOG.error("Reads that wait cannot be looked at", e);
    }
  }

  @Override
  public void close() {
    looks.close();
  }
}
