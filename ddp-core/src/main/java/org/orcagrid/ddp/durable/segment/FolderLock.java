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
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A folder that belongs to one medium. The lock is in the file {@code lock}; the kernel frees it
 * when the process ends, however it ends. Its files stay: if they were deleted, two processes could
 * lock two files of one name.
 *
 * <p>POSIX frees a lock as soon as its process closes any descriptor of the file. So whoever is
 * second within a process must not even open {@code lock}. It is refused at {@code lock.jvm}, by
 * the JVM's own table of locks: that lock is shared, and so other processes do not notice it.
 */
public final class FolderLock implements Closeable {
  private final Held within;
  private final Held between;

  /** A lock. The JVM's table forgets one that nobody refers to. */
  private record Held(FileChannel channel, FileLock lock) implements Closeable {
    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  private FolderLock(Held within, Held between) {
    this.within = within;
    this.between = between;
  }

  /**
   * Makes the folder if there is none, durably, and locks it; does not wait.
   *
   * @throws IOException if it is in use, or cannot be written; the message says what to do
   */
  public static FolderLock take(Path folder) throws IOException {
    try {
      DurableFiles.makeFolder(folder.toAbsolutePath());
      Held within = hold(folder, "lock.jvm", true);
      try {
        return new FolderLock(within, hold(folder, "lock", false));
      } catch (IOException | RuntimeException e) {
        within.close();
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

  private static Held hold(Path folder, String name, boolean shared) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve(name),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock(0, Long.MAX_VALUE, shared);
      if (lock == null) {
        throw inUse(folder, null);
      }
      return new Held(channel, lock);
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw inUse(folder, e);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static IOException inUse(Path folder, Exception cause) {
    return new IOException(
        "The folder "
            + folder
            + " is in use: close what has it open or end its process, or choose another folder",
        cause);
  }

  /** The next one of this process is refused until others are not any more. */
  @Override
  public void close() throws IOException {
    try {
      between.close();
    } finally {
      within.close();
    }
  }
}
