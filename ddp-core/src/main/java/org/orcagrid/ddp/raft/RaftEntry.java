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

/**
 * An entry of the log: a command of the state machine, new {@link Members}, or nothing. Immutable,
 * as nobody changes its content.
 */
public final class RaftEntry {
  private final long index;
  private final long term;
  private final Members members;
  private final byte[] content;

  private RaftEntry(long index, long term, Members members, byte[] content) {
    this.index = index;
    this.term = term;
    this.members = members;
    this.content = content;
  }

  /** A command, whose bytes nobody changes from now on. */
  public static RaftEntry command(long index, long term, byte[] content) {
    return new RaftEntry(index, term, null, content);
  }

  /** What a leader begins its term with (section 8 of the paper). */
  public static RaftEntry nothing(long index, long term) {
    return new RaftEntry(index, term, null, null);
  }

  /** New members. */
  public static RaftEntry members(long index, long term, Members members) {
    return new RaftEntry(index, term, members, null);
  }

  /** Its place in the log, from 1. */
  public long index() {
    return index;
  }

  /** The term of the leader that has added it. */
  public long term() {
    return term;
  }

  /** The members from this entry on, null if it does not change them. */
  public Members members() {
    return members;
  }

  /** The command's bytes, not to be changed; null if it is none. */
  public byte[] content() {
    return content;
  }

  int bytes() {
    return content == null ? 0 : content.length;
  }

  @Override
  public String toString() {
    return index + "@" + term;
  }
}
