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

import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.paxos.Command;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.Reading;

/**
 * A session of a worker: its operations take effect in session order (section 2.1). One at a time
 * is under way; relaxed writes end at once and are acknowledged behind its back.
 *
 * <p>Belongs to the worker's thread. Allocates nothing once its buffers have grown to what is put
 * into them.
 */
public final class KiteSession {
  private static final int VALUE_BYTES = 64;

  /** How far the operation is. */
  enum Phase {
    IDLE,
    SLOW_READ,
    SLOW_WRITE,
    ACQUIRE_READ,
    ACQUIRE_WRITE_BACK,
    RELEASE_READ,
    RELEASE_BARRIER,
    RELEASE_WRITE,
    RMW_READ,
    RMW_BACKOFF,
    RMW_PROPOSE,
    RMW_BARRIER,
    RMW_ACCEPT,
    RMW_COMMIT,
    RMW_WRITE_BACK
  }

  final int slot;
  final int globalId;

  /** What is under way; the caller's again once it has completed, and not to be touched then. */
  Operation asked;

  // Its buffers, one step nearer: the worker comes to them many times.
  Bytes key;
  Bytes value;
  Bytes expected;
  Bytes result;

  /** The version that was read or written. */
  long resultClock;

  long resultRmw;

  // Progress; the operation's result holds the best version that was seen so far.
  Phase phase = Phase.IDLE;
  int activeAt = -1;
  long hash;
  long record;
  long operation;
  int startEpoch;

  /** The epoch that the key is known to have had in this operation; -1 for none. */
  int recordEpoch;

  long sentNanos;

  /** Nodes that have answered the present round. */
  int replied;

  /** Nodes that have the best version. */
  int holders;

  /** Nodes that have no room for what the present round is about. */
  int full;

  /** Nodes that have called this one delinquent since the operation began. */
  int delinquentAt;

  /** The keys that this node has missed, by the answers so far; null until there are any. */
  private MissedKeys missed;

  /** Writes that some node has neither acknowledged nor been declared delinquent for. */
  int pendingWrites;

  /** Those of them for which too few nodes have room: they may never be safe. */
  int blockedWrites;

  long releaseSequence;

  // Read-modify-write.
  final Bytes old = new Bytes(VALUE_BYTES);
  final Bytes made = new Bytes(VALUE_BYTES);
  final Bytes helpValue = new Bytes(VALUE_BYTES);
  final Command help = new Command();
  final Command own = new Command();
  long log;
  long ballot;
  long ballotSeen;
  int attempts;
  long resumeNanos;

  /** The log for which {@code own} is this session's command; 0 if it has none yet. */
  long ownLog;

  /** The log in which others may have seen this session's command. */
  long sentLog;

  int catchUps;
  boolean helping;

  /** The ballot of {@code help}; 0 if nobody has accepted anything. */
  long helpBallot;

  long commitOperation;
  long commitSequence;

  KiteSession(int slot, int globalId) {
    this.slot = slot;
    this.globalId = globalId;
  }

  /** Its number in the worker. */
  public int slot() {
    return slot;
  }

  /** Has an operation under way. */
  void ask(Operation next) {
    asked = next;
    key = next.key;
    value = next.value;
    expected = next.expected;
    result = next.result;
  }

  /** Whether no operation is under way. */
  public boolean isIdle() {
    return phase == Phase.IDLE;
  }

  /** What these nodes have answered does not count any more. */
  void forget(int nodes) {
    replied &= ~nodes;
    holders &= ~nodes;
    full &= ~nodes;
  }

  boolean isAtBarrier() {
    return phase == Phase.RELEASE_BARRIER || phase == Phase.RMW_BARRIER;
  }

  /** The version that was read or written; of a read-modify-write, the one that it has made. */
  public Timestamp resultTimestamp() {
    return new Timestamp(resultClock, resultRmw);
  }

  /** Writes of this session that not every node has acknowledged yet. */
  public int pendingWrites() {
    return pendingWrites;
  }

  /** Takes what this node has as the best version so far. */
  void adoptLocal(Reading local, int self) {
    resultClock = local.clock;
    resultRmw = local.rmw;
    holders = self;
    replied = self;
    full = 0;
    delinquentAt = 0;
  }

  /** Whether a version is later than the best so far. */
  boolean isBetter(long clock, long rmw) {
    return Timestamp.isAfter(clock, rmw, resultClock, resultRmw);
  }

  /** The keys that this node has missed, by the answers to this operation so far. */
  MissedKeys missed() {
    if (missed == null) {
      missed = new MissedKeys();
    }
    return missed;
  }
}
