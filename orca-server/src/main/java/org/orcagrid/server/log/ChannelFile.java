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
package org.orcagrid.server.log;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.orcagrid.cad.FlushSchedule;

/**
 * A log file of the file system.
 *
 * <p>Each force that runs has a descriptor of its own, opened before anything was written: Linux
 * reports a failed write once per descriptor, so that of two forces on one descriptor the wrong one
 * might be told that all is well.
 */
final class ChannelFile implements LogStorage.LogFile {

  private final FileChannel writer;
  private final List<FileChannel> open = new ArrayList<>();
  private final BlockingQueue<FileChannel> idle =
      new ArrayBlockingQueue<>(FlushSchedule.RUNNING_MAX);

  /** An empty file, in the place of one of that name. */
  ChannelFile(Path file) throws IOException {
    try {
      writer =
          opened(
              FileChannel.open(
                  file,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.TRUNCATE_EXISTING,
                  StandardOpenOption.WRITE));
      for (int i = 0; i < FlushSchedule.RUNNING_MAX; i++) {
        idle.add(opened(FileChannel.open(file, StandardOpenOption.WRITE)));
      }
    } catch (IOException e) {
      closeAll(e);
      throw e;
    }
  }

  private FileChannel opened(FileChannel channel) {
    open.add(channel);
    return channel;
  }

  @Override
  public void write(ByteBuffer bytes, long position) throws IOException {
    long at = position;
    while (bytes.hasRemaining()) {
      at += writer.write(bytes, at);
    }
  }

  @Override
  public void force() throws IOException {
    FileChannel channel;
    try {
      channel = idle.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted before the log was forced");
    }
    try {
      channel.force(false);
    } finally {
      idle.add(channel);
    }
  }

  @Override
  public void close() throws IOException {
    IOException failure = closeAll(null);
    if (failure != null) {
      throw failure;
    }
  }

  private IOException closeAll(IOException earlier) {
    IOException failure = earlier;
    for (Closeable each : open) {
      try {
        each.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    return failure;
  }
}
