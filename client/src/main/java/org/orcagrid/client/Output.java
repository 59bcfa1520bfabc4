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

/** Where a codec writes to. Little-endian. */
public final class Output {
  private Bytes bytes;
  private int at;

  Output() {}

  Output begin(Bytes into) {
    bytes = into;
    at = 0;
    return this;
  }

  void end() {
    bytes.length(at);
  }

  private void room(int more) {
    bytes.grow(at, at + more);
  }

  /** Writes 8 bytes. */
  public Output putLong(long value) {
    room(Long.BYTES);
    bytes.buffer().putLong(at, value);
    at += Long.BYTES;
    return this;
  }

  /** Writes 4 bytes. */
  public Output putInt(int value) {
    room(Integer.BYTES);
    bytes.buffer().putInt(at, value);
    at += Integer.BYTES;
    return this;
  }

  /** Writes a byte. */
  public Output putByte(byte value) {
    room(1);
    bytes.buffer().put(at, value);
    at++;
    return this;
  }

  /** Writes bytes without their number: to be the last, or of a known number. */
  public Output putBytes(byte[] value) {
    room(value.length);
    bytes.buffer().put(at, value, 0, value.length);
    at += value.length;
    return this;
  }

  /** Writes a text with its length. */
  public Output putString(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    return putInt(utf8.length).putBytes(utf8);
  }
}
