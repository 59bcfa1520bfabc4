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
package org.orcagrid.medium.chronicle;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.ThreadFactory;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.log.LogSettings;

/**
 * Keeps the latest version of each key in Chronicle Map files, however long it is in use. What is
 * appended goes to a log of bounded length and is durable when the log has forced it; a thread of
 * its own puts what is durable into the map, and the log is trimmed behind it.
 *
 * <p>It keeps what {@link DurableMedium} promises, with one difference that {@link RecordKeys} asks
 * for: a record whose key has got a later one, and what the keys say is not to be kept, may or may
 * not be read back. A record that the keys have put in parts is read back as these parts, with one
 * position, or as it was.
 *
 * <p>Chronicle Map by itself promises nothing after a power cut: it changes its file in place, and
 * the kernel writes the pages as it likes. Here the file that counts is never changed, and the
 * other one is forced before it takes its place.
 */
public final class ChronicleMedium implements DurableMedium {
  private final KeyedLog medium;
  private final Thread thread;

  private ChronicleMedium(KeyedLog medium, ThreadFactory threads) {
    this.medium = medium;
    this.thread = threads.newThread(this::bringUpToDate);
  }

  /** The media of maps' journals, which keep the latest version of each key. */
  public static MediumKind kind(ChronicleLimits limits) {
    return MediumKind.of(
        "chronicle", (folder, threads) -> open(folder, limits, new ReplicaKeys(), threads));
  }

  /**
   * Opens a medium; nothing that counts is changed. {@link #replay} comes next.
   *
   * @param folder of its own; made if there is none
   * @param keys which records make which others needless; the same at each start
   * @param threads makes two threads: that which forces the log, and that which fills the map;
   *     nobody else may interrupt them, which ends the medium
   * @throws IOException if the JVM lacks a flag that Chronicle Map needs ({@link ChronicleFlags}),
   *     or if the folder is in use, cannot be read or written, is of another version or is damaged;
   *     the message says what to do
   */
  public static ChronicleMedium open(
      Path folder, ChronicleLimits limits, RecordKeys keys, ThreadFactory threads)
      throws IOException {
    ChronicleFlags.check();
    DiskFolder maps = new DiskFolder(folder);
    DurableMedium log;
    try {
      log = LogMedium.open(new LogSettings(folder.resolve("log"), limits.log()), threads);
    } catch (IOException | RuntimeException e) {
      maps.close();
      throw e;
    }
    return open(log, maps, limits, keys, threads);
  }

  /** The same on another log and another folder: tests have devices that fail. */
  static ChronicleMedium open(
      DurableMedium log,
      MapFolder maps,
      ChronicleLimits limits,
      RecordKeys keys,
      ThreadFactory threads)
      throws IOException {
    try {
      KeyedLog medium = new KeyedLog(log, maps, limits, keys, MapRule.all());
      ChronicleMedium opened = new ChronicleMedium(medium, threads);
      opened.thread.start();
      return opened;
    } catch (IOException | RuntimeException e) {
      try (maps) {
        log.close();
      } catch (IOException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  private void bringUpToDate() {
    try {
      while (medium.awaitAsked()) {
        medium.step();
      }
    } catch (InterruptedException e) {
      IOException failure =
          new InterruptedIOException("The thread that fills the map was interrupted");
      failure.initCause(e);
      medium.fail(failure);
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      // A listener's fault. Without this thread the log would fill up.
      medium.fail(e);
      throw e;
    }
  }

  @Override
  public int recordBytesMax() {
    return medium.recordBytesMax();
  }

  @Override
  public long append(ByteBuffer record) {
    return medium.append(record);
  }

  @Override
  public void force() {
    medium.force();
  }

  @Override
  public long durable() {
    return medium.durable();
  }

  @Override
  public void onProgress(Runnable listener) {
    medium.onProgress(listener);
  }

  @Override
  public Throwable failure() {
    return medium.failure();
  }

  @Override
  public void replay(Replay replay) throws IOException {
    medium.replay(replay);
  }

  @Override
  public void trim(long position) {
    medium.trim(position);
  }

  @Override
  public long bytes() {
    return medium.bytes();
  }

  @Override
  public void close() throws IOException {
    medium.end();
    boolean interrupted = false;
    // A listener may close the medium: its thread ends after it.
    while (thread.isAlive() && thread != Thread.currentThread()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    try {
      medium.close();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
