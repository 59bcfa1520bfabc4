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
package org.orcagrid.ddp.durable.log;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadFactory;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.segment.SegmentFiles;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.durable.segment.SegmentMedium;

/**
 * A log in ordinary files, on any file system whose {@code fdatasync} tells the truth. A thread of
 * its own writes what has gathered as one frame and forces it; what is appended meanwhile is the
 * next frame.
 *
 * <p>It relies on this of a disk: a force that has returned is kept, and a sector that is being
 * written loses nothing that it held before and is given again. It relies on nothing else: not on
 * the order of writes, and not on the sectors of a frame being written together.
 *
 * <p>A failed write or force is final. It is not tried again: after a failed fsync the kernel may
 * have dropped what it could not write, and the next one would succeed without it.
 */
public final class LogMedium extends SegmentMedium {
  private final ThreadFactory threads;

  /** Null as long as nothing was appended. */
  private Thread thread;

  private LogMedium(SegmentFiles files, SegmentLimits limits, ThreadFactory threads)
      throws IOException {
    super(files, limits);
    this.threads = threads;
  }

  /** Logs with these limits. */
  public static MediumKind kind(SegmentLimits limits) {
    return MediumKind.of(
        "log", (folder, threads) -> open(new ChannelFiles(folder), limits, threads));
  }

  /**
   * Opens a log; nothing that is in the folder is changed. {@link #replay} comes next.
   *
   * @param threads makes the thread that forces; nobody else may interrupt it, which ends the log
   * @throws IOException if the folder is in use, cannot be read or written, is of another version
   *     or is damaged; the message names the file and says what to do
   */
  public static LogMedium open(LogSettings settings, ThreadFactory threads) throws IOException {
    return open(new ChannelFiles(settings.folder()), settings.limits(), threads);
  }

  /** The same on other files: tests have a device that fails. */
  static LogMedium open(SegmentFiles files, SegmentLimits limits, ThreadFactory threads)
      throws IOException {
    return new LogMedium(files, limits, threads);
  }

  @Override
  public long append(ByteBuffer record) {
    if (thread == null) {
      thread = threads.newThread(this::forceWhatGathers);
      thread.start();
    }
    return super.append(record);
  }

  private void forceWhatGathers() {
    try {
      while (awaitAsked()) {
        step();
        makeSpare();
      }
    } catch (InterruptedException e) {
      IOException failure =
          new InterruptedIOException("The thread that forces the log was interrupted");
      failure.initCause(e);
      fail(failure);
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      // A listener's fault. Without this thread nothing would become durable any more.
      fail(e);
      throw e;
    }
  }

  @Override
  public void force() {
    ask();
  }

  @Override
  public void close() throws IOException {
    end();
    boolean interrupted = false;
    // A listener may close the medium: its thread ends after it.
    while (thread != null && thread.isAlive() && thread != Thread.currentThread()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    try {
      super.close();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
