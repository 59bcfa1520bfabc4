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
package org.orcagrid.ddp.kite;

import java.util.concurrent.atomic.AtomicLong;
import org.orcagrid.ddp.NumberBound;
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.wire.Message;

/**
 * How far ahead a clock, a log or a ballot may lie before a message that brings it is refused: a
 * step above the highest that this node knows of any key. Versions have 43 bits; one message that
 * brought the last of them would stop all later writes of its key.
 *
 * <p>An honest node is a step ahead only if this one has missed more than sixty thousand million
 * writes of a key, or if somebody has made it take a clock that lies just within a step. It says so
 * again and again, as nobody acknowledges its messages, and is believed then; one message never is.
 * A node that joins knows nothing, so it takes over what the others hold. The last step before the
 * end is refused to everybody.
 *
 * <p>What is known is kept to half a step, so that it hardly ever changes. Safe for use by many
 * threads.
 */
final class ClockBound {
  /** Versions and logs. */
  static final long STEP = NumberBound.VERSIONS_STEP;

  /** Ballots of a log: it has as many attempts, and each of them backs off. */
  static final long BALLOT_STEP = 1L << 20;

  private final NumberBound versions = NumberBound.ofVersions();
  private final NumberBound logs = new NumberBound(STEP, Long.MAX_VALUE);
  private final NumberBound ballots =
      new NumberBound(BALLOT_STEP, Long.MAX_VALUE >>> Rmw.BALLOT_SHIFT);
  private final AtomicLong refused = new AtomicLong();

  /**
   * Whether what a message brings lies within a step; if so, it is known from now on.
   *
   * @param any whether this node is still learning what the others hold
   */
  boolean admits(Message m, boolean any) {
    boolean admitted =
        switch (m.type()) {
          case WRITE, WRITE_BACK, READ, READ_REPLY -> admitsVersion(m, any);
          case PROPOSE, PROPOSE_REPLY, ACCEPT, ACCEPT_REPLY, COMMIT, WITHDRAW ->
              admitsVersion(m, any) && admitsLog(m, any);
          case STATE_VERSION, STATE_ACCEPTED, PURGE_MARK ->
              admitsVersion(m, any) && admitsLog(m, any);
          default -> true;
        };
    if (!admitted) {
      refused.incrementAndGet();
    }
    return admitted;
  }

  private boolean admitsVersion(Message m, boolean any) {
    if (m.clock() < 0
        || !versions.admits(Timestamp.version(m.clock()), any)
        || !logs.admits(m.rmw(), any)) {
      return false;
    }
    noteClock(m.clock());
    logs.note(m.rmw());
    return true;
  }

  private boolean admitsLog(Message m, boolean any) {
    long ballot = m.ballot() >> Rmw.BALLOT_SHIFT;
    long acceptedBallot = m.acceptedBallot() >> Rmw.BALLOT_SHIFT;
    if (!logs.admits(m.log(), any)
        || !logs.admits(m.lastLog(), any)
        || !ballots.admits(ballot, any)
        || !ballots.admits(acceptedBallot, any)) {
      return false;
    }
    noteLog(m.log());
    noteLog(m.lastLog());
    ballots.note(ballot);
    ballots.note(acceptedBallot);
    return true;
  }

  /** This node has seen a clock, or made one. */
  void noteClock(long clock) {
    versions.note(Timestamp.version(clock));
  }

  /** This node has seen a log decided. */
  void noteLog(long log) {
    logs.note(log);
  }

  /** This node has made a ballot. */
  void noteBallot(long ballot) {
    ballots.note(ballot >> Rmw.BALLOT_SHIFT);
  }

  /** How many messages were refused. */
  long refused() {
    return refused.get();
  }
}
