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
package org.orcagrid.ddp.paxos;

import java.nio.ByteBuffer;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.store.Memory;
import org.orcagrid.ddp.store.ReplicaStore;

/**
 * The acceptor of one key at a time: the Paxos structure that the key's record points to (Kite,
 * sections 3.4 and 5.2). A key's read-modify-writes are a log; each entry is one instance of Basic
 * Paxos.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>An acceptor promises and accepts in a log only if it has committed the one before and knows
 *       whose command that was. So before log L + 1 can be decided, a majority knows the command of
 *       log L, and any majority that acknowledges a later proposal can say whether a command is
 *       done. That is why no read-modify-write happens twice, though anybody may finish it.
 *   <li>Within a log, promised ballots only grow, and what is accepted was promised. A promise that
 *       was withdrawn stands: lower ballots are still refused. It may have replaced an earlier
 *       promise, whose proposer still counts on it; so nothing can be decided twice.
 * </ol>
 *
 * <p>All methods but the constructor need the lock of the record; one acceptor serves one thread.
 */
public final class Acceptor {
  private static final int LAST_LOG = 0;
  private static final int LAST_ID = 8;
  private static final int LAST_SESSION = 16;
  private static final int ACCEPTED_SESSION = 20;
  private static final int PROMISED = 24;
  private static final int ACCEPTED = 32;
  private static final int ACCEPTED_ID = 40;
  private static final int ACCEPTED_CLOCK = 48;
  private static final int ACCEPTED_RMW = 56;
  private static final int VALUE = 64;
  private static final int VALUE_CAPACITY = 72;
  private static final int VALUE_LENGTH = 76;
  private static final int BYTES = 80;

  /** Stands beside a promised ballot that its proposer has withdrawn; no ballot is negative. */
  private static final long WITHDRAWN = Long.MIN_VALUE;

  private final ReplicaStore store;
  private final Memory memory;
  private final CommittedCommands committed;

  private ByteBuffer buffer;
  private int at;

  /** An acceptor of a store's keys. */
  public Acceptor(ReplicaStore store, CommittedCommands committed) {
    this.store = store;
    this.memory = store.memory();
    this.committed = committed;
  }

  /** Turns to a key; false if there is no memory for its Paxos structure. */
  public boolean turnTo(long record) {
    long address = store.paxos(record);
    if (address == Memory.NONE) {
      address = create();
      if (address == Memory.NONE) {
        return false;
      }
      store.setPaxos(record, address);
    }
    buffer = memory.buffer(address);
    at = memory.offset(address);
    return true;
  }

  /** A structure of an acceptor that has seen nothing, {@link Memory#NONE} if there is no room. */
  private long create() {
    long address = memory.allocateReusable(BYTES);
    if (address != Memory.NONE) {
      ByteBuffer made = memory.buffer(address);
      int begin = memory.offset(address);
      // Something else may have been there before.
      for (int word = 0; word < BYTES; word += Long.BYTES) {
        made.putLong(begin + word, 0);
      }
    }
    return address;
  }

  /** Takes a key's Paxos structure from it, with all that was promised, accepted and committed. */
  public void forget(long record) {
    long address = store.paxos(record);
    if (address == Memory.NONE) {
      return;
    }
    ByteBuffer forgotten = memory.buffer(address);
    int begin = memory.offset(address);
    int capacity = forgotten.getInt(begin + VALUE_CAPACITY);
    if (capacity > 0) {
      memory.release(forgotten.getLong(begin + VALUE), capacity);
    }
    store.setPaxos(record, Memory.NONE);
    memory.release(address, BYTES);
    // Whoever goes on with it without turning to a key fails.
    buffer = null;
  }

  /** The last log that was committed here; 0 if none was. */
  public long lastLog() {
    return buffer.getLong(at + LAST_LOG);
  }

  /** Whose command the last log was. */
  public int lastSession() {
    return buffer.getInt(at + LAST_SESSION);
  }

  /** Which command the last log was. */
  public long lastId() {
    return buffer.getLong(at + LAST_ID);
  }

  /** The highest ballot that was promised in the log after the last one; 0 if none was. */
  public long promised() {
    return buffer.getLong(at + PROMISED) & ~WITHDRAWN;
  }

  /** Whether the promised ballot's proposer may still be at work: it has withdrawn nothing. */
  public boolean isPromiseInUse() {
    return buffer.getLong(at + PROMISED) > 0;
  }

  /** The ballot of what was accepted in the log after the last one; 0 if nothing was. */
  public long acceptedBallot() {
    return buffer.getLong(at + ACCEPTED);
  }

  /** Reads what was accepted. */
  public void copyAccepted(Command into) {
    long value = buffer.getLong(at + VALUE);
    into.session = buffer.getInt(at + ACCEPTED_SESSION);
    into.id = buffer.getLong(at + ACCEPTED_ID);
    into.baseClock = buffer.getLong(at + ACCEPTED_CLOCK);
    into.baseRmw = buffer.getLong(at + ACCEPTED_RMW);
    into.value = memory.buffer(value);
    into.valueAt = memory.offset(value);
    into.valueLength = buffer.getInt(at + VALUE_LENGTH);
  }

  /**
   * Makes room for a value in the key's record and in what may be accepted, so that a command that
   * was promised can be accepted and committed.
   *
   * @return false if there is no room
   */
  public boolean reserve(long record, int bytes) {
    return bytes >= 0
        && bytes <= store.valueBytesMax()
        && makeRoom(bytes)
        && store.reserve(record, bytes);
  }

  /** A proposal of a session's command. A repeated one gets the same answer. */
  public Verdict onPropose(long log, long ballot, int session, long id) {
    Verdict verdict = judge(log, ballot, session, id);
    if (verdict != Verdict.ACK) {
      return verdict;
    }
    if (ballot > promised()) {
      // A late copy of a proposal that was withdrawn does not bring it back.
      buffer.putLong(at + PROMISED, ballot);
    }
    return acceptedBallot() == 0 ? Verdict.ACK : Verdict.ACK_ACCEPTED;
  }

  /**
   * The proposer of this ballot ends without a command: nobody has to wait for it.
   *
   * @param stands whether the promise still refuses lower ballots; false breaks the second
   *     invariant, for tests of the checkers
   */
  public void withdraw(long log, long ballot, boolean stands) {
    if (log == lastLog() + 1 && ballot == promised() && isPromiseInUse()) {
      buffer.putLong(at + PROMISED, stands ? ballot | WITHDRAWN : 0);
    }
  }

  /** A command that a majority has promised to accept, unless they promise to another meanwhile. */
  public Verdict onAccept(long log, long ballot, Command command) {
    Verdict verdict = judge(log, ballot, command.session, command.id);
    if (verdict != Verdict.ACK) {
      return verdict;
    }
    if (!makeRoom(command.valueLength)) {
      return Verdict.FULL;
    }
    Invariant.check(
        acceptedBallot() <= ballot,
        "what was accepted is not newer than what was promised",
        "accepted",
        acceptedBallot(),
        "ballot",
        ballot);
    buffer.putLong(at + PROMISED, ballot);
    putAccepted(ballot, command);
    return Verdict.ACK;
  }

  private void putAccepted(long ballot, Command command) {
    buffer.putLong(at + ACCEPTED, ballot);
    buffer.putInt(at + ACCEPTED_SESSION, command.session);
    buffer.putLong(at + ACCEPTED_ID, command.id);
    buffer.putLong(at + ACCEPTED_CLOCK, command.baseClock);
    buffer.putLong(at + ACCEPTED_RMW, command.baseRmw);
    buffer.putInt(at + VALUE_LENGTH, command.valueLength);
    if (command.valueLength > 0) {
      long value = buffer.getLong(at + VALUE);
      memory
          .buffer(value)
          .put(memory.offset(value), command.value, command.valueAt, command.valueLength);
    }
  }

  /** A log is decided, and for which command. Applying the value is the caller's. */
  public void onCommit(long log, int session, long id) {
    committed.add(session, id);
    if (log > lastLog()) {
      buffer.putLong(at + LAST_LOG, log);
      buffer.putInt(at + LAST_SESSION, session);
      buffer.putLong(at + LAST_ID, id);
      buffer.putLong(at + PROMISED, 0);
      buffer.putLong(at + ACCEPTED, 0);
    }
  }

  /** Another acceptor has promised this in the log after {@code lastLog}; this one does as well. */
  public void adoptPromise(long log, long ballot) {
    if (log == lastLog() && ballot > promised()) {
      buffer.putLong(at + PROMISED, ballot);
    }
  }

  /**
   * Another acceptor has accepted this in the log after {@code log}; so does this one, unless it
   * knows better.
   *
   * @return false if it knows less, or has no memory for it
   */
  public boolean adoptAccepted(long log, long ballot, Command command) {
    if (log != lastLog()) {
      return log < lastLog();
    }
    if (ballot <= acceptedBallot()) {
      return true;
    }
    if (!makeRoom(command.valueLength)) {
      return false;
    }
    long promised = Math.max(promised(), ballot);
    putAccepted(ballot, command);
    buffer.putLong(at + PROMISED, promised);
    return true;
  }

  private Verdict judge(long log, long ballot, int session, long id) {
    if (committed.contains(session, id)) {
      return Verdict.ALREADY_COMMITTED;
    }
    long expected = lastLog() + 1;
    if (log < expected) {
      return Verdict.LOG_TOO_LOW;
    }
    if (log > expected) {
      return Verdict.LOG_TOO_HIGH;
    }
    return ballot < promised() ? Verdict.BALLOT_TOO_LOW : Verdict.ACK;
  }

  private boolean makeRoom(int length) {
    int capacity = buffer.getInt(at + VALUE_CAPACITY);
    if (length <= capacity) {
      return true;
    }
    long grown = memory.allocateReusable(length);
    if (grown == Memory.NONE) {
      return false;
    }
    if (capacity > 0) {
      long old = buffer.getLong(at + VALUE);
      int kept = acceptedBallot() == 0 ? 0 : Math.max(0, buffer.getInt(at + VALUE_LENGTH));
      memory.buffer(grown).put(memory.offset(grown), memory.buffer(old), memory.offset(old), kept);
      memory.release(old, capacity);
    }
    buffer.putLong(at + VALUE, grown);
    buffer.putInt(at + VALUE_CAPACITY, memory.reusableBytes(length));
    return true;
  }
}
