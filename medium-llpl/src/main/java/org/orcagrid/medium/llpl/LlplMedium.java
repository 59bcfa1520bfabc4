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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.segment.SegmentFiles;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.durable.segment.SegmentMedium;

/**
 * A log in a pool of PMDK on persistent memory, by way of Intel's llpl. The segments are blocks of
 * the pool, and what is in them has the format of the log in files.
 *
 * <p>It has no thread: {@link #force} makes everything durable before it returns, by a write-back
 * of cache lines, and {@link #onProgress}'s listener runs in it. {@link #append} does so too when
 * what has gathered leaves no room.
 *
 * <p>llpl writes cache lines back and nothing else, wherever the pool may lie. On a file system
 * that is not mounted with DAX that survives the end of the process and no power cut, so such a
 * folder is refused.
 *
 * <p>llpl has no way to close a pool: it stays mapped, and no other process can open it, until this
 * process ends. A second medium of the same process can, after this one was closed.
 */
public final class LlplMedium extends SegmentMedium {

  private LlplMedium(SegmentFiles files, SegmentLimits limits) throws IOException {
    super(files, limits);
  }

  /** Pools with these limits. */
  public static MediumKind kind(SegmentLimits limits) {
    return MediumKind.of("llpl", (folder, threads) -> open(folder, limits));
  }

  /**
   * Opens a log, or makes one; nothing that is in the pool is changed. {@link #replay} comes next.
   *
   * @param folder of its own on a DAX file system; made if there is none
   * @param limits which may be others at each start, but the pool keeps the size that it got from
   *     those of the first one
   * @throws IOException if PMDK is not installed, if the file system is not DAX, or if the folder
   *     is in use, cannot be read or written, or is damaged; the message says what to do
   */
  public static LlplMedium open(Path folder, SegmentLimits limits) throws IOException {
    return open(PoolFolder.onPersistentMemory(folder, limits), limits);
  }

  /** The same in any pool, or on a device that fails: tests have no DAX. */
  static LlplMedium open(SegmentFiles files, SegmentLimits limits) throws IOException {
    return new LlplMedium(files, limits);
  }

  @Override
  public long append(ByteBuffer record) {
    long position = super.append(record);
    return position == NOTHING && step() ? super.append(record) : position;
  }

  @Override
  public void force() {
    step();
  }
}
