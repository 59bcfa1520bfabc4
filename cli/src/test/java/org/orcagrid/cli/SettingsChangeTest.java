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

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsChangeTest {

  private static SettingsChange change(String key, String value) throws CommandFailure {
    return SettingsChange.of(Map.of(key, value));
  }

  private static Properties lines(String... keysAndValues) {
    Properties lines = new Properties();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      lines.setProperty(keysAndValues[i], keysAndValues[i + 1]);
    }
    return lines;
  }

  @Test
  void onlyItsOwnLinesChange() throws Exception {
    String before = "# orca.durability=cad\ndataDir=/d\n orca.durability = cad\ntickTime=1\n";
    SettingsChange change = change("orca.durability", "sync");
    String after = "# orca.durability=cad\ndataDir=/d\norca.durability=sync\ntickTime=1\n";
    assertEquals(after, change.applyTo(before));
    assertEquals(after, change.applyTo(after));
    assertEquals("a=b\norca.durability=sync\n", change.applyTo("a=b"));
    assertEquals("a=b\n", change("orca.durability", "").applyTo("a=b\norca.durability=x\n"));
    assertTrue(change.isIn(SettingsChange.parse(after)));
    assertFalse(change.isIn(SettingsChange.parse(before)));
    assertTrue(change("orca.durability", "").isIn(lines("a", "b")));
    assertThrows(CommandFailure.class, () -> change.applyTo("orca.durability=sy\\\nnc\n"));
  }

  @Test
  void itsInverseGivesTheValuesBack() throws Exception {
    SettingsChange change =
        SettingsChange.of(Map.of("orca.durability", "sync", "tickTime", "", "orca.slowMs", "7"));
    String before = "orca.durability=cad\ntickTime=1\n";
    SettingsChange inverse = change.inverse(SettingsChange.parse(before));
    assertEquals(
        Map.of("orca.durability", "cad", "tickTime", "1", "orca.slowMs", ""), inverse.values());
    assertEquals(before, inverse.applyTo(change.applyTo(before)));
    assertEquals(before, inverse.applyTo(before));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "server.1",
        "dynamicConfigFile",
        "dataDir",
        "clientPort",
        "secureClientPort",
        "admin.serverPort",
        "orca.consolePort",
        "orca.grid",
        "orca.grid.size",
        "no key"
      })
  void whatIsOfOneServerOrOfTheGridIsRefused(String key) {
    CommandFailure refusal = assertThrows(CommandFailure.class, () -> change(key, "1"));
    assertTrue(refusal.getMessage().contains(key), refusal.getMessage());
  }

  @Test
  void aServerMustSayHowItIs() throws Exception {
    assertThrows(CommandFailure.class, () -> change("4lw.commands.whitelist", "ruok, mntr"));
    change("4lw.commands.whitelist", "mntr, srvr");
    change("4lw.commands.whitelist", "*");
  }

  @Test
  void encryptionBetweenServersNeedsAPortForBoth() throws Exception {
    SettingsChange change = change("sslQuorum", "true");
    Properties tls = lines("sslQuorum", "true");
    assertThrows(CommandFailure.class, () -> change.requireMixable(lines(), tls));
    Properties unified = lines("portUnification", "true");
    Properties both = lines("sslQuorum", "true", "portUnification", "true");
    change.requireMixable(unified, both);
    change.requireMixable(tls, tls);
    change.requireMixable(both, tls);
    assertThrows(CommandFailure.class, () -> change.requireMixable(unified, tls), "takes it away");
    assertThrows(CommandFailure.class, () -> change.requireMixable(lines(), both), "comes with it");
  }
}
