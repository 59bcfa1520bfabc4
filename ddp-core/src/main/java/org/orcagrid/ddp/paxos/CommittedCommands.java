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
 * <p>Safe for use by many threads.
 */
public final class CommittedCommands {
  private final AtomicLongArray last;

  /** For sessions below {@code sessions}. */
  public CommittedCommands(int sessions) {
    this.last = new AtomicLongArray(sessions);
  }

  /** Whether the command is committed, as far as this node knows. */
  public boolean contains(int session, long id) {
    return last.get(session) >= id;
  }

  /** The command is committed. */
  public void add(int session, long id) {
    if (last.get(session) < id) {
      last.accumulateAndGet(session, id, Math::max);
    }
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
