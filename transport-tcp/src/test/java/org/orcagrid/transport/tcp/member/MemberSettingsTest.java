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
package org.orcagrid.transport.tcp.member;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.transport.tcp.ClientAdmission;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TlsSettings;
import org.orcagrid.transport.tcp.TransportWish;

/** grid.cfg, right and wrong. */
class MemberSettingsTest {
  @TempDir private Path dir;

  private MemberSettings read(String... lines) throws IOException {
    Path file = dir.resolve("grid.cfg");
    Files.write(file, List.of(lines));
    return MemberSettings.read(file);
  }

  private void assertRefused(String reason, String... lines) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> start(read(lines)));
    assertTrue(e.getMessage().contains(reason), e.getMessage());
  }

  /** What a start looks at before it opens anything. */
  private static void start(MemberSettings settings) {
    settings.links();
    settings.kite();
    settings.limits();
  }

  @Test
  void whatIsNotSaidHasDefaults() throws IOException {
    MemberSettings settings = read("grid.self=1", "grid.nodes=a:1, b:2,[::1]:3");
    start(settings);
    assertEquals("grid", settings.cluster());
    assertEquals(
        List.of(new HostPort("a", 1), new HostPort("b", 2), new HostPort("::1", 3)),
        settings.nodes());
    assertEquals(new HostPort("b", 2), settings.address());
    assertEquals(PortSecurity.NONE, settings.security());
    assertNull(settings.joining());
    assertEquals(TransportWish.TCP, settings.transport());
    assertEquals(1, settings.workers());
  }

  @Test
  void everySettingIsTaken() throws IOException {
    MemberSettings settings =
        read(
            "grid.self=0",
            "grid.nodes=a:1,b:2",
            "grid.clients=none",
            "grid.cluster=mine",
            "grid.workers=1",
            "grid.sessions=3",
            "grid.keys=4",
            "grid.value.bytes=5",
            "grid.bytes=600000",
            "grid.transport=auto:mlx5_0/1/3",
            "grid.secret.file=s",
            "grid.tls.keystore=k",
            "grid.tls.keystore.password=kp",
            "grid.tls.truststore=t",
            "grid.tls.truststore.password=tp",
            "grid.tls.verify-host-names=false");
    TlsSettings tls = new TlsSettings(Path.of("k"), "kp", Path.of("t"), "tp", false);
    assertEquals(
        new MemberSettings(
            "mine",
            0,
            List.of(new HostPort("a", 1), new HostPort("b", 2)),
            1,
            3,
            4,
            5,
            600_000,
            new PortSecurity(tls, Path.of("s"), ClientAdmission.NONE),
            null,
            new TransportWish(TransportWish.Kind.AUTO, "mlx5_0", 1, 3)),
        settings);
  }

  @Test
  void nodesThatFindEachOther() throws IOException {
    MemberSettings settings =
        read("grid.ensemble=z:2181,y:2181", "grid.size=3", "grid.address=a:7200");
    assertEquals(
        new MemberSettings.Joining("z:2181,y:2181", 3, new HostPort("a", 7200)),
        settings.joining());
    assertEquals(new HostPort("a", 7200), settings.address());
  }

  @Test
  void whatCannotBeIsNamed() {
    assertRefused("grid.nodes is missing", "grid.self=0");
    assertRefused("grid.self is missing", "grid.nodes=a:1");
    assertRefused(
        "grid.transport: A transport is auto, rdma, rdma-connections or tcp",
        "grid.self=0",
        "grid.nodes=a:1",
        "grid.transport=ib");
    assertRefused("There is no setting grid.node; there are", "grid.node=a:1");
    assertRefused("\"a\" is no address", "grid.self=0", "grid.nodes=a");
    assertRefused("from 1 to 65535", "grid.self=0", "grid.nodes=a:70000");
    assertRefused("There is no node 2", "grid.self=2", "grid.nodes=a:1,b:2");
    assertRefused(
        "grid.keys is a number, not many", "grid.self=0", "grid.nodes=a:1", "grid.keys=many");
    assertRefused("have the same address, a:1", "grid.self=0", "grid.nodes=a:1,b:1,a:1");
    assertRefused(
        "grid.clients is open, secret or none, not c:9; clients connect where the node listens",
        "grid.self=0",
        "grid.nodes=a:1",
        "grid.clients=c:9");
    assertRefused(
        "grid.tls.truststore is missing",
        "grid.self=0",
        "grid.nodes=a:1",
        "grid.tls.keystore=k",
        "grid.tls.keystore.password=p");
    assertRefused(
        "grid.clients=secret needs grid.secret.file",
        "grid.self=0",
        "grid.nodes=a:1",
        "grid.clients=secret");
    assertRefused(
        "grid.tls.truststore needs grid.tls.keystore",
        "grid.self=0",
        "grid.nodes=a:1",
        "grid.tls.truststore=t");
    assertRefused("exclude each other", "grid.nodes=a:1", "grid.ensemble=z:1");
    assertRefused("grid.size is missing", "grid.ensemble=z:1", "grid.address=a:1");
  }
}
