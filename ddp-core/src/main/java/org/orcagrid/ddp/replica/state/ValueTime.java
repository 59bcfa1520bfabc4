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
package org.orcagrid.ddp.replica.state;

import java.nio.ByteBuffer;

/** Says how long values stay. */
@FunctionalInterface
public interface ValueTime {
  /** So many bytes of a value are enough to know. */
  int HEAD_BYTES = 16;

  /** Of values that stay. */
  ValueTime NEVER = (clock, value) -> Long.MAX_VALUE;

  /**
   * How long a value stays. Of a version whose time is over it never says anything else again.
   *
   * @param clock that of its version
   * @param value from 0 up to its limit the value or at least {@link #HEAD_BYTES} of it,
   *     little-endian; not to be changed or kept
   * @return milliseconds, 0 if its time is over, {@link Long#MAX_VALUE} if it stays for ever
   */
  long leftMillis(long clock, ByteBuffer value);

  /** Whether a value may stay for some time only; one that does not is never looked at. */
  default boolean mayEnd(byte[] value) {
    return true;
  }

  /** Whether the time of a value is over. */
  default boolean isOver(long clock, ByteBuffer value) {
    return leftMillis(clock, value) == 0;
  }
}
