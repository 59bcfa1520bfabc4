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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EpochFilesTest {
  private static final long EPOCH = 12;
  private static final long LAST_ZXID = (EPOCH << 32) + 7;
  private static final String CURRENT = "currentEpoch";
  private static final String ACCEPTED = "acceptedEpoch";

  @TempDir Path dir;

  private EpochFiles files;

  @BeforeEach
  void write() throws IOException {
    files = new EpochFiles(dir);
    files.check(0);
    files.write(CURRENT, 0);
    files.write(ACCEPTED, 0);
    for (long epoch = 1; epoch <= EPOCH; epoch++) {
      files.write(ACCEPTED, epoch);
      files.write(CURRENT, epoch);
    }
  }

  private String firstLine(String name) throws IOException {
    return Files.readAllLines(dir.resolve(name)).get(0);
  }

  private IOException refused(long lastZxid) {
    return assertThrows(IOException.class, () -> files.check(lastZxid));
  }

  @Test
  void whatWasWrittenIsGoodAndItsFirstLineIsStocks() throws IOException {
    files.check(LAST_ZXID);
    assertEquals(List.of("12", "12"), List.of(firstLine(CURRENT), firstLine(ACCEPTED)));
  }

  @Test
  void everyFlippedBitIsRefusedAndTheFileIsNamed() throws IOException {
    for (String name : List.of(CURRENT, ACCEPTED)) {
      Path file = dir.resolve(name);
      byte[] good = Files.readAllBytes(file);
      for (int bit = 0; bit < good.length * Byte.SIZE; bit++) {
        byte[] bad = good.clone();
        bad[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        Files.write(file, bad);
        String said = refused(0).getMessage();
        assertTrue(said.contains(file.toString()) && said.contains("empty this server's"), said);
      }
      Files.write(file, good);
    }
  }

  @Test
  void aFileThatIsCutIsRefusedUnlessItsNumberIsWhole() throws IOException {
    for (String name : List.of(CURRENT, ACCEPTED)) {
      Path file = dir.resolve(name);
      byte[] good = Files.readAllBytes(file);
      for (int length = 0; length < good.length; length++) {
        Files.write(file, Arrays.copyOf(good, length));
        if (length == 2 || length == 3) {
          files.check(0);
          assertEquals("12", firstLine(name));
        } else {
          refused(0);
        }
      }
      Files.write(file, good);
    }
  }

  @Test
  void aFileThatIsGoneIsRefusedWithWhatWasInIt() throws IOException {
    Files.delete(dir.resolve(ACCEPTED));
    String said = refused(LAST_ZXID).getMessage();
    assertTrue(said.contains(dir.resolve(ACCEPTED) + " is missing"), said);
    assertTrue(said.contains("write 12 into it"), said);
  }

  @Test
  void whatAStockServerHasWrittenIsTakenAndGetsACheck() throws IOException {
    Files.writeString(dir.resolve(ACCEPTED), "14");
    Files.writeString(dir.resolve(CURRENT), "13");
    files.check(LAST_ZXID);
    assertEquals(List.of("13", "14"), List.of(firstLine(CURRENT), firstLine(ACCEPTED)));

    Files.writeString(
        dir.resolve(CURRENT), Files.readString(dir.resolve(CURRENT)).replace('3', '4'));
    assertTrue(refused(0).getMessage().contains("its check is wrong"));
  }

  @Test
  void whatAStockServerCannotHaveWrittenIsRefused() throws IOException {
    Files.writeString(dir.resolve(CURRENT), "10");
    assertTrue(refused(0).getMessage().contains("was 11 when"), "it was, before it was 12");
    Files.writeString(dir.resolve(CURRENT), "13");
    assertTrue(refused(0).getMessage().contains("which is never higher"));

    Files.delete(dir.resolve(CURRENT));
    Files.delete(dir.resolve(ACCEPTED));
    files.check(LAST_ZXID);
    Files.writeString(dir.resolve(CURRENT), "11");
    assertTrue(refused(LAST_ZXID).getMessage().contains("is of epoch 12"));
  }

  @Test
  void aCurrentEpochThatWasNotFinishedCountsIfItIsHighEnough() throws IOException {
    Files.writeString(dir.resolve(CURRENT), "12");
    Files.writeString(dir.resolve(ACCEPTED), "13");
    Files.writeString(dir.resolve(CURRENT + ".tmp"), "13");
    files.check(LAST_ZXID + (1L << 32));
    Files.writeString(dir.resolve(CURRENT + ".tmp"), "1");
    refused(LAST_ZXID + (1L << 32));
    Files.writeString(dir.resolve(CURRENT + ".tmp"), "");
    refused(LAST_ZXID + (1L << 32));
    assertFalse(Files.exists(dir.resolve(ACCEPTED + ".tmp")));
  }
}
