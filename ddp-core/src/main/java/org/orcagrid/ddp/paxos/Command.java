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

/**
 * A read-modify-write as it is agreed on: whose it is, the version that it has read, and the value
 * that it makes. Reused; holds no memory of its own.
 */
public final class Command {
  /** The session that wants it, numbered over all nodes. */
  public int session;

  /** Its number in the session; later commands of a session have higher ones. */
  public long id;

  /** The version that was read; the command's own has the same clock and one more in the count. */
  public long baseClock;

  /** The version that was read. */
  public long baseRmw;

  /** Where the new value is: a direct buffer. */
  public ByteBuffer value;

  /** Where in the buffer it begins. */
  public int valueAt;

  /** Its length, negative for none. */
  public int valueLength;

  /** Whether two commands are attempts of one and the same read-modify-write. */
  public boolean isOf(int otherSession, long otherId) {
    return session == otherSession && id == otherId;
  }
}
