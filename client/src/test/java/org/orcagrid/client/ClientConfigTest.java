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
package org.orcagrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.transport.tcp.HostPort;

/** A client's settings as they are written. */
class ClientConfigTest {
  @TempDir private Path folder;

  private Path file(String... lines) throws Exception {
    return Files.write(folder.resolve("client.cfg"), List.of(lines));
  }

  @Test
  void everySettingIsRead() throws Exception {
    RemoteGrid.Settings settings =
        ClientConfig.read(
            file(
                "grid.nodes = a:7100,b:7101",
                "grid.name = shop",
                "grid.secret.file = /s",
                "grid.tls.keystore = /k",
                "grid.tls.keystore.password = kp",
                "grid.tls.truststore = /t",
                "grid.tls.truststore.password = tp",
                "grid.tls.verify-host-names = false"));
    assertEquals(HostPort.parseAll("a:7100,b:7101"), settings.nodes());
    assertEquals("shop", settings.gridName());
    assertEquals(Path.of("/s"), settings.secretFile());
    assertEquals(Path.of("/k"), settings.tls().keyStore());
    assertEquals("tp", settings.tls().trustStorePassword());
    assertFalse(settings.tls().verifyHostNames());
  }

  @Test
  void whatIsNotSaidIsAsUsual() throws Exception {
    assertEquals(RemoteGrid.Settings.of("a:1"), ClientConfig.read(file("grid.nodes=a:1")));
    RemoteGrid.Settings elsewhere = ClientConfig.read(file("grid.nodes=a:1"), "b:2");
    assertEquals(HostPort.parseAll("b:2"), elsewhere.nodes());
    assertNull(elsewhere.tls());
  }

  @Test
  void whatIsWrongIsNamed() {
    refused("grid.nodes is missing", "grid.name=shop");
    refused("A client has no setting grid.size; it has grid.name, grid.nodes", "grid.size=3");
    refused("A client has no setting grid.clients", "grid.nodes=a:1", "grid.clients=open");
    refused(
        "grid.tls.truststore needs grid.tls.keystore", "grid.nodes=a:1", "grid.tls.truststore=x");
    refused("nowhere", "grid.nodes=nowhere");
  }

  private void refused(String reason, String... lines) {
    IllegalArgumentException wrong =
        assertThrows(IllegalArgumentException.class, () -> ClientConfig.read(file(lines)));
    assertTrue(wrong.getMessage().contains(reason), wrong.getMessage());
    assertTrue(wrong.getMessage().contains("client.cfg: "), wrong.getMessage());
  }
}
