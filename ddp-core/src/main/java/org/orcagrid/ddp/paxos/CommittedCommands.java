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

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The last read-modify-write of each session that this node knows to be committed. Since a session
 * has one under way at a time, this tells for any of its commands whether it is done, and so keeps
 * one that others have helped to finish from being done twice.
 *
 * <p>The numbers of a session's commands begin with the generation of its node, above {@link
 * #NUMBER_BITS}. A node that follows another one at its place has sessions of the same numbers,
 * whose commands say nothing about the old ones: one of those that somebody finds accepted must be
 * finished, and its own session is not there any more to do it twice.
 *
 * <p>Safe for use by many threads.
 */
public final class CommittedCommands {
  /** The bits of a command's number that count within one generation. */
  public static final int NUMBER_BITS = 40;

  private final AtomicLongArray last;

  /** For sessions below {@code sessions}. */
  public CommittedCommands(int sessions) {
    this.last = new AtomicLongArray(sessions);
  }

  /** Whether the command is committed, as far as this node knows. */
  public boolean contains(int session, long id) {
    long known = last.get(session);
    return known >= id && known >>> NUMBER_BITS == id >>> NUMBER_BITS;
  }

  /** The command is committed. */
  public void add(int session, long id) {
    if (last.get(session) < id) {
      last.accumulateAndGet(session, id, Math::max);
    }
  }

  /** The last committed command of a session, as far as this node knows; 0 if there is none. */
  public long last(int session) {
    return last.get(session);
  }

  /** How many sessions there are. */
  public int sessions() {
    return last.length();
  }

  /** Whether there is such a session. */
  public boolean knows(int session) {
    return session >= 0 && session < last.length();
  }

  /** Forgets everything. */
  public void clear() {
    for (int session = 0; session < last.length(); session++) {
      last.set(session, 0);
    }
  }
}
