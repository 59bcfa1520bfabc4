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
package org.apache.zookeeper.server.quorum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PromiseFileTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  @TempDir Path dir;

  private String firstLine() throws IOException {
    return Files.readAllLines(dir.resolve("orcaPromise")).get(0);
  }

  @Test
  void aFreshServerHasPromisedNothing() throws IOException {
    PromiseFile promise = new PromiseFile();
    promise.onStart(dir);
    assertEquals(0, promise.remainingMillis());
  }

  @Test
  void aPromiseHoldsAndIsOnDiskWhenItIsMade() throws IOException {
    PromiseFile promise = new PromiseFile();
    promise.promise(dir, 1, MINUTE);
    assertTrue(promise.remainingMillis() > 50_000);
    assertEquals("60000", firstLine());
  }

  @Test
  void aServerThatStartsAgainWaitsAsLongOnceMore() throws IOException {
    new PromiseFile().promise(dir, 1, MINUTE);
    PromiseFile again = new PromiseFile();
    again.onStart(dir);
    assertTrue(again.remainingMillis() > 50_000);
  }

  @Test
  void aShorterPromiseIsWrittenOnceTheLongerOneIsOver() throws IOException {
    new PromiseFile().promise(dir, 1, MINUTE);
    PromiseFile again = new PromiseFile();
    again.onStart(dir);
    again.promise(dir, 1, TimeUnit.SECONDS.toNanos(1));
    assertTrue(again.remainingMillis() > 50_000, "the old promise still holds");
    assertEquals("60000", firstLine(), "and would after another restart");

    new PromiseFile().promise(dir, 1, TimeUnit.SECONDS.toNanos(1));
    assertEquals("1000", firstLine());
  }

  @Test
  void aLongerPromiseToTheNextLeaderIsWrittenAtOnce() throws IOException {
    PromiseFile promise = new PromiseFile();
    promise.promise(dir, 1, TimeUnit.SECONDS.toNanos(1));
    promise.promise(dir, 2, MINUTE);
    assertEquals("60000", firstLine());
  }

  @Test
  void whoComesBackToTheSameLeaderNeedNotWait() throws Exception {
    PromiseFile promise = new PromiseFile();
    promise.promise(dir, 7, MINUTE);
    promise.keep(7, () -> false);
    assertThrows(InterruptedException.class, () -> promise.keep(8, () -> false));
  }

  @Test
  void aFileThatHoldsSomethingElseStopsTheStart() throws IOException {
    Path file = Files.writeString(dir.resolve("orcaPromise"), "soon");
    IOException refused = assertThrows(IOException.class, () -> new PromiseFile().onStart(dir));
    assertTrue(refused.getMessage().contains(file.toString()), refused.getMessage());
    assertTrue(refused.getMessage().contains("'soon'"), refused.getMessage());
  }

  @Test
  void whoWaitsForItIsToldWhetherItIsKept() throws Exception {
    PromiseFile promise = new PromiseFile();
    promise.keep(2, () -> false);
    promise.promise(dir, 1, TimeUnit.MILLISECONDS.toNanos(20));
    promise.keep(2, () -> true);
    assertEquals(0, promise.remainingMillis());

    promise.promise(dir, 1, MINUTE);
    assertThrows(
        InterruptedException.class,
        () -> promise.keep(2, () -> false),
        "the server is shut down before that");
  }

  @Test
  void aFileThatIsCutOrChangedStopsTheStartAndWhatAPersonWroteDoesNot() throws IOException {
    new PromiseFile().promise(dir, 1, MINUTE);
    Path file = dir.resolve("orcaPromise");
    byte[] good = Files.readAllBytes(file);
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 1;
      Files.write(file, bad);
      assertThrows(IOException.class, () -> new PromiseFile().onStart(dir), "byte " + i);
    }
    Files.writeString(file, "6");
    IOException refused = assertThrows(IOException.class, () -> new PromiseFile().onStart(dir));
    assertTrue(refused.getMessage().contains("echo 600 > " + file), refused.getMessage());

    Files.writeString(file, "60000\n");
    PromiseFile again = new PromiseFile();
    again.onStart(dir);
    assertTrue(again.remainingMillis() > 50_000);
  }

  @Test
  void whatCannotBeWrittenIsNotPromised() {
    PromiseFile promise = new PromiseFile();
    assertThrows(
        IOException.class, () -> promise.promise(dir.resolve("missing").resolve("too"), 1, MINUTE));
    assertEquals(0, promise.remainingMillis());
  }
}
