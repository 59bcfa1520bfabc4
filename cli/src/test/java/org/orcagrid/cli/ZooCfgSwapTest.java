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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZooCfgSwapTest {
  private static final String OLD = "dynamicConfigFile=/d/1\norca.durability=cad\ntickTime=1\n";
  private static final String FOLLOWED = OLD.replace("/d/1", "/d/2");

  @TempDir Path folder;
  private Path zooCfg;
  private SettingsChange change;

  @BeforeEach
  void write() throws Exception {
    zooCfg = Files.writeString(folder.resolve("zoo.cfg"), OLD);
    change = SettingsChange.of(Map.of("orca.durability", "sync", "orca.slowMs", "7"));
  }

  private void assertHas(String text) throws IOException {
    assertEquals(text, Files.readString(zooCfg));
  }

  @Test
  void theOldFileStaysBesideTheNewOneUntilItIsForgotten() throws Exception {
    ZooCfgSwap swap = ZooCfgSwap.prepare(zooCfg, change);
    assertHas(OLD);
    swap.install();
    assertHas(OLD.replace("cad", "sync") + "orca.slowMs=7\n");
    assertEquals(OLD, Files.readString(swap.before()));
    assertEquals(folder.resolve("zoo.cfg.before"), swap.before());
    swap.forget();
    assertFalse(Files.exists(swap.before()));
    try (var files = Files.list(folder)) {
      assertEquals(1, files.count(), "nothing else is left");
    }
  }

  @Test
  void aLinkStaysOne() throws Exception {
    Path link =
        Files.createSymbolicLink(
            Files.createDirectories(folder.resolve("etc")).resolve("zoo.cfg"), zooCfg);
    ZooCfgSwap swap = ZooCfgSwap.prepare(link, change);
    swap.install();
    assertTrue(Files.isSymbolicLink(link));
    assertHas(OLD.replace("cad", "sync") + "orca.slowMs=7\n");
    assertEquals(OLD, Files.readString(swap.before()));
    swap.takeBack();
    assertHas(OLD);
    assertTrue(Files.isSymbolicLink(link));
  }

  @Test
  void whatTheServerWritesMeanwhileStays() throws Exception {
    ZooCfgSwap swap = ZooCfgSwap.prepare(zooCfg, change);
    Files.writeString(zooCfg, FOLLOWED);
    swap.install();
    assertHas(FOLLOWED.replace("cad", "sync") + "orca.slowMs=7\n");
    assertFalse(swap.isBack());
    swap.takeBack();
    assertHas(FOLLOWED);
    assertTrue(swap.isBack());

    ZooCfgSwap again = ZooCfgSwap.prepare(zooCfg, change);
    again.install();
    Files.writeString(zooCfg, Files.readString(zooCfg).replace("/d/2", "/d/3"));
    again.takeBack();
    assertHas(OLD.replace("/d/1", "/d/3"));
  }

  @Test
  void whatCannotBeWrittenIsFoundAtOnce() throws Exception {
    Files.createDirectories(folder.resolve("zoo.cfg.next").resolve("in the way"));
    assertThrows(IOException.class, () -> ZooCfgSwap.prepare(zooCfg, change));
    assertHas(OLD);
  }
}
