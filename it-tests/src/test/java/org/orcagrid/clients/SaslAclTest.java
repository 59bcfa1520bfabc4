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
package org.orcagrid.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.cli.EnsembleProcesses;

/** SASL (DIGEST-MD5) and access lists, on both connection factories. */
@Timeout(120)
class SaslAclTest {
  private static final String LOGIN = "org.apache.zookeeper.server.auth.DigestLoginModule";

  @TempDir Path folder;
  private Configuration before;

  @BeforeEach
  void logins() {
    before = Configuration.getConfiguration();
    Map<String, Map<String, String>> sections =
        Map.of(
            "Alice", Map.of("username", "alice", "password", "secret"),
            "Bob", Map.of("username", "bob", "password", "hidden"),
            "Mallory", Map.of("username", "alice", "password", "guessed"));
    Configuration.setConfiguration(
        new Configuration() {
          @Override
          public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
            Map<String, String> options = sections.get(name);
            return options == null
                ? null
                : new AppConfigurationEntry[] {
                  new AppConfigurationEntry(
                      LOGIN, AppConfigurationEntry.LoginModuleControlFlag.REQUIRED, options)
                };
          }
        });
  }

  @AfterEach
  void restore() {
    Configuration.setConfiguration(before);
  }

  private EnsembleProcesses start(String factory) throws Exception {
    Path jaas =
        Files.writeString(
            folder.resolve("jaas.conf"),
            "Server { " + LOGIN + " required user_alice=\"secret\" user_bob=\"hidden\"; };\n");
    return RunningEnsemble.start(
        RunningEnsemble.spec(3, folder.resolve("servers"))
            .withSettings(
                Map.of(
                    "serverCnxnFactory",
                    "org.apache.zookeeper.server." + factory,
                    "authProvider.1",
                    "org.apache.zookeeper.server.auth.SASLAuthenticationProvider"))
            .withProgram(
                RunningEnsemble.program(List.of("-Djava.security.auth.login.config=" + jaas))));
  }

  private static ZKClientConfig loginConfig(String section) {
    ZKClientConfig config = new ZKClientConfig();
    config.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, section);
    // DIGEST-MD5 is not allowed in the mode that is the stock client's default.
    config.setProperty("zookeeper.fips-mode", "false");
    return config;
  }

  private static ZooKeeper login(EnsembleProcesses ensemble, int server, String section)
      throws Exception {
    ZKClientConfig config = loginConfig(section);
    return new ZooKeeper(RunningEnsemble.address(ensemble, server), 5_000, event -> {}, config);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NIOServerCnxnFactory", "NettyServerCnxnFactory"})
  void accessListsHoldOnEveryServer(String factory) throws Exception {
    try (EnsembleProcesses ensemble = start(factory);
        ZooKeeper alice = login(ensemble, 1, "Alice");
        ZooKeeper bob = login(ensemble, 2, "Bob")) {
      // Not List.of: the stock client asks the list whether it contains null.
      List<ACL> aliceOnly = Arrays.asList(new ACL(Perms.ALL, new Id("sasl", "alice")));
      alice.create("/hers", "a".getBytes(UTF_8), aliceOnly, CreateMode.PERSISTENT);
      assertEquals("a", new String(alice.getData("/hers", false, null), UTF_8));
      assertThrows(KeeperException.NoAuthException.class, () -> bob.getData("/hers", false, null));
      assertThrows(
          KeeperException.NoAuthException.class, () -> bob.setData("/hers", new byte[0], -1));
      assertEquals(aliceOnly, alice.getACL("/hers", new Stat()));

      alice.setACL("/hers", Ids.READ_ACL_UNSAFE, -1);
      // Nobody has read it yet, so another server need not show it.
      bob.sync("/hers");
      assertEquals("a", new String(bob.getData("/hers", false, null), UTF_8));
      assertThrows(
          KeeperException.NoAuthException.class, () -> alice.setData("/hers", new byte[0], -1));

      String digest = DigestAuthenticationProvider.generateDigest("carol:pass");
      bob.create(
          "/digest",
          new byte[0],
          Arrays.asList(new ACL(Perms.ALL, new Id("digest", digest))),
          CreateMode.PERSISTENT);
      alice.sync("/digest");
      assertThrows(
          KeeperException.NoAuthException.class, () -> alice.getData("/digest", false, null));
      alice.addAuthInfo("digest", "carol:pass".getBytes(UTF_8));
      assertEquals(0, alice.getData("/digest", false, null).length);
      aWrongPasswordIsRefused(ensemble);
    }
  }

  private static void aWrongPasswordIsRefused(EnsembleProcesses ensemble) throws Exception {
    CountDownLatch refused = new CountDownLatch(1);
    try (ZooKeeper mallory =
        new ZooKeeper(
            RunningEnsemble.address(ensemble, 1),
            5_000,
            event -> {
              if (event.getState() == KeeperState.AuthFailed) {
                refused.countDown();
              }
            },
            loginConfig("Mallory"))) {
      assertTrue(refused.await(30, TimeUnit.SECONDS));
      assertThrows(KeeperException.AuthFailedException.class, () -> mallory.exists("/", false));
    }
  }
}
