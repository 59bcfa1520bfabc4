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

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A folder that belongs to one medium. The lock is in the file {@code lock}; the kernel frees it
 * when the process ends, however it ends, and the file stays: if it were deleted, two processes
 * could lock two files of one name.
 *
 * <p>Between processes. Of one process a second medium is refused too, but its attempt ends the
 * lock that other processes see: POSIX frees a lock when its process closes any descriptor of the
 * file.
 */
public final class FolderLock implements Closeable {
  private final FileChannel channel;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Makes the folder if there is none, durably, and locks it; does not wait.
   *
   * @throws IOException if it is in use, or cannot be written; the message says what to do
   */
  public static FolderLock take(Path folder) throws IOException {
    try {
      DurableFiles.makeFolder(folder.toAbsolutePath());
      FileChannel channel =
          FileChannel.open(
              folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        lock(folder, channel);
        return new FolderLock(channel);
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    } catch (FileSystemException e) {
      throw new IOException(
          "Cannot write to the folder "
              + folder
              + " ("
              + reason(e)
              + "): make it writable, or choose another one",
          e);
    }
  }

  static String reason(FileSystemException e) {
    String kind = e.getClass().getSimpleName().replace("Exception", "");
    return e.getReason() == null ? kind : e.getReason();
  }

  private static void lock(Path folder, FileChannel channel) throws IOException {
    try {
      if (channel.tryLock() != null) {
        return;
      }
    } catch (OverlappingFileLockException e) {
      throw inUse(folder, e);
    }
    throw inUse(folder, null);
  }

  private static IOException inUse(Path folder, Exception cause) {
    return new IOException(
        "The folder "
            + folder
            + " is in use: close what has it open or end its process, or choose another folder",
        cause);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
