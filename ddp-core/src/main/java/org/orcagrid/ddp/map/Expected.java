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
package org.orcagrid.ddp.map;

import java.util.function.Predicate;

/**
 * What a key is to have for a compare-and-set: a stored value that is there at a moment, whatever
 * its own time.
 */
public final class Expected implements Predicate<byte[]> {
  private final byte[] value;
  private final long nowMillis;

  /**
   * An expectation.
   *
   * @param value null if there is to be none
   * @param nowMillis the moment, so that the answer stays the same
   */
  public Expected(byte[] value, long nowMillis) {
    this.value = value;
    this.nowMillis = nowMillis;
  }

  /** The stored value, not a copy; null if there is to be none. */
  public byte[] value() {
    return value;
  }

  /** The moment, in milliseconds since 1970. */
  public long nowMillis() {
    return nowMillis;
  }

  @Override
  public boolean test(byte[] present) {
    return Lifetime.same(Lifetime.isThere(present, nowMillis) ? present : null, value);
  }
}
