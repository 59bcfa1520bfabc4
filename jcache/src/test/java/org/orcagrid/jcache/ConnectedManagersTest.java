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
package org.orcagrid.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.ClientConfig;
import org.orcagrid.client.Grid;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.transport.tcp.ClientAdmission;
import org.orcagrid.transport.tcp.PortSecurity;

/** Managers that connect to a grid by themselves, as their URIs and properties say. */
@Timeout(120)
class ConnectedManagersTest {
  @TempDir Path folder;
  private final OrcaCachingProvider provider = new OrcaCachingProvider();
  private MemberNodes nodes;

  @AfterEach
  void close() throws Exception {
    provider.close();
    if (nodes != null) {
      nodes.close();
    }
  }

  private OrcaCacheManager manager(String uri) {
    return provider.getCacheManager(URI.create(uri), null, new Properties());
  }

  private static Cache<String, Long> cache(OrcaCacheManager manager) {
    return manager.createCache(
        "cache", new MutableConfiguration<String, Long>().setTypes(String.class, Long.class));
  }

  @Test
  void aUriNamesTheNodes() throws Exception {
    nodes = new MemberNodes(3, folder);
    String connect = "?connect=" + nodes.address(0) + "," + nodes.address(1);
    OrcaCacheManager one = manager("orca:one" + connect);
    OrcaCacheManager two = manager("orca:two" + connect + "&model=linearizable/eventual");
    assertNull(one.folder());
    cache(one).put("a", 1L);
    Cache<String, Long> member = cache(OrcaCachingProvider.managerOf(nodes.members().get(2)));
    assertEquals(1L, member.get("a"));
    CacheException other = assertThrows(CacheException.class, () -> cache(two));
    assertTrue(other.getMessage().contains("linearizable/synchronous"), other.getMessage());
    RemoteGrid grid = (RemoteGrid) one.grid();
    one.close();
    assertThrows(IllegalStateException.class, grid::openSession, "the connection is closed");
    assertEquals(1L, cache(manager("orca:one" + connect)).get("a"), "the entries are there");
    provider.close();
    assertEquals(1L, member.get("a"));
  }

  @Test
  void aFileHasTheSecret() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "a secret of enough letters");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    nodes =
        new MemberNodes(
            1, folder, PortSecurity.NONE.withSecret(secret).withClients(ClientAdmission.SECRET));
    Path config =
        Files.write(
            folder.resolve("client.cfg"),
            List.of("grid.nodes=nowhere:1", "grid.secret.file=" + secret));
    Properties properties = new Properties();
    properties.setProperty("orca.jcache.config", config.toString());
    properties.setProperty("orca.jcache.connect", nodes.address(0));
    OrcaCacheManager manager =
        provider.getCacheManager(URI.create("orca:secret"), null, properties);
    cache(manager).put("a", 1L);
    CacheException stranger =
        assertThrows(
            CacheException.class, () -> manager("orca:stranger?connect=" + nodes.address(0)));
    assertTrue(stranger.getMessage().contains("cannot be reached"), stranger.getMessage());
    Files.write(config, List.of("grid.nodes=" + nodes.address(0), "grid.secret.file=" + secret));
    try (RemoteGrid grid = Grid.connect(ClientConfig.read(config));
        OrcaCacheManager given = OrcaCachingProvider.managerOf(grid)) {
      assertEquals(1L, cache(given).get("a"));
    }
  }

  private void refused(String words, String uri) {
    CacheException refused = assertThrows(CacheException.class, () -> manager(uri));
    assertTrue(refused.getMessage().contains(words), refused.getMessage());
  }

  @Test
  void whatIsWrongIsNamed() throws Exception {
    refused("orca.jcache.nodes is for an embedded grid", "orca:x?connect=localhost:1&nodes=3");
    refused("orca.jcache.folder is for an embedded grid", "orca:x?config=/none&folder=/tmp");
    refused("orca.jcache.connect=nowhere: ", "orca:x?connect=nowhere");
    refused("orca.jcache.config=/none/x cannot be read", "orca:x?config=/none/x");
    refused("check orca.jcache.connect, and that its nodes run", "orca:x?connect=localhost:1");
    Path config = Files.writeString(folder.resolve("client.cfg"), "grid.size=3\n");
    refused("A client has no setting grid.size", "orca:x?config=" + config);
    Files.writeString(config, "grid.name=shop\n");
    refused("grid.nodes is missing", "orca:x?config=" + config);
    Properties connect = new Properties();
    connect.setProperty("orca.jcache.connect", "localhost:1");
    CacheException given =
        assertThrows(
            CacheException.class,
            () -> OrcaCachingProvider.managerOf(null, URI.create("orca:x"), null, connect));
    assertTrue(given.getMessage().contains("was given a grid; leave it out"), given.getMessage());
  }

  /** Several: each connects to one of the nodes by chance. */
  @Test
  void whenItsNodeIsLostAManagerGoesOnAtAnotherAndHearsOfOthersAgain() throws Exception {
    nodes = new MemberNodes(3, folder);
    List<Cache<String, Long>> caches = new ArrayList<>();
    List<BlockingQueue<String>> heard = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Cache<String, Long> cache =
          cache(manager("orca:" + i + "?connect=" + nodes.address(0) + "," + nodes.address(1)));
      BlockingQueue<String> hears = new LinkedBlockingQueue<>();
      CacheEntryCreatedListener<String, Long> listener =
          events -> events.forEach(each -> hears.add(each.getKey()));
      cache.registerCacheEntryListener(
          new MutableCacheEntryListenerConfiguration<>(() -> listener, null, false, false));
      caches.add(cache);
      heard.add(hears);
    }
    Cache<String, Long> member = cache(OrcaCachingProvider.managerOf(nodes.members().get(2)));
    member.put("before", 1L);
    for (BlockingQueue<String> each : heard) {
      assertEquals("before", each.poll(30, TimeUnit.SECONDS));
    }
    nodes.members().get(0).close();
    for (int i = 0; i < caches.size(); i++) {
      // What was made in between is not told of.
      String key = null;
      for (int tries = 0; key == null; tries++) {
        assertTrue(tries < 300, "it hears again");
        member.put("after " + i + " " + tries, 1L);
        key = heard.get(i).poll(100, TimeUnit.MILLISECONDS);
      }
      // An earlier cache's own entry may be the first that it hears of.
      assertEquals(key.startsWith("own") ? 2L : 1L, caches.get(i).get(key));
      caches.get(i).put("own" + i, 2L);
      while (!key.equals("own" + i)) {
        key = heard.get(i).poll(30, TimeUnit.SECONDS);
        assertNotNull(key, "its own is told");
      }
    }
  }
}
