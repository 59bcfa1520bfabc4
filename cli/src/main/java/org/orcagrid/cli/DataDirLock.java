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
package org.orcagrid.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The lock {@code orca.lock} of a data folder. The kernel frees it when the process ends, however
 * it ends, so a lock file that is lying about locks nothing. The file is never deleted: that would
 * let two processes lock two files of one name.
 *
 * <p>For a process with one server: where locks are POSIX's, the kernel frees a lock as soon as its
 * process closes any descriptor of the file, a failed second attempt's too.
 */
final class DataDirLock implements AutoCloseable {
  private static final String NAME = "orca.lock";

  /** Threads of a killed process may outlive the one that tells that it has ended. */
  private static final Duration FREED_LIMIT = Duration.ofSeconds(3);

  private final List<FileChannel> channels;

  private DataDirLock(List<FileChannel> channels) {
    this.channels = List.copyOf(channels);
  }

  /** Takes the lock without waiting; makes the folder if there is none. */
  static DataDirLock acquire(Path dataDir) throws CommandFailure {
    return acquire(dataDir, dataDir);
  }

  /** The same for a server that keeps its log elsewhere: both folders are locked. */
  static DataDirLock acquire(Path dataDir, Path dataLogDir) throws CommandFailure {
    FileChannel data = lock("dataDir", dataDir);
    if (dataLogDir.equals(dataDir)) {
      return new DataDirLock(List.of(data));
    }
    try {
      return new DataDirLock(List.of(data, lock("dataLogDir", dataLogDir)));
    } catch (CommandFailure e) {
      try {
        data.close();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /**
   * Who has locked a data folder, such as "pid 4711"; empty if nobody has. For processes that hold
   * no such lock.
   */
  static Optional<String> holder(Path dataDir) throws CommandFailure {
    Path lock = dataDir.resolve(NAME);
    try {
      return KernelLock.isHeld(lock) ? Optional.of(KernelLock.holder(lock)) : Optional.empty();
    } catch (IOException e) {
      throw new CommandFailure(
          "Cannot tell whether a server uses "
              + dataDir
              + " ("
              + e.getMessage()
              + "); run as the server's user.",
          e);
    }
  }

  /** Fails if a server runs that could not be stopped, for the pid file does not name it. */
  static void requireFree(Path dataDir) throws CommandFailure, InterruptedException {
    Deadline deadline = Deadline.in(FREED_LIMIT);
    if (!deadline.await(() -> holder(dataDir).isEmpty())) {
      throw new CommandFailure(
          "The data folder "
              + dataDir
              + " is in use by a running server, "
              + holder(dataDir).orElse("which ends just now")
              + " where it was started, though orca.pid names no process here; end it there.");
    }
  }

  private static FileChannel lock(String setting, Path dataDir) throws CommandFailure {
    try {
      Files.createDirectories(dataDir);
      FileChannel channel =
          FileChannel.open(
              dataDir.resolve(NAME),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      try {
        lock(setting, dataDir, channel);
        return channel;
      } catch (IOException | CommandFailure e) {
        channel.close();
        throw e;
      }
    } catch (FileSystemException e) {
      String reason = FailureReport.reason(e);
      throw new CommandFailure(
          "Cannot write to the data folder "
              + dataDir
              + " ("
              + reason
              + "); make it writable or choose another "
              + setting
              + ".",
          e);
    } catch (IOException e) {
      throw new CommandFailure(
          "Cannot lock the data folder "
              + dataDir
              + " ("
              + e.getMessage()
              + "); choose a "
              + setting
              + " on a file system with locks.",
          e);
    }
  }

  private static void lock(String setting, Path dataDir, FileChannel channel)
      throws IOException, CommandFailure {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      throw inUse(setting, dataDir, channel, e);
    }
    if (lock == null) {
      throw inUse(setting, dataDir, channel, null);
    }
    channel.truncate(0);
    String pid = ProcessHandle.current().pid() + "\n";
    channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
  }

  private static CommandFailure inUse(
      String setting, Path dataDir, FileChannel channel, Exception cause) throws IOException {
    ByteBuffer holder = ByteBuffer.allocate(16);
    channel.read(holder, 0);
    String pid = new String(holder.array(), 0, holder.position(), StandardCharsets.US_ASCII);
    return new CommandFailure(
        "The data folder "
            + dataDir
            + " is in use by the running server with pid "
            + pid.strip()
            + "; stop that server or choose another "
            + setting
            + ".",
        cause);
  }

  @Override
  public void close() throws IOException {
    for (FileChannel channel : channels) {
      channel.close();
    }
  }
}
