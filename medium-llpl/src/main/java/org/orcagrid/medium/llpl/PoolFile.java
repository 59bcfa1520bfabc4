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
package org.orcagrid.medium.llpl;

import com.intel.pmem.llpl.MemoryBlock;
import java.nio.ByteBuffer;
import org.orcagrid.ddp.durable.segment.SegmentFile;

/** A block of a pool, forced by ranges. */
final class PoolFile implements SegmentFile {
  private static final int PIECE_BYTES = 16 << 10;

  private final MemoryBlock block;
  private final int bytes;

  /** llpl takes arrays only; the log writes from memory outside the heap. */
  private byte[] piece = new byte[0];

  PoolFile(MemoryBlock block, int bytes) {
    this.block = block;
    this.bytes = bytes;
  }

  private byte[] piece(int length) {
    if (piece.length < length) {
      piece = new byte[Math.min(PIECE_BYTES, Math.max(length, 2 * piece.length))];
    }
    return piece;
  }

  @Override
  public int size() {
    return bytes;
  }

  @Override
  public void read(ByteBuffer into, int position) {
    int at = position;
    while (into.hasRemaining() && at < bytes) {
      int length = Math.min(Math.min(into.remaining(), bytes - at), PIECE_BYTES);
      byte[] array = piece(length);
      block.copyToArray(at, array, 0, length);
      into.put(array, 0, length);
      at += length;
    }
  }

  @Override
  public void write(ByteBuffer from, int position) {
    int at = position;
    while (from.hasRemaining()) {
      int length = Math.min(from.remaining(), PIECE_BYTES);
      byte[] array = piece(length);
      from.get(array, 0, length);
      block.copyFromArray(array, 0, at, length);
      at += length;
    }
  }

  @Override
  public void force(int position, int length) {
    if (length > 0) {
      block.flush(position, length);
    }
  }

  @Override
  public void close() {
    // The block stays where it is.
  }
}
