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
package org.orcagrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.membership.LeaseTimes;
import org.orcagrid.transport.tcp.ClientAdmission;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TcpSettings;
import org.orcagrid.transport.tcp.TlsSettings;
import org.orcagrid.transport.tcp.TransportChoice;
import org.orcagrid.transport.tcp.ZoneSettings;

/** A node's settings, and grid.cfg, right and wrong. */
class NodeSettingsTest {
  private static final List<String> NEEDED =
      List.of("grid.ensemble=z:2181,y:2181", "grid.size=3", "grid.address=a:7200");

  @TempDir private Path dir;

  private NodeSettings read(List<String> lines) throws IOException {
    Path file = dir.resolve("grid.cfg");
    Files.write(file, lines);
    return GridConfig.read(file);
  }

  /** With the settings that every node needs before these. */
  private NodeSettings readWith(String... lines) throws IOException {
    return read(Stream.concat(NEEDED.stream(), Stream.of(lines)).toList());
  }

  private void assertRefused(String reason, List<String> lines) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> read(lines), reason);
    assertTrue(e.getMessage().contains(reason), e.getMessage());
    assertTrue(e.getMessage().contains("grid.cfg: "), e.getMessage());
  }

  private void assertRefusedWith(String reason, String... lines) {
    assertRefused(reason, Stream.concat(NEEDED.stream(), Stream.of(lines)).toList());
  }

  @Test
  void whatIsNotSaidHasDefaults() throws IOException {
    NodeSettings settings = readWith();
    assertEquals(
        new NodeSettings.Home(
            "grid", 3, new HostPort("a", 7200), dir.resolve("data"), "z:2181,y:2181"),
        settings.home());
    assertEquals(NodeSettings.Links.DEFAULT, settings.links());
    assertEquals(PortSecurity.NONE, settings.links().security());
    assertEquals(TransportChoice.TCP, settings.links().transport());
    assertNull(settings.links().zones());
    assertEquals(64 << 20, settings.links().catchUpBytesPerSecond());
    assertEquals(1, settings.workers());
    assertEquals(LeaseTimes.DEFAULT, settings.lease());
    assertEquals(KeySettings.DEFAULT, settings.keys());
  }

  @Test
  void everySettingIsTaken() throws IOException {
    List<String> lines =
        List.of(
            "grid.address=[::1]:3",
            "grid.bytes=600000",
            "grid.catch-up.bytes-per-second=6",
            "grid.clients=none",
            "grid.console.address=::1",
            "grid.console.port=8",
            "grid.ensemble= z:2181 ",
            "grid.folder=/maps",
            "grid.journal.bytes=300000000",
            "grid.lease.ms=1600",
            "grid.name=mine",
            "grid.secret.file=s",
            "grid.sessions=3",
            "grid.size=5",
            "grid.tls.keystore=k",
            "grid.tls.keystore.password=kp",
            "grid.tls.truststore=t",
            "grid.tls.truststore.password=tp",
            "grid.tls.verify-host-names=false",
            "grid.transport=auto:mlx5_0/1/3",
            "grid.value.bytes=5",
            "grid.workers=2");
    assertEquals(
        GridConfig.NAMES.stream().sorted().toList(),
        lines.stream().map(line -> line.substring(0, line.indexOf('='))).toList());
    NodeSettings settings = read(lines);
    assertEquals(
        new NodeSettings.Home("mine", 5, new HostPort("::1", 3), Path.of("/maps"), "z:2181"),
        settings.home());
    TlsSettings tls = new TlsSettings(Path.of("k"), "kp", Path.of("t"), "tp", false);
    assertEquals(
        new NodeSettings.Links(
            new PortSecurity(tls, Path.of("s"), ClientAdmission.NONE),
            new TransportChoice(TransportChoice.Kind.AUTO, "mlx5_0", 1, 3),
            null,
            6,
            new HostPort("::1", 8)),
        settings.links());
    assertEquals(300_000_000, settings.journals().bytesMax());
    assertEquals(2, settings.workers());
    assertEquals(LeaseTimes.ofLease(1_600_000_000), settings.lease());
    assertEquals(new KeySettings(3, 5, 600_000), settings.keys());
  }

  @Test
  void whatCannotBeIsNamed() {
    assertRefused("grid.size is missing", List.of("grid.ensemble=z:1", "grid.address=a:1"));
    assertRefused("grid.address is missing", List.of("grid.ensemble=z:1", "grid.size=3"));
    assertRefused("grid.ensemble is missing", List.of("grid.size=3", "grid.address=a:1"));
    assertRefusedWith("There is no setting grid.nodes; there are grid.address,", "grid.nodes=a:1");
    assertRefusedWith(
        "grid.transport: A transport is auto, rdma, rdma-connections or tcp", "grid.transport=ib");
    assertRefusedWith("\"a\" is no address", "grid.address=a");
    assertRefusedWith("from 1 to 65535", "grid.address=a:70000");
    assertRefusedWith(
        "A node tells at least 0 bytes a second, for no bound, not -1",
        "grid.catch-up.bytes-per-second=-1");
    assertRefusedWith("grid.bytes is a number, not many", "grid.bytes=many");
    assertRefusedWith("A lease lasts at least 8 beats", "grid.lease.ms=0");
    assertRefusedWith(
        "grid.clients is open, secret or none, not c:9; clients connect where the node listens",
        "grid.clients=c:9");
    assertRefusedWith("grid.clients=secret needs grid.secret.file", "grid.clients=secret");
    assertRefusedWith(
        "grid.tls.truststore is missing", "grid.tls.keystore=k", "grid.tls.keystore.password=p");
    assertRefusedWith("grid.tls.truststore needs grid.tls.keystore", "grid.tls.truststore=t");
  }

  @Test
  void whatOnlyAStartWouldFindWrongIsRefusedBeforeIt() {
    assertRefusedWith("begins with 1 to 9 nodes, not 0", "grid.size=0");
    assertRefusedWith("begins with 1 to 9 nodes, not 10", "grid.size=10");
    assertRefusedWith("grid.cfg: ", "grid.workers=0");
    assertRefusedWith("grid.journal.bytes is at least 268435456", "grid.journal.bytes=1000");
    assertRefusedWith("grid.cfg: ", "grid.sessions=0");
    assertRefusedWith("grid.cfg: ", "grid.bytes=0");
    assertRefusedWith("grid.cfg: ", "grid.value.bytes=-1");
    assertRefusedWith("A grid's name has 1 to", "grid.name=" + "x".repeat(1000));
  }

  @Test
  void aNodeKnowsOnlyItsOwnAddressBeforeThereIsAView() {
    HostPort address = new HostPort("a", 7200);
    NodeSettings settings = NodeSettings.of("shop", 3, address, dir);
    TcpSettings links = settings.tcp(1, 7);
    assertEquals(settings.sizeMax(), links.nodes().size(), "there is room for more");
    assertEquals(address, links.nodes().get(1));
    assertEquals(8, Collections.frequency(links.nodes(), HostPort.NOWHERE));
    assertEquals(1, links.self());
    assertEquals("shop", links.gridName());
    assertTrue(links.packetBytesMax() >= KeySettings.DEFAULT.packetBytesMax());
  }

  @Test
  void eachPartIsChangedAlone() {
    NodeSettings settings = NodeSettings.of("shop", 3, new HostPort("a", 7200), dir);
    ZoneSettings zones = new ZoneSettings(dir, false);
    PortSecurity security = PortSecurity.NONE.withSecret(dir);
    TransportChoice auto = TransportChoice.parse("auto");
    HostPort console = new HostPort("localhost", 9100);
    NodeSettings all =
        settings
            .withZones(zones)
            .withSecurity(security)
            .withTransport(auto)
            .withCatchUpBytesPerSecond(0)
            .withConsole(console)
            .withWorkers(4)
            .withLease(LeaseTimes.ofLease(1_000_000_000))
            .withKeys(new KeySettings(1, 3, 600_000))
            .withEnsemble("z:1");
    assertEquals(new NodeSettings.Links(security, auto, zones, 0, console), all.links());
    assertEquals(4, all.workers());
    assertEquals(LeaseTimes.ofLease(1_000_000_000), all.lease());
    assertEquals(new KeySettings(1, 3, 600_000), all.keys());
    assertEquals("z:1", all.home().ensemble());
    assertEquals(settings.home().folder(), all.home().folder());
    assertEquals(NodeSettings.Journals.DEFAULT, all.journals());
    NodeSettings.Journals other = NodeSettings.Journals.logs(1L << 40);
    assertEquals(other, settings.withJournals(other).withWorkers(2).journals());
  }

  @Test
  void withoutAnEnsembleNobodyAgreesOnViews() {
    NodeSettings settings = NodeSettings.of("shop", 3, new HostPort("a", 7200), dir);
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, settings::membership);
    assertTrue(e.getMessage().contains("grid.ensemble is missing"), e.getMessage());
  }
}
