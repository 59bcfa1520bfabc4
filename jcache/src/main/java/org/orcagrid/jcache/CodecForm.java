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
package org.orcagrid.jcache;

import org.orcagrid.client.Codec;
import org.orcagrid.client.CodecBuffer;

/** The bytes that a {@link Codec} of the program's writes. */
final class CodecForm<T> implements Form<T> {
  private final Codec<T> codec;

  /** Of this cache: a buffer is for one thread. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<CodecBuffer> buffers = ThreadLocal.withInitial(CodecBuffer::new);

  CodecForm(Codec<T> codec) {
    this.codec = codec;
  }

  @Override
  public byte[] encode(T object) {
    return buffers.get().encode(codec, object);
  }

  @Override
  public T decode(byte[] bytes) {
    return buffers.get().decode(codec, bytes);
  }
}
