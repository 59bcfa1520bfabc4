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
package org.orcagrid.client.concurrent;

import org.orcagrid.client.Codec;
import org.orcagrid.client.CodecBuffer;

/**
 * A structure's items as bytes and back. Variables are compared by their bytes, and hold an item as
 * it was written once: a codec may write the same item in another way the next time. For many
 * threads.
 */
final class Items<E> {
  private final Codec<E> codec;

  /** Of this structure: a static one would be shared by all. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<CodecBuffer> buffers = ThreadLocal.withInitial(CodecBuffer::new);

  Items(Codec<E> codec) {
    this.codec = codec;
  }

  ItemBytes bytes(E item) {
    return new ItemBytes(buffers.get().encode(codec, item));
  }

  E item(ItemBytes bytes) {
    return buffers.get().decode(codec, bytes.bytes());
  }
}
