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
package org.orcagrid.ddp.durable.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder of the file system that belongs to this process. What extends it says how the bytes of a
 * file are reached.
 */
public abstract class SegmentFolder implements SegmentFiles {
  private static final int ZEROS_BYTES = 256 << 10;
  private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(ZEROS_BYTES).asReadOnlyBuffer();

  private final Path folder;
  private final FolderLock lock;

  /**
   * Makes the folder if there is none, and locks it.
   *
   * @throws IOException if that cannot be; the message says what to do
   */
  protected SegmentFolder(Path folder) throws IOException {
    this.folder = folder;
    this.lock = FolderLock.take(folder);
  }

  /** The bytes of a file that was opened for reading and writing; closes it if that fails. */
  protected abstract SegmentFile file(Path path, FileChannel channel) throws IOException;

  @Override
  public final List<String> list() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(each -> each.getFileName().toString()).filter(SegmentName::matches).toList();
    }
  }

  @Override
  public final SegmentFile open(String name) throws IOException {
    Path path = folder.resolve(name);
    return file(path, channel(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  @Override
  public final SegmentFile allocate(String name, int bytes) throws IOException {
    Path path = folder.resolve(name);
    FileChannel channel =
        channel(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      long size = channel.size();
      if (size > bytes) {
        channel.truncate(bytes);
      } else if (size < bytes) {
        fill(channel, size, bytes);
      }
    } catch (IOException e) {
      Closing.after(e, channel);
      throw new IOException(
          "Cannot make " + path + " " + bytes + " bytes long (" + e.getMessage() + ")", e);
    }
    return file(path, channel);
  }

  /**
   * Real zeros, as a file with holes may find no room for them later, and filling a hole changes
   * the file system's own records with each force.
   */
  private static void fill(FileChannel channel, long from, long to) throws IOException {
    ByteBuffer zeros = ZEROS.duplicate();
    long at = from;
    while (at < to) {
      zeros.position(0).limit((int) Math.min(ZEROS_BYTES, to - at));
      at += channel.write(zeros, at);
    }
  }

  private static FileChannel channel(Path path, StandardOpenOption... options) throws IOException {
    try {
      return FileChannel.open(path, options);
    } catch (FileSystemException e) {
      throw new IOException(
          "Cannot open "
              + path
              + " ("
              + FolderLock.reason(e)
              + "): it must be a file that this process may read and write",
          e);
    }
  }

  @Override
  public final void syncFolder() throws IOException {
    DurableFiles.sync(folder);
  }

  @Override
  public final String path(String name) {
    return folder.resolve(name).toString();
  }

  @Override
  public final void close() throws IOException {
    lock.close();
  }
}
