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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MixedConfigTest {
  @TempDir private Path folder;

  private MixedConfig read(String... lines) throws IOException, CommandFailure {
    Path file = folder.resolve("mixed.cfg");
    Files.write(file, List.of(lines));
    return MixedConfig.read(file);
  }

  private void assertRefused(String words, String... lines) {
    CommandFailure e = assertThrows(CommandFailure.class, () -> read(lines));
    assertTrue(e.getMessage().contains(words), e.getMessage());
  }

  @Test
  void storesAndGroupsAreRead() throws Exception {
    MixedConfig config =
        read(
            "store.orca = orca 127.0.0.1:2181,127.0.0.1:2182 /mixed",
            "store.inboxes.east = postgres-causal jdbc:postgresql://east/app?user=a",
            "store.likes.west = geo west=h1:7500;east=h2:7500 social",
            "age.ms = 7500");
    assertEquals(
        List.of(
            new MixedConfig.Entry(
                "inboxes", "east", "postgres-causal", "jdbc:postgresql://east/app?user=a", null),
            new MixedConfig.Entry("likes", "west", "geo", "west=h1:7500;east=h2:7500", "social"),
            new MixedConfig.Entry("orca", null, "orca", "127.0.0.1:2181,127.0.0.1:2182", "/mixed")),
        config.stores());
    assertEquals(Duration.ofMillis(7_500), config.age());
    assertEquals(null, config.retention());
  }

  @Test
  void whatIsWrongIsNamed() {
    assertRefused("has no store", "age.ms = 5");
    assertRefused("write orca ADDRESS ROOT", "store.orca = orca 127.0.0.1:2181");
    assertRefused("needs a group", "store.inboxes = postgres-causal jdbc:x");
    assertRefused("only postgres-causal, grid-causal and geo", "store.sql.east = postgres jdbc:x");
    assertRefused("grid ADDRESS MAP", "store.bank = grid localhost:7100");
    assertRefused("needs a group", "store.inboxes = grid-causal localhost:7100 inboxes");
    assertRefused(
        "numbers of its nodes", "store.inboxes.east = grid-causal localhost:7100 inboxes");
    assertRefused(
        "the one of node 1", "store.inboxes.1 = grid-causal localhost:7100,localhost:7101 inboxes");
    assertRefused("or a datacenter", "store.likes = geo west=h1:7500 geo");
    assertRefused("geo DATACENTERS NAME", "store.likes.west = geo west=h1:7500");
    assertRefused("give milliseconds", "store.a = postgres jdbc:x", "age.ms = 5s");
    assertRefused("the key ages", "ages = 5");
    assertRefused("cannot be read", "store.a = postgres jdbc:x", "classpath = nowhere.jar");
  }

  private void assertNotOpened(String words, String... lines) throws IOException, CommandFailure {
    MixedConfig config = read(lines);
    CommandFailure e = assertThrows(CommandFailure.class, () -> MixedStores.open(config));
    assertTrue(e.getMessage().startsWith(words), e.getMessage());
  }

  @Test
  void theStoreThatCannotBeOpenedIsNamed() throws Exception {
    assertNotOpened(
        "The store likes.north: There is no datacenter north",
        "store.likes.north = geo west=h1:7500;east=h2:7500 geo");
    assertNotOpened("The store likes.west: ", "store.likes.west = geo west=127.0.0.1:1 geo");
    assertNotOpened("The store bank: ", "store.bank = grid nowhere bank");
  }

  @Test
  void aGeoStoreForgetsOnlyWithALineForEachDatacenter() {
    MixedStores.checkGroups(Set.of("east", "west"), List.of("west", "east"));
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> MixedStores.checkGroups(Set.of("west"), List.of("west", "east")));
    assertTrue(e.getMessage().contains("a line for each of these"), e.getMessage());
  }

  @Test
  void withoutADriverItIsSaidWhatToDo() throws Exception {
    MixedConfig config = read("store.a = postgres jdbc:nothing:x");
    CommandFailure e = assertThrows(CommandFailure.class, () -> MixedStores.open(config));
    assertTrue(e.getMessage().contains("name its jar in classpath"), e.getMessage());
  }
}
