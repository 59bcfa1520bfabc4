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

import org.orcagrid.cad.BeatFigures;
import org.orcagrid.cad.VisibilityChoice;
import org.orcagrid.server.gate.GateMetrics;
import org.orcagrid.server.settings.Durability;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.server.settings.Visibility;
import org.orcagrid.server.wire.PeerMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a leader shows writes early or late: {@link VisibilityChoice} decides, by what the beats
 * of learners and the leader's own gate say. Safe for use by many threads.
 */
final class LeaderVisibility {

  private static final Logger LOG = LoggerFactory.getLogger(LeaderVisibility.class);

  /** Null if nothing is to be chosen. */
  private final VisibilityChoice choice;

  private final BeatFigures figures = new BeatFigures();
  private volatile boolean showsLate;

  LeaderVisibility(OrcaSettings settings) {
    boolean gates = settings.durability() == Durability.CAD;
    this.showsLate = gates && settings.visibility() == Visibility.LATE;
    this.choice =
        gates && settings.visibility() == Visibility.ADAPTIVE ? new VisibilityChoice() : null;
  }

  /** Whether a write is to be committed only once it is durable. */
  boolean showsLate() {
    return showsLate;
  }

  /** A learner has answered a heartbeat. */
  synchronized void onBeat(long sid, PeerMessage.Beat beat) {
    figures.onServer(sid, beat.held(), beat.heldNanos(), beat.reads());
  }

  /** Late writes have waited for too long. */
  synchronized void onOverdue() {
    if (choice != null) {
      choice.onOverdue();
      showsLate = false;
    }
  }

  /**
   * The leader sends a heartbeat.
   *
   * @param last the last entry of its log
   * @param late how many writes it has shown late
   * @param lateNanos how long those have waited
   */
  synchronized void onHeartbeat(
      long self, long last, long late, long lateNanos, GateMetrics metrics) {
    if (choice == null) {
      return;
    }
    figures.onServer(self, metrics.heldUndurable(), metrics.heldUndurableNanos(), metrics.reads());
    choice.onBeat(figures.beat(last, late, lateNanos, metrics.flushes(), metrics.flushNanos()));
    if (choice.isLate() != showsLate) {
      showsLate = choice.isLate();
      LOG.debug("Writes are shown {}", showsLate ? "once they are durable" : "at once");
    }
  }
}
