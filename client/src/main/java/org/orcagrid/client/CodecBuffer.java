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

import java.util.Arrays;
import org.orcagrid.ddp.store.Bytes;

/** Turns values into bytes and back with a codec, in buffers of its own. For one thread. */
public final class CodecBuffer {
  private static final int CAPACITY = 64;

  private final Bytes bytes = new Bytes(CAPACITY);
  private final Output output = new Output();
  private final Input input = new Input();

  /** A value as bytes; null for null. */
  public <T> byte[] encode(Codec<T> codec, T value) {
    if (value == null) {
      return null;
    }
    codec.write(value, output.begin(bytes));
    output.end();
    return bytes.toArray();
  }

  /** The value that bytes stand for; null for null. */
  public <T> T decode(Codec<T> codec, byte[] from) {
    if (from == null) {
      return null;
    }
    bytes.set(from);
    return codec.read(input.begin(bytes));
  }

  /** Whether two values of a codec are the same: whether their bytes are. */
  public <T> boolean isSame(Codec<T> codec, T one, T other) {
    return Arrays.equals(encode(codec, one), encode(codec, other));
  }
}
