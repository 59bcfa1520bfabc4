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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Files whose forces can be made to wait or fail, and that remember what was forced. */
final class ScriptedStorage implements LogStorage {
  private final LogStorage files = LogStorage.files();
  private final List<String> events = new ArrayList<>();
  private volatile CountDownLatch forceEntered = new CountDownLatch(0);
  private volatile CountDownLatch forceMayEnd = new CountDownLatch(0);
  private volatile boolean othersPass;
  private volatile boolean forceFails;
  private volatile boolean directoryFails;
  private volatile boolean forceHasNoMemory;

  /**
   * What was done, in order: {@code create}, {@code force}, {@code forceFile}, {@code forceDir}.
   */
  synchronized List<String> events() {
    return List.copyOf(events);
  }

  /** Makes the next forces wait; returns what is counted down when the first has begun. */
  CountDownLatch holdForces() {
    forceMayEnd = new CountDownLatch(1);
    othersPass = false;
    forceEntered = new CountDownLatch(1);
    return forceEntered;
  }

  /** Lets the forces that begin from now on pass; those that wait go on waiting. */
  void letOthersPass() {
    othersPass = true;
  }

  void releaseForces() {
    forceMayEnd.countDown();
  }

  void failForces(boolean fail) {
    forceFails = fail;
  }

  /** Makes the next forces end as when the JVM has no memory. */
  void failForcesWithAnError() {
    forceHasNoMemory = true;
  }

  void failDirectories(boolean fail) {
    directoryFails = fail;
  }

  private synchronized void note(String event, Path path) {
    events.add(event + " " + path.getFileName());
  }

  @Override
  public LogFile create(Path file) throws IOException {
    note("create", file);
    LogFile created = files.create(file);
    return new LogFile() {
      @Override
      public void write(ByteBuffer bytes, long position) throws IOException {
        created.write(bytes, position);
      }

      @Override
      public void force() throws IOException {
        boolean pass = othersPass;
        forceEntered.countDown();
        try {
          if (!pass) {
            forceMayEnd.await();
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException("Interrupted", e);
        }
        if (forceHasNoMemory) {
          throw new OutOfMemoryError("no room for the force");
        }
        if (forceFails) {
          throw new IOException("the disk is gone");
        }
        created.force();
        note("force", file);
      }

      @Override
      public void close() throws IOException {
        created.close();
      }
    };
  }

  @Override
  public void forceFile(Path file) throws IOException {
    files.forceFile(file);
    note("forceFile", file);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    if (directoryFails) {
      throw new IOException("the directory is gone");
    }
    files.forceDirectory(directory);
    note("forceDir", directory);
  }
}
