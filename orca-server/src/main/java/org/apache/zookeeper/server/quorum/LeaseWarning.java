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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the operator of a leader that answers no reads, since it gets no lease: too few servers
 * answer its heartbeats, or too late. For one thread.
 */
final class LeaseWarning {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseWarning.class);

  /** Longer than an election and a slow start take. */
  static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(10);

  static final long AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private boolean warned;
  private long lastLeasedNanos;
  private long lastWarnedNanos;

  /**
   * The leader looks at its lease.
   *
   * @param nowNanos since its role began
   * @return whether it was said just now that the lease is missing
   */
  boolean look(boolean leased, long nowNanos) {
    if (leased) {
      if (warned) {
        LOG.info("This leader holds its lease again and answers reads");
      }
      warned = false;
      lastLeasedNanos = nowNanos;
      return false;
    }
    boolean due =
        warned
            ? nowNanos - lastWarnedNanos >= AGAIN_NANOS
            : nowNanos - lastLeasedNanos >= FIRST_NANOS;
    if (due) {
      warned = true;
      lastWarnedNanos = nowNanos;
      LOG.warn(
          "This leader has held no lease for {} s, so that no server answers reads: fewer than a"
              + " majority answer its heartbeats within orca.markOutMs. Are the other servers ORCA"
              + " with the same orca.readers, and is the network slower than that?",
          TimeUnit.NANOSECONDS.toSeconds(nowNanos - lastLeasedNanos));
    }
    return due;
  }
}
