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

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
