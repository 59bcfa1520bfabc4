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
import java.nio.ByteBuffer;
import java.nio.file.Path;
import jdk.nio.mapmode.ExtendedMapMode;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.segment.SegmentFiles;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.durable.segment.SegmentMedium;

/**
 * A log in persistent memory: on a file system that was mounted with DAX, the log's files are
 * mapped in mode {@code READ_WRITE_SYNC}, and persisting is a write-back of cache lines.
 *
 * <p>That takes less time than to wake another thread, so there is none: {@link #force} makes
 * everything durable before it returns, and {@link #onProgress}'s listener runs in it. {@link
 * #append} does so too when what has gathered leaves no room. The files' format is that of the log
 * in ordinary files.
 *
 * <p>It was tried out on an emulated NVDIMM with DAX ({@code build/lab.sh dax}) and with simulated
 * power cuts; nobody has cut the power of real persistent memory under it.
 *
 * <p>Mappings are kept as long as the medium, and go when the garbage collector finds that nobody
 * holds them any more.
 */
public final class NvmMedium extends SegmentMedium {

  private NvmMedium(SegmentFiles files, SegmentLimits limits) throws IOException {
    super(files, limits);
  }

  /** Logs on a DAX file system, with these limits. */
  public static MediumKind kind(SegmentLimits limits) {
    return MediumKind.of("nvm", (folder, threads) -> open(folder, limits));
  }

  /**
   * Opens a log; nothing that is in the folder is changed. {@link #replay} comes next.
   *
   * @param folder of its own on a DAX file system; made if there is none
   * @throws IOException if the file system is not DAX, or if the folder is in use, cannot be read
   *     or written, is of another version or is damaged; the message says what to do
   */
  public static NvmMedium open(Path folder, SegmentLimits limits) throws IOException {
    return open(dax(folder), limits);
  }

  private static SegmentFiles dax(Path folder) throws IOException {
    return new MappedFiles(folder, ExtendedMapMode.READ_WRITE_SYNC);
  }

  /** The same with another kind of mapping, or on a device that fails: tests have no DAX. */
  static NvmMedium open(SegmentFiles files, SegmentLimits limits) throws IOException {
    return new NvmMedium(files, limits);
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
