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
package org.orcagrid.server.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orcagrid.cad.LeaseTimes;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.transport.tcp.HostPort;

class OrcaSettingsTest {
  private static final String[] EVERY = {
    "orca.durability=async",
    "orca.replication=sync",
    "orca.readers=all",
    "orca.flushIntervalMs=0.5",
    "orca.heartbeatMs=20",
    "orca.markOutMs=50",
    "orca.removalMs=400",
    "orca.promiseMs=350",
    "orca.activeSetSize=majority",
    "orca.slowMs=30",
    "orca.readHoldMs=70",
    "orca.readConsistency=linearizable",
    "orca.maxUnreplicatedCount=7",
    "orca.maxUnreplicatedBytes=8",
    "orca.maxUnreplicatedMs=9",
    "orca.maxUndurableBytes=10",
    "orca.maxUndurableMs=12",
    "orca.immediatePaths=/a, /b/c,,",
    "orca.gatedWrites=all",
    "orca.maxHeldReplies=11",
    "orca.consolePort=9000",
    "orca.grid=grid.example:7200",
    "orca.grid.transport=auto:mlx5_0/2",
    "orca.grid.value.bytes=1000",
    "orca.grid.clients=secret",
    "orca.grid.secret.file=s",
    "orca.grid.tls.keystore=k",
    "orca.grid.tls.keystore.password=kp",
    "orca.grid.tls.truststore=t",
    "orca.grid.tls.truststore.password=tp",
    "orca.grid.tls.verify-host-names=false",
    "orca.test.fsyncDelayMs=2",
    "orca.test.loseUnforced=true",
    "dataDir=/ignored"
  };

  private static final HostedGrid GRID =
      new HostedGrid(
          Map.of(
              "grid.address", "grid.example:7200",
              "grid.transport", "auto:mlx5_0/2",
              "grid.value.bytes", "1000",
              "grid.clients", "secret",
              "grid.secret.file", "s",
              "grid.tls.keystore", "k",
              "grid.tls.keystore.password", "kp",
              "grid.tls.truststore", "t",
              "grid.tls.truststore.password", "tp",
              "grid.tls.verify-host-names", "false"));

  private static final String SYSTEM_PROPERTY = "zookeeper.orca.flushIntervalMs";

  @AfterEach
  void clear() {
    System.clearProperty(SYSTEM_PROPERTY);
    System.clearProperty("zookeeper.orca.speling");
  }

  private static OrcaSettings settings(String... lines) throws OrcaConfigException {
    Properties keys = new Properties();
    for (String line : lines) {
      String[] parts = line.split("=", 2);
      keys.setProperty(parts[0], parts[1]);
    }
    return OrcaSettings.from(keys);
  }

  @Test
  void theDefaultsAreConsistencyAwareDurabilityReadByTheActiveSet() {
    OrcaSettings defaults = OrcaSettings.defaults();

    assertEquals(
        "orca.durability=cad orca.replication=async orca.readers=active-set"
            + " orca.flushIntervalMs=10 orca.heartbeatMs=100 orca.markOutMs=200"
            + " orca.removalMs=1000 orca.promiseMs=600 orca.activeSetSize=all orca.slowMs=200"
            + " orca.readHoldMs=1000 orca.readConsistency=monotonic orca.maxUnreplicatedCount=10000"
            + " orca.maxUnreplicatedBytes=67108864 orca.maxUnreplicatedMs=1000"
            + " orca.maxUndurableBytes=67108864 orca.maxUndurableMs=1000"
            + " orca.immediatePaths= orca.gatedWrites=conditional"
            + " orca.visibility=adaptive orca.maxHeldReplies=1000",
        defaults.describe());
    assertTrue(defaults.gatesReads());
    assertTrue(defaults.flushesInBackground());
    assertEquals(List.of(), defaults.immediatePaths());
    assertEquals(0, defaults.fsyncDelayNanos());
  }

  @Test
  void synchronousDurabilityReplicatesSynchronouslyAndFlushesNothingInTheBackground()
      throws OrcaConfigException {
    OrcaSettings sync = settings("orca.durability=sync");

    assertEquals(Replication.SYNC, sync.replication());
    assertFalse(sync.gatesReads());
    assertFalse(sync.flushesInBackground());
  }

  @Test
  void asynchronousDurabilityFlushesOnceASecondAndGatesNothing() throws OrcaConfigException {
    OrcaSettings async = settings("orca.durability=async");

    assertEquals(TimeUnit.SECONDS.toNanos(1), async.flushIntervalNanos());
    assertFalse(async.gatesReads());
    assertTrue(async.flushesInBackground());
  }

  @Test
  void everySettingIsTaken() throws OrcaConfigException {
    OrcaSettings all = settings(EVERY);

    assertEquals(
        new OrcaSettings(
            Durability.ASYNC,
            Replication.SYNC,
            Readers.ALL,
            500_000,
            new LeaseSettings(
                new LeaseTimes(20_000_000, 50_000_000, 400_000_000, 350_000_000),
                new LeaseSettings.Size.Majority(),
                30_000_000,
                70_000_000,
                true),
            7,
            8,
            9_000_000,
            10,
            12_000_000,
            List.of("/a", "/b/c"),
            GatedWrites.ALL,
            Visibility.ADAPTIVE,
            11,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 9_000),
            GRID,
            2_000_000,
            true),
        all);
    assertFalse(all.describe().contains("kp") || all.toString().contains("kp"), all.describe());
    assertTrue(
        all.describe()
            .contains(
                " orca.grid=grid.example:7200 orca.grid.clients=secret"
                    + " orca.grid.secret.file=s orca.grid.tls.keystore=k"
                    + " orca.grid.tls.truststore=t orca.grid.tls.verify-host-names=false"
                    + " orca.grid.transport=auto:mlx5_0/2 orca.grid.value.bytes=1000"),
        all.describe());
    assertTrue(all.describe().endsWith(" orca.test.fsyncDelayMs=2 orca.test.loseUnforced=true"));
  }

  @Test
  void theLeasesFollowTheHeartbeatUnlessTheyAreSet() throws OrcaConfigException {
    LeaseTimes times = settings("orca.heartbeatMs=30").leases().times();

    assertEquals(new LeaseTimes(30_000_000, 60_000_000, 300_000_000, 180_000_000), times);
  }

  @Test
  void aRemovalThatCouldComeBeforeTheMarkOutIsRefused() {
    OrcaConfigException e =
        assertThrows(
            OrcaConfigException.class, () -> settings("orca.markOutMs=300", "orca.removalMs=1000"));

    assertEquals(
        "orca.heartbeatMs=100, orca.markOutMs=300, orca.removalMs=1000 and orca.promiseMs=900 do"
            + " not fit: mark-out must be at least twice the heartbeat, removal at least five times"
            + " mark-out, or a server could answer reads after it was removed, and promise at least"
            + " three times mark-out, or after there is a new leader.",
        e.getMessage());
  }

  @Test
  void theBoundOfWhatIsUndurableFollowsWhatAHealthyServerNeeds() throws OrcaConfigException {
    assertEquals(1_000_000_000, settings().undurableAgeMaxNanos());
    assertEquals(2_600_000_000L, settings("orca.flushIntervalMs=1200").undurableAgeMaxNanos());
    assertEquals(2_020_000_000L, settings("orca.heartbeatMs=1000").undurableAgeMaxNanos());
    assertEquals(111_000_000, settings("orca.maxUndurableMs=111").undurableAgeMaxNanos());
  }

  @Test
  void aBoundOfWhatIsUndurableThatAHealthyServerReachesIsRefused() {
    OrcaConfigException e =
        assertThrows(OrcaConfigException.class, () -> settings("orca.maxUndurableMs=110"));

    assertEquals(
        "orca.maxUndurableMs=110 must be longer than orca.flushIntervalMs and orca.heartbeatMs"
            + " together, 110, or writes would wait while the disks are well; raise it or lower"
            + " those.",
        e.getMessage());
  }

  @Test
  void theActiveSetIsNeverLessThanAMajority() throws OrcaConfigException {
    assertEquals(3, settings("orca.activeSetSize=1").leases().size().of(5));
    assertEquals(4, settings("orca.activeSetSize=4").leases().size().of(5));
    assertEquals(5, settings().leases().size().of(5));
  }

  @Test
  void whatIsDescribedIsReadBackAsTheSame() throws OrcaConfigException {
    OrcaSettings written =
        settings("orca.durability=async", "orca.flushIntervalMs=2.5", "orca.immediatePaths=/a,/b");

    assertEquals(written, settings(written.describe().split(" ")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          durability=fast | orca.durability=fast is not known; use one of: cad, sync, async.
          durability=CAD | orca.durability=CAD is not known; use one of: cad, sync, async.
          replication=maybe | orca.replication=maybe is not known; use one of: async, sync, active-set.
          readers=some | orca.readers=some is not known; use one of: active-set, leader, all.
          visibility=now | orca.visibility=now is not known; use one of: adaptive, early, late.
          gatedWrites=yes | orca.gatedWrites=yes is not known; use one of: none, conditional, all.
          flushIntervalMs=soon | orca.flushIntervalMs=soon must be milliseconds from 0.1 to 60000.
          flushIntervalMs=0 | orca.flushIntervalMs=0 must be milliseconds from 0.1 to 60000.
          flushIntervalMs=NaN | orca.flushIntervalMs=NaN must be milliseconds from 0.1 to 60000.
          flushIntervalMs=60001 | orca.flushIntervalMs=60001 must be milliseconds from 0.1 to 60000.
          heartbeatMs=-1 | orca.heartbeatMs=-1 must be milliseconds from 1 to 10000.
          maxUnreplicatedMs=0 | orca.maxUnreplicatedMs=0 must be milliseconds from 1 to 3600000.
          maxUndurableMs=0 | orca.maxUndurableMs=0 must be milliseconds from 1 to 3600000.
          maxUndurableMs=3600001 | orca.maxUndurableMs=3600001 must be milliseconds from 1 to 3600000.
          test.fsyncDelayMs=-1 | orca.test.fsyncDelayMs=-1 must be milliseconds from 0 to 10000.
          maxHeldReplies=0 | orca.maxHeldReplies=0 must be a whole number from 1 to 1000000.
          maxHeldReplies=1.5 | orca.maxHeldReplies=1.5 must be a whole number from 1 to 1000000.
          """)
  void aValueThatCannotBeUsedIsNamedWithWhatCan(String line, String sentence) {
    OrcaConfigException e = assertThrows(OrcaConfigException.class, () -> settings("orca." + line));

    assertEquals(sentence, e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "maxUnreplicatedCount=0, 10000000",
    "maxUnreplicatedCount=10000001, 10000000",
    "maxUnreplicatedBytes=0, 17179869184",
    "maxUnreplicatedBytes=17179869185, 17179869184",
    "maxUnreplicatedBytes=99999999999999999999, 17179869184",
    "maxUndurableBytes=0, 17179869184",
    "maxUndurableBytes=17179869185, 17179869184"
  })
  void aBoundOfAWindowHasBoundsOfItsOwn(String line, String max) {
    OrcaConfigException e = assertThrows(OrcaConfigException.class, () -> settings("orca." + line));

    assertEquals("orca." + line + " must be a whole number from 1 to " + max + ".", e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"locks", "/locks/", "'/ok,locks'", "//"})
  void aPathThatIsNoneIsNamedWithAnExample(String paths) {
    OrcaConfigException e =
        assertThrows(OrcaConfigException.class, () -> settings("orca.immediatePaths=" + paths));

    String path = paths.substring(paths.indexOf(',') + 1);
    assertEquals(
        "orca.immediatePaths contains "
            + path
            + ", which is no znode path; write paths such as /locks, with a leading and without a"
            + " trailing slash, separated by commas.",
        e.getMessage());
  }

  @Test
  void synchronousDurabilityWithAsynchronousReplicationIsRefused() {
    OrcaConfigException e =
        assertThrows(
            OrcaConfigException.class,
            () -> settings("orca.durability=sync", "orca.replication=async"));

    assertEquals(
        "orca.durability=sync needs orca.replication=sync, since a write that is durable on a"
            + " quorum has been replicated; remove orca.replication or choose another durability.",
        e.getMessage());
  }

  @Test
  void aGridNodeThatCannotListenIsNamed() {
    OrcaConfigException e =
        assertThrows(OrcaConfigException.class, () -> settings("orca.grid=nowhere"));
    assertTrue(e.getMessage().contains("\"nowhere\" is no address"), e.getMessage());
    OrcaConfigException alone =
        assertThrows(OrcaConfigException.class, () -> settings("orca.grid.transport=tcp"));
    assertTrue(alone.getMessage().contains("there is no orca.grid"), alone.getMessage());
    OrcaConfigException secret =
        assertThrows(OrcaConfigException.class, () -> settings("orca.grid.secret.file=s"));
    assertTrue(secret.getMessage().contains("there is no orca.grid"), secret.getMessage());
    OrcaConfigException trust =
        assertThrows(
            OrcaConfigException.class,
            () -> settings("orca.grid=host:1", "orca.grid.tls.truststore=t"));
    assertTrue(trust.getMessage().contains("needs grid.tls.keystore"), trust.getMessage());
    OrcaConfigException keys =
        assertThrows(
            OrcaConfigException.class,
            () -> settings("orca.grid=host:1", "orca.grid.value.bytes=many"));
    assertTrue(
        keys.getMessage().contains("grid.value.bytes is a number, not many"), keys.getMessage());
  }

  @Test
  void aHostedNodeHasTheServersEnsembleAndWhatIsNotSaidFromTheServer() throws OrcaConfigException {
    HostedGrid said =
        settings(
                "orca.grid=host:1",
                "orca.grid.size=5",
                "orca.grid.folder=/maps",
                "orca.grid.name=shop")
            .grid();
    assertEquals("host:1", said.address());
    assertEquals(
        new NodeSettings.Home("shop", 5, new HostPort("host", 1), Path.of("/maps"), "s:2181"),
        said.settings("s:2181", 3, Path.of("data")).home());
    HostedGrid usual = settings("orca.grid=host:1").grid();
    assertEquals(
        new NodeSettings.Home("grid", 3, new HostPort("host", 1), Path.of("data"), "s:2181"),
        usual.settings("s:2181", 3, Path.of("data")).home());
  }

  @Test
  void aGridNodeThatOtherHostsReachNeedsTlsOrASecret() throws Exception {
    for (String address : List.of("192.0.2.1:7200", "0.0.0.0:7200", "[2001:db8::1]:7200")) {
      OrcaConfigException e =
          assertThrows(OrcaConfigException.class, () -> settings("orca.grid=" + address));
      assertTrue(e.getMessage().startsWith("orca.grid=" + address + ": "), e.getMessage());
      assertTrue(e.getMessage().contains("orca.grid.secret.file on all servers"), e.getMessage());
      settings("orca.grid=" + address, "orca.grid.secret.file=s");
    }
    for (String address : List.of("127.0.0.1:7200", "localhost:7200", "[::1]:7200")) {
      assertEquals(address, settings("orca.grid=" + address).grid().address());
    }
  }

  @Test
  void writesThatWaitForTheActiveSetNeedOne() throws OrcaConfigException {
    assertEquals(Replication.ACTIVE_SET, settings("orca.replication=active-set").replication());
    OrcaConfigException e =
        assertThrows(
            OrcaConfigException.class,
            () -> settings("orca.replication=active-set", "orca.readers=leader"));

    assertEquals(
        "orca.replication=active-set needs orca.readers=active-set, and this server has"
            + " orca.readers=leader; remove orca.readers or choose another replication.",
        e.getMessage());
  }

  @Test
  void whenAWriteIsShownIsNoMatterWhereReadersDoNotWait() throws OrcaConfigException {
    assertEquals(Visibility.LATE, settings("orca.visibility=late").visibility());
    OrcaConfigException e =
        assertThrows(
            OrcaConfigException.class,
            () -> settings("orca.durability=async", "orca.visibility=late"));

    assertEquals(
        "orca.visibility is for orca.durability=cad, and this server has orca.durability=async;"
            + " remove orca.visibility.",
        e.getMessage());
  }

  @Test
  void anUnknownKeyIsNamedWithAllThatAreKnown() {
    OrcaConfigException e =
        assertThrows(OrcaConfigException.class, () -> settings("orca.speling=1"));

    assertEquals(
        "Unknown setting orca.speling; remove it or use one of: orca.activeSetSize,"
            + " orca.consoleAddress, orca.consolePort, orca.durability, orca.flushIntervalMs,"
            + " orca.gatedWrites, orca.grid, orca.grid.bytes, orca.grid.catch-up.bytes-per-second,"
            + " orca.grid.clients, orca.grid.folder, orca.grid.journal.bytes, orca.grid.lease.ms,"
            + " orca.grid.name, orca.grid.secret.file, orca.grid.sessions, orca.grid.size,"
            + " orca.grid.tls.keystore, orca.grid.tls.keystore.password, orca.grid.tls.truststore,"
            + " orca.grid.tls.truststore.password, orca.grid.tls.verify-host-names,"
            + " orca.grid.transport, orca.grid.value.bytes, orca.grid.workers, orca.heartbeatMs,"
            + " orca.immediatePaths, orca.markOutMs, orca.maxHeldReplies, orca.maxUndurableBytes,"
            + " orca.maxUndurableMs, orca.maxUnreplicatedBytes, orca.maxUnreplicatedCount,"
            + " orca.maxUnreplicatedMs, orca.promiseMs, orca.readConsistency, orca.readHoldMs,"
            + " orca.readers, orca.removalMs, orca.replication, orca.slowMs,"
            + " orca.test.fsyncDelayMs, orca.test.loseUnforced, orca.visibility.",
        e.getMessage());
  }

  @Test
  void aSystemPropertyIsTakenForWhatTheFileDoesNotSay() throws OrcaConfigException {
    System.setProperty(SYSTEM_PROPERTY, "33");

    assertEquals(33_000_000, settings().flushIntervalNanos());
    assertEquals(44_000_000, settings("orca.flushIntervalMs=44").flushIntervalNanos());
  }

  @Test
  void anUnknownSystemPropertyIsRefusedToo() {
    System.setProperty("zookeeper.orca.speling", "1");

    assertThrows(OrcaConfigException.class, OrcaSettingsTest::settings);
  }

  @Test
  void theWireCodesAreWhatTheyWere() {
    assertEquals(1, Durability.CAD.wireCode());
    assertEquals(2, Durability.SYNC.wireCode());
    assertEquals(3, Durability.ASYNC.wireCode());
    assertEquals(1, Readers.LEADER.wireCode());
    assertEquals(2, Readers.ALL.wireCode());
  }
}
