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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PidFileTest {
  private static final ProcessHandle SELF = ProcessHandle.current();

  @TempDir Path dataDir;
  private PidFile pidFile;

  @BeforeEach
  void locate() {
    pidFile = PidFile.in(dataDir);
  }

  @Test
  void findsTheRecordedProcess() throws Exception {
    pidFile.write(SELF);
    assertEquals(Optional.of(SELF.pid()), pidFile.running().map(ServerProcess::pid));
    assertEquals(Long.toString(SELF.pid()), Files.readAllLines(pidFile.file()).get(0));
  }

  @Test
  void aStrangerWithTheSamePidIsNotOurs() throws Exception {
    long otherStartMs = SELF.info().startInstant().map(Instant::toEpochMilli).orElseThrow() - 5_000;
    Files.write(pidFile.file(), List.of(Long.toString(SELF.pid()), Long.toString(otherStartMs)));
    assertEquals(Optional.empty(), pidFile.running());
  }

  @Test
  void whereTheKernelTellsItNoClockIsAsked() throws Exception {
    Path stat = Path.of("/proc/self/stat");
    assumeTrue(Files.exists(stat), "skipped: there is no " + stat);
    pidFile.write(SELF);
    String text = Files.readString(stat);
    String ticks = text.substring(text.lastIndexOf(')') + 2).split(" ")[19];
    String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    String pid = Long.toString(SELF.pid());
    assertEquals(
        List.of(pid, ticks + " " + boot), Files.readAllLines(pidFile.file()).subList(0, 2));

    Files.write(pidFile.file(), List.of(pid, ticks + "1 " + boot));
    assertEquals(Optional.empty(), pidFile.running(), "started later");
    Files.write(pidFile.file(), List.of(pid, ticks + " " + UUID.randomUUID()));
    assertEquals(Optional.empty(), pidFile.running(), "started after another boot");
  }

  @Test
  void aFileOfAnEarlierVersionIsUnderstood() throws Exception {
    long startMs = SELF.info().startInstant().map(Instant::toEpochMilli).orElseThrow();
    Files.write(pidFile.file(), List.of(Long.toString(SELF.pid()), Long.toString(startMs)));
    assertEquals(Optional.of(SELF.pid()), pidFile.running().map(ServerProcess::pid));
  }

  @Test
  void aCopiedFolderDoesNotNameTheProcessOfTheOriginal(@TempDir Path copy) throws Exception {
    pidFile.write(SELF);
    Files.copy(pidFile.file(), PidFile.in(copy).file());
    assertEquals(Optional.empty(), PidFile.in(copy).running());
    assertEquals(Optional.of(SELF.pid()), pidFile.running().map(ServerProcess::pid));
  }

  @Test
  void nobodyReadsAHalfOfIt() throws Exception {
    pidFile.write(SELF);
    CompletableFuture<Void> writes =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < 2_000; i++) {
                try {
                  pidFile.write(SELF);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            });
    while (!writes.isDone()) {
      assertEquals(Optional.of(SELF.pid()), pidFile.running().map(ServerProcess::pid));
    }
    writes.get();
  }

  @Test
  void anEndedProcessIsNotRunning() throws Exception {
    Process child = new ProcessBuilder("true").start();
    pidFile.write(child.toHandle());
    child.waitFor();
    assertEquals(Optional.empty(), pidFile.running());
  }

  @Test
  void noFileMeansNoProcess() throws Exception {
    assertEquals(Optional.empty(), pidFile.running());
    pidFile.delete();
  }

  @Test
  void aForeignFileIsAFailure() throws Exception {
    Files.writeString(pidFile.file(), "4711\n");
    CommandFailure failure = assertThrows(CommandFailure.class, pidFile::running);
    assertTrue(failure.getMessage().contains("not a pid file"), failure.getMessage());
  }
}
