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
package org.orcagrid.ddp.replica;

import java.util.Objects;

/** What a client asks of a replica, and what came of it. */
public final class Operation {

  /** What it does. */
  public enum Kind {
    /** Reads a key. */
    READ,
    /** Writes a key, or removes it if the value is null. */
    WRITE,
    /** Persists the session's scope and begins another one. */
    PERSIST,
    /** Begins a transaction. */
    BEGIN,
    /** Ends a transaction. */
    END,
    /** Gives a transaction up. */
    ABORT
  }

  /** How far it is. */
  public enum Status {
    /** It has not ended. */
    OPEN,
    /** It is done. */
    DONE,
    /** Its transaction was aborted, nothing of which is left. */
    ABORTED
  }

  private final ReplicaSession session;
  private final Kind kind;
  private final Key key;
  private final byte[] value;
  private Status status = Status.OPEN;
  private Write read;
  private long clock;

  private Operation(ReplicaSession session, Kind kind, Key key, byte[] value) {
    this.session = Objects.requireNonNull(session);
    this.kind = kind;
    this.key = key;
    this.value = value;
  }

  /** A read. */
  public static Operation read(ReplicaSession session, Key key) {
    return new Operation(session, Kind.READ, Objects.requireNonNull(key), null);
  }

  /** A write; null removes the key. */
  public static Operation write(ReplicaSession session, Key key, byte[] value) {
    return new Operation(session, Kind.WRITE, Objects.requireNonNull(key), value);
  }

  /** One that is about no key. */
  public static Operation of(ReplicaSession session, Kind kind) {
    return new Operation(session, kind, null, null);
  }

  /** Whose it is. */
  public ReplicaSession session() {
    return session;
  }

  /** What it does. */
  public Kind kind() {
    return kind;
  }

  /** The key, if it is about one. */
  public Key key() {
    return key;
  }

  byte[] value() {
    return value;
  }

  /** How many bytes of a log what it writes takes at most; 0 if it writes nothing. */
  public int loggedBytes() {
    return kind == Kind.WRITE
        ? LogCodec.bytes(new LogRecord.Tentative(0, new Write(key, 0, value))) + Integer.BYTES
        : 0;
  }

  /** How far it is. */
  public Status status() {
    return status;
  }

  /** The version that was read; null if the key was never written. */
  public Write read() {
    return read;
  }

  /** The clock of the version that was written. */
  public long clock() {
    return clock;
  }

  void clock(long written) {
    this.clock = written;
  }

  void done() {
    status = Status.DONE;
  }

  void done(Write found) {
    read = found;
    status = Status.DONE;
  }

  void aborted() {
    status = Status.ABORTED;
  }

  @Override
  public String toString() {
    return kind + (key == null ? "" : " " + key) + " of " + session + ": " + status;
  }
}
