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
package org.orcagrid.ddp.durable.nvm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import org.orcagrid.ddp.durable.segment.SegmentFile;

/** A file that is mapped, and forced by ranges. */
final class MappedFile implements SegmentFile {
  private final MappedByteBuffer mapping;

  MappedFile(MappedByteBuffer mapping) {
    this.mapping = mapping;
  }

  @Override
  public int size() {
    return mapping.capacity();
  }

  @Override
  public void read(ByteBuffer into, int position) {
    int bytes = Math.min(into.remaining(), mapping.capacity() - position);
    if (bytes > 0) {
      into.put(into.position(), mapping, position, bytes);
      into.position(into.position() + bytes);
    }
  }

  @Override
  public void write(ByteBuffer from, int position) {
    mapping.put(position, from, from.position(), from.remaining());
    from.position(from.limit());
  }

  @Override
  public void force(int position, int bytes) throws IOException {
    try {
      mapping.force(position, bytes);
    } catch (UncheckedIOException e) {
      throw new IOException("Cannot force a mapped file (" + e.getMessage() + ")", e);
    }
  }

  @Override
  public void close() {
    // The mapping is kept for the next time that the file is opened.
  }
}
