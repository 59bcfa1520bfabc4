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
package org.orcagrid.geo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.orcagrid.geo.session.ReadGuarantee.EVENTUAL;
import static org.orcagrid.geo.session.ReadGuarantee.MONOTONIC_READ;
import static org.orcagrid.geo.session.ReadGuarantee.MONOTONIC_READ_YOUR_WRITE;
import static org.orcagrid.geo.session.WriteGuarantee.MONOTONIC_WRITE_FOLLOWS_READS;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.log.RaftKind;
import org.orcagrid.geo.node.GeoConfig;
import org.orcagrid.geo.node.GeoNode;
import org.orcagrid.geo.session.SessionToken;
import org.orcagrid.geo.session.TokenKeys;
import org.orcagrid.transport.tcp.LinkLog;

/** A store of two datacenters with real nodes, links, journals and clients. */
public class RemoteGeoTest {
  private static final TokenKeys KEYS =
      TokenKeys.of(1, "a secret of this test".getBytes(StandardCharsets.UTF_8));

  @TempDir private Path folder;
  private LocalStore store;
  private RemoteGeo geo;

  /** Which log its nodes have. */
  protected String log() {
    return RaftKind.NAME;
  }

  /** The most partitions that the nodes of one JVM are to have. */
  protected int partitionsMax() {
    return 4;
  }

  private void begin(int datacenters, int replicas, int partitions) throws IOException {
    begin(datacenters, replicas, partitions, GeoConfig.Trial.NONE);
  }

  private void begin(int datacenters, int replicas, int partitions, GeoConfig.Trial trial)
      throws IOException {
    store =
        new LocalStore(
            folder,
            datacenters,
            replicas,
            Math.min(partitions, partitionsMax()),
            new LocalStore.Oddity() {
              @Override
              public GeoConfig config(GeoConfig usual) {
                return LocalStore.withTrial(LocalStore.withLog(usual, log()), trial);
              }
            });
    store.awaitLeaders();
    geo = RemoteGeo.connect(store.settings().keys(KEYS).timeout(Duration.ofSeconds(20)));
  }

  @AfterEach
  void close() {
    if (geo != null) {
      geo.close();
    }
    if (store != null) {
      store.close();
      assertEquals(List.of(), List.copyOf(store.failures()));
    }
  }

  private static GeoView<String, String> mails(GeoSession session) {
    return session.view("mails", Codec.STRING, Codec.STRING);
  }

  @Test
  void aSessionSeesWhatItHasDoneInAnyDatacenter() throws IOException {
    begin(2, 3, 4);
    try (GeoSession session = geo.openSession()) {
      GeoView<String, String> here = mails(session);
      GeoView<String, String> there = here.at("dc1");
      for (int i = 0; i < 20; i++) {
        here.put("ann" + i, "mail " + i, MONOTONIC_WRITE_FOLLOWS_READS);
        Seen<String> seen = there.get("ann" + i, MONOTONIC_READ_YOUR_WRITE);
        assertEquals("mail " + i, seen.value());
        assertFalse(seen.isOlder());
        there.put("ann" + i, "read", MONOTONIC_WRITE_FOLLOWS_READS);
        assertEquals("read", here.get("ann" + i, MONOTONIC_READ_YOUR_WRITE).value());
      }
      there.delete("ann0", MONOTONIC_WRITE_FOLLOWS_READS);
      assertNull(here.get("ann0", MONOTONIC_READ_YOUR_WRITE).value());
      assertEquals(Version.NONE, here.get("nobody", EVENTUAL).version());
    }
  }

  @Test
  void aTokenGoesOnAnywhere() throws IOException {
    begin(2, 1, 2);
    String token;
    try (GeoSession session = geo.openSession()) {
      mails(session).put("ann", "one", MONOTONIC_WRITE_FOLLOWS_READS);
      token = session.token();
    }
    try (RemoteGeo other = RemoteGeo.connect(store.settings().keys(KEYS).home("dc1"));
        GeoSession session = other.resume(token)) {
      assertEquals("one", mails(session).get("ann", MONOTONIC_READ_YOUR_WRITE).value());
      assertThrows(
          SessionToken.RefusedException.class, () -> other.resume(token.substring(1) + "A"));
    }
  }

  @Test
  void whatWentWithADatacenterIsToldOnce() throws Exception {
    begin(3, 1, 2);
    store.slowDown(2);
    try (GeoSession session = geo.openSession()) {
      GeoView<String, String> here = mails(session);
      here.at("dc2").put("ann", "lost", MONOTONIC_WRITE_FOLLOWS_READS);
      here.at("dc2").put("bob", "lost, too", MONOTONIC_WRITE_FOLLOWS_READS);
      store.end(2);
      assertThrows(
          GuaranteeNotMetException.class,
          () -> here.get("ann", MONOTONIC_READ_YOUR_WRITE.within(Duration.ofMillis(50))));
      do {
        geo.remove(store.plan().nodes().get(0), "dc2").get();
      } while (!geo.status(store.plan().nodes().get(1), false).get().contains("removed=dc2")
          || !geo.status(store.plan().nodes().get(0), false).get().contains("removed=dc2")
          || geo.status(store.plan().nodes().get(0), false).get().contains("removed=-"));
      GuaranteeNotMetException told =
          assertThrows(
              GuaranteeNotMetException.class, () -> here.get("ann", MONOTONIC_READ_YOUR_WRITE));
      assertTrue(told.isLost() && told.entries() > 0, told.getMessage());
      assertEquals("dc2", told.datacenter());
      assertNull(here.get("ann", MONOTONIC_READ_YOUR_WRITE).value());
      here.put("ann", "again", MONOTONIC_WRITE_FOLLOWS_READS);
      assertEquals("again", here.at("dc1").get("ann", MONOTONIC_READ_YOUR_WRITE).value());
      store.start(2);
      assertTrue(
          assertThrows(GeoException.class, () -> awaitRefusal(here.at("dc2")))
              .getMessage()
              .contains("dc2 was removed"));
    }
  }

  /** It hears of its removal soon after its start. */
  private static void awaitRefusal(GeoView<String, String> removed) {
    while (true) {
      removed.get("ann", EVENTUAL);
    }
  }

  @Test
  void conditionsDecideInADatacenter() throws IOException {
    begin(1, 3, 1);
    try (GeoSession session = geo.openSession()) {
      GeoView<String, String> view = mails(session);
      Written first = view.putIfAbsent("k", "one", MONOTONIC_WRITE_FOLLOWS_READS);
      assertTrue(first.isDone());
      Written second = view.putIfAbsent("k", "two", MONOTONIC_WRITE_FOLLOWS_READS);
      assertFalse(second.isDone());
      assertEquals(first.version(), second.version());
      assertTrue(
          view.replace("k", "three", first.version(), MONOTONIC_WRITE_FOLLOWS_READS).isDone());
      assertFalse(
          view.replace("k", "four", first.version(), MONOTONIC_WRITE_FOLLOWS_READS).isDone());
      assertEquals("three", view.get("k", MONOTONIC_READ_YOUR_WRITE).value());
    }
  }

  @Test
  void whatIsDurableIsThereAfterAStart() throws IOException {
    begin(2, 1, 4);
    List<CompletableFuture<Version>> writes = new ArrayList<>();
    try (GeoSession session = geo.openSession()) {
      GeoView<String, String> view = mails(session);
      for (int i = 0; i < 500; i++) {
        writes.add(view.putAsync("k" + i, "v" + i, MONOTONIC_WRITE_FOLLOWS_READS));
      }
      writes.forEach(CompletableFuture::join);
      store.end(0);
      store.start(0);
      for (int i = 0; i < 500; i++) {
        assertEquals("v" + i, view.get("k" + i, MONOTONIC_READ_YOUR_WRITE).value());
      }
    }
  }

  @Test
  void aGroupGoesOnWithoutItsLeader() throws IOException {
    begin(2, 3, 1);
    try (GeoSession session = geo.openSession()) {
      GeoView<String, String> view = mails(session);
      view.put("k", "one", MONOTONIC_WRITE_FOLLOWS_READS);
      int leader = 0;
      while (!store.node(leader).status().contains("leads=true")) {
        leader++;
      }
      store.end(leader);
      view.put("k", "two", MONOTONIC_WRITE_FOLLOWS_READS);
      assertEquals("two", view.get("k", MONOTONIC_READ_YOUR_WRITE).value());
      assertEquals("two", view.at("dc1").get("k", MONOTONIC_READ_YOUR_WRITE).value());
      store.start(leader);
      view.put("k", "three", MONOTONIC_WRITE_FOLLOWS_READS);
      assertEquals("three", view.at("dc1").get("k", MONOTONIC_READ_YOUR_WRITE).value());
    }
  }

  @Test
  void whatDoesNotComeInTimeIsSaid() throws IOException {
    begin(2, 1, 1);
    try (GeoSession session = geo.openSession()) {
      GeoView<String, String> here = mails(session);
      here.put("k", "one", MONOTONIC_WRITE_FOLLOWS_READS);
      assertEquals("one", here.at("dc1").get("k", MONOTONIC_READ_YOUR_WRITE).value());
      // Nobody forwards any more, and what was written last is in the other one only.
      Version last = here.put("k", "two", MONOTONIC_WRITE_FOLLOWS_READS);
      assertEquals("two", here.at("dc1").get("k", MONOTONIC_READ_YOUR_WRITE).value());
      String token = session.token();
      store.end(0);
      assertTrue(last.isThere());
      try (GeoSession again = geo.resume(token)) {
        Seen<String> seen =
            mails(again).at("dc1").get("k", MONOTONIC_READ.within(Duration.ofMillis(5)).orOlder());
        assertEquals("two", seen.value());
      }
    }
  }

  @Test
  void whatIsMissingIsCountedThoughNobodyHasToldOfIt() throws IOException {
    begin(2, 1, 1, new GeoConfig.Trial(10_000, 0, -1));
    try (GeoSession session = geo.openSession()) {
      GeoView<String, String> here = mails(session);
      for (int i = 1; i <= 3; i++) {
        here.put("k", "v" + i, MONOTONIC_WRITE_FOLLOWS_READS);
      }
      GuaranteeNotMetException late =
          assertThrows(
              GuaranteeNotMetException.class,
              () ->
                  here.at("dc1").get("k", MONOTONIC_READ_YOUR_WRITE.within(Duration.ofMillis(5))));
      assertEquals("dc0", late.datacenter());
      assertTrue(late.entries() >= 3, () -> late.entries() + " entries");
      Seen<String> older =
          here.at("dc1").get("k", MONOTONIC_READ.within(Duration.ofMillis(5)).orOlder());
      assertFalse(older.isOlder(), "it was written, and not read");
      Seen<String> own =
          here.at("dc1").get("k", MONOTONIC_READ_YOUR_WRITE.within(Duration.ofMillis(5)).orOlder());
      assertTrue(own.isOlder());
      assertEquals(late.entries(), own.behindEntries());
    }
  }

  @Test
  void whatIsWrongIsNamed() throws IOException {
    begin(1, 1, 1);
    GeoException otherName =
        assertThrows(
            GeoException.class,
            () ->
                RemoteGeo.connect(store.settings().name("other").timeout(Duration.ofMillis(300))));
    assertTrue(otherName.getMessage().contains("\"other\""), otherName.getMessage());
    IOException taken =
        assertThrows(
            IOException.class, () -> GeoNode.start(store.config(0), new LinkLog(), failure -> {}));
    assertTrue(taken.getMessage() != null, "it says what");
    try (GeoSession session = geo.openSession()) {
      GeoView<String, String> view = mails(session);
      IllegalArgumentException key =
          assertThrows(IllegalArgumentException.class, () -> view.get("k".repeat(2_000), EVENTUAL));
      assertTrue(key.getMessage().contains("at most"), key.getMessage());
      IllegalArgumentException datacenter =
          assertThrows(IllegalArgumentException.class, () -> view.at("north"));
      assertTrue(datacenter.getMessage().contains("[dc0]"), datacenter.getMessage());
    }
  }
}
