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
package org.orcagrid.ddp.raft;

import java.util.ArrayDeque;

/** What a leader knows of a follower. */
final class Progress {
  /** How entries are sent. */
  enum Mode {
    /** One message at a time, until the logs are known to match. */
    PROBES,
    /** Message after message. */
    STREAMS,
    /** A snapshot first. */
    TAKES_SNAPSHOT
  }

  private Mode mode = Mode.PROBES;

  /** The next entry to send. */
  private long next;

  /** The follower has all up to this one on its disk. */
  private long match;

  private long heardNanos;
  private boolean probing;

  /** The last entries of the messages that are under way. */
  private final ArrayDeque<Long> underWay = new ArrayDeque<>();

  private SnapshotMark snapshot;
  private long offset;

  Progress(long next, long nowNanos) {
    this.next = next;
    this.heardNanos = nowNanos;
  }

  Mode mode() {
    return mode;
  }

  long next() {
    return next;
  }

  long match() {
    return match;
  }

  long heardNanos() {
    return heardNanos;
  }

  void heard(long nowNanos) {
    heardNanos = nowNanos;
  }

  boolean maySend(int messagesMax) {
    return switch (mode) {
      case PROBES -> !probing;
      case STREAMS -> underWay.size() < messagesMax;
      case TAKES_SNAPSHOT -> false;
    };
  }

  /** A message with entries up to {@code last} is under way. */
  void sent(long last) {
    if (mode == Mode.PROBES) {
      probing = true;
    } else {
      underWay.add(last);
      next = last + 1;
    }
  }

  /** A beat: what was probed may be lost. */
  void beat() {
    probing = false;
  }

  /** The logs match up to an entry; whether that is news. */
  boolean matches(long index) {
    while (!underWay.isEmpty() && underWay.peek() <= index) {
      underWay.poll();
    }
    boolean isNews = index > match;
    match = Math.max(match, index);
    if (mode != Mode.STREAMS) {
      mode = Mode.STREAMS;
      snapshot = null;
      underWay.clear();
      next = match + 1;
    }
    next = Math.max(next, match + 1);
    return isNews;
  }

  /** They may match up to {@code index}, and not further. */
  void differs(long index) {
    if (mode == Mode.TAKES_SNAPSHOT) {
      return;
    }
    mode = Mode.PROBES;
    probing = false;
    underWay.clear();
    next = Math.max(match + 1, Math.min(next - 1, index + 1));
  }

  void takesSnapshot(SnapshotMark mark) {
    mode = Mode.TAKES_SNAPSHOT;
    underWay.clear();
    snapshot = mark;
    offset = 0;
  }

  SnapshotMark snapshot() {
    return snapshot;
  }

  long offset() {
    return offset;
  }

  void offset(long taken) {
    offset = taken;
  }
}
