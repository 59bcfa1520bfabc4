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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One folder, and who else wants it: of this process, and of another one. */
@Timeout(120)
class FolderLockTest {
  private static final String TAKEN = "taken";

  @TempDir private Path temporary;

  /** Tries to take a folder, as another process than that of the test. */
  public static void main(String[] args) {
    try (FolderLock lock = FolderLock.take(Path.of(args[0]))) {
      System.out.println(lock == null ? "" : TAKEN);
    } catch (IOException e) {
      System.out.println(e.getMessage());
    }
  }

  private static String another(Path folder) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                FolderLockTest.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor());
    return told.strip();
  }

  private static void assertInUse(Path folder, String told) {
    assertTrue(told.startsWith("The folder " + folder + " is in use"), told);
  }

  @Test
  void whoeverIsRefusedHereDoesNotGiveItToAnotherProcess() throws Exception {
    Path folder = temporary.resolve("folder");
    Path sameFolder = Files.createSymbolicLink(temporary.resolve("link"), folder);
    try (FolderLock lock = FolderLock.take(folder)) {
      assertInUse(folder, another(folder));
      for (Path each : List.of(folder, sameFolder, folder.resolve("../folder"))) {
        IOException refusal = assertThrows(IOException.class, () -> FolderLock.take(each).close());
        assertInUse(each, refusal.getMessage());
      }
      assertInUse(folder, another(folder));
      assertTrue(lock != null);
    }
    assertEquals(TAKEN, another(folder));
    FolderLock.take(sameFolder).close();
  }

  /** The JVM keeps its table of locks by weak references. */
  @Test
  void itIsHeldWhenTheGarbageWasCollected() throws Exception {
    Path folder = temporary.resolve("folder");
    try (FolderLock lock = FolderLock.take(folder)) {
      WeakReference<Object> garbage = new WeakReference<>(new Object());
      while (garbage.get() != null) {
        System.gc();
      }
      assertThrows(IOException.class, () -> FolderLock.take(folder).close());
      assertInUse(folder, another(folder));
      assertTrue(lock != null);
    }
  }

  @Test
  void ofManyThreadsOneHasIt() throws Exception {
    Path folder = temporary.resolve("folder");
    AtomicInteger holders = new AtomicInteger();
    AtomicInteger taken = new AtomicInteger();
    AtomicInteger together = new AtomicInteger();
    CountDownLatch begin = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int round = 0; round < 200; round++) {
                  try {
                    begin.await();
                    FolderLock lock = FolderLock.take(folder);
                    taken.incrementAndGet();
                    together.accumulateAndGet(holders.incrementAndGet(), Math::max);
                    holders.decrementAndGet();
                    lock.close();
                  } catch (IOException e) {
                    // Another one has it.
                    assertInUse(folder, e.getMessage());
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                }
              });
      thread.start();
      threads.add(thread);
    }
    begin.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(1, together.get());
    assertTrue(taken.get() > 0);
  }
}
