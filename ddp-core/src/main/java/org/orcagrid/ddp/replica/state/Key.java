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
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.Records;

/** A key: bytes that do not change. */
public final class Key {
  /** A key has at most so many bytes. */
  public static final int BYTES_MAX = Records.KEY_BYTES_MAX;

  private final byte[] bytes;
  private final long hash;

  private Key(byte[] bytes) {
    this.bytes = bytes;
    this.hash = KeyHash.hash(bytes);
  }

  /**
   * The key of these bytes, which are copied.
   *
   * @throws IllegalArgumentException if there are more than {@link #BYTES_MAX}
   */
  public static Key of(byte[] bytes) {
    return ofOwn(bytes.clone());
  }

  /**
   * The key of these bytes, which nobody else has.
   *
   * @throws IllegalArgumentException if there are more than {@link #BYTES_MAX}
   */
  public static Key ofOwn(byte[] bytes) {
    if (bytes.length > BYTES_MAX) {
      throw new IllegalArgumentException(
          "A key has at most " + BYTES_MAX + " bytes, not " + bytes.length);
    }
    return new Key(bytes);
  }

  /** The key of a text. */
  public static Key of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A copy of its bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Puts its bytes at the position of {@code out}. */
  public void copyTo(ByteBuffer out) {
    out.put(bytes);
  }

  /** Its bytes, which are not to be changed. */
  byte[] shared() {
    return bytes;
  }

  /** The hash of its bytes, the same in every process. */
  long hash() {
    return hash;
  }

  /** How many bytes it has. */
  public int length() {
    return bytes.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Key key && hash == key.hash && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(hash);
  }

  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
