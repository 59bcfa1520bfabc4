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
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A file that one process at a time has locked, and that names this process. The kernel frees the
 * lock when the process ends, however it ends: who holds it runs, whatever the clocks and the
 * process ids say. The file is never deleted: that would let two processes lock two files of one
 * name.
 */
final class KernelLock implements AutoCloseable {
  private static final int PID_BYTES_MAX = 16;

  /**
   * What this JVM holds. Where locks are POSIX's, a process that closes any descriptor of a file
   * loses its lock on it, so that a file of these must not even be opened.
   */
  private static final Set<Path> OURS = new HashSet<>();

  private final Path file;
  private final FileChannel channel;

  private KernelLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Takes the lock without waiting; empty if another holder has it. */
  static synchronized Optional<KernelLock> tryTake(Path file) throws IOException {
    Path real = real(file);
    if (!OURS.add(real)) {
      return Optional.empty();
    }
    boolean taken = false;
    try {
      FileChannel channel =
          FileChannel.open(real, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        if (lock(channel, false)) {
          channel.truncate(0);
          String pid = ProcessHandle.current().pid() + "\n";
          channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
          taken = true;
          return Optional.of(new KernelLock(real, channel));
        }
        return Optional.empty();
      } finally {
        if (!taken) {
          channel.close();
        }
      }
    } finally {
      if (!taken) {
        OURS.remove(real);
      }
    }
  }

  /**
   * Returns whether somebody holds the lock. Whoever asks has it himself for a moment, together
   * with others who ask.
   */
  static synchronized boolean isHeld(Path file) throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    Path real = real(file);
    if (OURS.contains(real)) {
      return true;
    }
    try (FileChannel channel = FileChannel.open(real, StandardOpenOption.READ)) {
      return !lock(channel, true);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** What a sentence says of the holder, such as "pid 4711". */
  static synchronized String holder(Path file) throws IOException {
    if (Files.exists(file) && OURS.contains(real(file))) {
      return "pid " + ProcessHandle.current().pid();
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer pid = ByteBuffer.allocate(PID_BYTES_MAX);
      int read = channel.read(pid, 0);
      String text = new String(pid.array(), 0, Math.max(0, read), StandardCharsets.US_ASCII);
      return text.isBlank() ? "a process that did not leave its id" : "pid " + text.strip();
    }
  }

  private static boolean lock(FileChannel channel, boolean shared) throws IOException {
    try {
      FileLock lock = channel.tryLock(0, Long.MAX_VALUE, shared);
      return lock != null;
    } catch (OverlappingFileLockException e) {
      // Other code of this JVM holds it.
      return false;
    }
  }

  /** The same name for a file however its folder is called. */
  private static Path real(Path file) throws IOException {
    Path absolute = file.toAbsolutePath().normalize();
    return absolute.getParent().toRealPath().resolve(absolute.getFileName());
  }

  @Override
  public void close() throws IOException {
    synchronized (KernelLock.class) {
      if (channel.isOpen()) {
        channel.close();
        OURS.remove(file);
      }
    }
  }
}
