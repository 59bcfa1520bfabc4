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
package org.orcagrid.client;

import java.nio.charset.StandardCharsets;
import org.orcagrid.ddp.store.Bytes;

/** Where a codec reads from, what {@link Output} has written. */
public final class Input {
  private Bytes bytes;
  private int at;

  Input() {}

  Input begin(Bytes from) {
    bytes = from;
    at = 0;
    return this;
  }

  private int take(int count) {
    if (count < 0 || at + count > bytes.length()) {
      throw new IllegalStateException(
          "A value of "
              + bytes.length()
              + " bytes ends at "
              + at
              + " where "
              + count
              + " more are expected: it was written by another codec");
    }
    int from = at;
    at += count;
    return from;
  }

  /** Reads 8 bytes. */
  public long getLong() {
    return bytes.buffer().getLong(take(Long.BYTES));
  }

  /** Reads 4 bytes. */
  public int getInt() {
    return bytes.buffer().getInt(take(Integer.BYTES));
  }

  /** Reads a byte. */
  public byte getByte() {
    return bytes.buffer().get(take(1));
  }

  /** Reads so many bytes. */
  public byte[] getBytes(int count) {
    int from = take(count);
    byte[] copy = new byte[count];
    bytes.buffer().get(from, copy);
    return copy;
  }

  /** Reads a text with its length. */
  public String getString() {
    return new String(getBytes(getInt()), StandardCharsets.UTF_8);
  }

  /** Reads all that is left. */
  public byte[] remainingBytes() {
    return getBytes(bytes.length() - at);
  }
}
