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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.MemberGrid;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.map.LocalViews;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.run.MixedWorker;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.node.KeySettings;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.transport.tcp.HostPort;

/** {@code orca mixed} with stores on maps of a grid of three nodes in this process. */
@Timeout(180)
class MixedGridTest {
  private static final int NODES = 3;

  @TempDir private static Path folder;

  private static LocalViews views;
  private static final List<MemberGrid> MEMBERS = new ArrayList<>();
  private static final List<String> ADDRESSES = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    FreePorts.find(NODES, new Random()).forEach(each -> ADDRESSES.add("localhost:" + each));
    views =
        LocalViews.open(
            NODES,
            KiteSettings.NODES_MAX,
            folder.resolve("views"),
            System::nanoTime,
            work -> {
              Thread thread = new Thread(work, "views");
              thread.setDaemon(true);
              return thread;
            });
    for (int node = 0; node < NODES; node++) {
      HostPort at = HostPort.parse(ADDRESSES.get(node));
      NodeSettings settings =
          NodeSettings.of(NodeSettings.GRID, NODES, at, folder.resolve("node" + node))
              .withKeys(new KeySettings(16, 4096, 16 << 20));
      MEMBERS.add(Grid.join(settings, views.membership(node, at.toString())));
    }
    for (MemberGrid each : MEMBERS) {
      assertTrue(each.awaitServing(Duration.ofSeconds(60)));
    }
    MemberGrid first = MEMBERS.get(0);
    first.transactionalMap(
        "bank", Codec.STRING, Codec.BYTES, Ddp.parse("transactional/synchronous"));
    for (String each : List.of("inboxes", "left")) {
      first.causalMap(each, Codec.STRING, Codec.BYTES, Ddp.parse("causal/strict"));
    }
  }

  @AfterAll
  static void stop() throws Exception {
    MEMBERS.forEach(MemberGrid::close);
    if (views != null) {
      views.close();
    }
  }

  private static Path config(String name, String... lines) throws Exception {
    return Files.write(folder.resolve(name), List.of(lines));
  }

  private static Path all(String map) throws Exception {
    List<String> lines = new ArrayList<>();
    lines.add("store.bank = grid " + String.join(",", ADDRESSES) + " bank");
    lines.add("age.ms = 0");
    for (int node = 0; node < NODES; node++) {
      lines.add("store.inboxes." + node + " = grid-causal " + ADDRESSES.get(node) + " " + map);
    }
    return config(map + ".cfg", lines.toArray(new String[0]));
  }

  @Test
  void statusShowsEachNodeOfAMap() throws Exception {
    Cli status = Cli.run("mixed", "status", all("inboxes"));
    assertEquals(0, status.exitCode(), status.err());
    List<String> lines = status.out().lines().filter(each -> each.contains("Causal")).toList();
    assertEquals(NODES, lines.size(), status.out());
    for (int node = 0; node < NODES; node++) {
      assertTrue(lines.get(node).matches("inboxes +" + node + " .*"), status.out());
    }
  }

  @Test
  void aWorkerFinishesWhatClientsOfEachNodeHaveLeft() throws Exception {
    MixedConfig config = MixedConfig.read(all("left"));
    try (MixedStores stores = MixedStores.open(config);
        MixedWorker worker = new MixedWorker(stores.all(), config.age())) {
      Store bank = stores.all().get(0);
      List<Store> inboxes = stores.all().subList(1, 1 + NODES);
      for (int node = 0; node < NODES; node++) {
        TransactionId id = new TransactionId("bank", 1_000 + node, node);
        Part here = new Part("bank", List.of(write(strong("posts"), 1L)), Map.of(), null);
        Part rest =
            new Part(
                Integer.toString(node), List.of(write(weak("ann" + node), "hi")), Map.of(), null);
        Intent intent = new Intent(id, List.of(), List.of(rest));
        assertEquals(Answer.DONE, bank.decide(id, here, intent).answer());
      }
      MixedWorker.Round round = worker.round();
      assertEquals(NODES, round.finished(), round::toString);
      assertEquals(Map.of(), round.open());
      for (int node = 0; node < NODES; node++) {
        StoredObject ann = weak("ann" + node);
        Store inbox = inboxes.get(node);
        assertEquals("hi", inbox.read(Set.of(ann), Set.of()).found().get(ann).value());
        assertEquals(1, inbox.read(Set.of(), Set.of()).clock().of(inbox.traits().group()));
      }
    }
  }

  private static StoredObject strong(String key) {
    return new StoredObject("bank", Linearizable.class, key);
  }

  private static StoredObject weak(String key) {
    return new StoredObject("inboxes", Causal.class, key);
  }

  private static Part.Write write(StoredObject object, Object value) {
    return new Part.Write(object, null, value, Context.NONE);
  }

  private static void refused(Path config, String... parts) {
    Cli status = Cli.run("mixed", "status", config);
    assertEquals(1, status.exitCode(), status::toString);
    for (String each : parts) {
      assertTrue(status.err().contains(each), status.err());
    }
  }

  @Test
  void whatCannotBeUsedIsRefusedWithTheReason() throws Exception {
    String first = ADDRESSES.get(0);
    refused(
        config("other.cfg", "store.inboxes.1 = grid-causal " + first + " inboxes"),
        "group 1 of the store inboxes has the address " + first + ", where node 0 is");
    refused(
        config("misspelt.cfg", "store.bank = grid " + first + " banc"),
        "has no map banc, but [bank, inboxes, left]");
    refused(
        config("weak.cfg", "store.bank = grid " + first + " inboxes"),
        "The store bank: the map inboxes: causal/strict");
    refused(
        config("strong.cfg", "store.inboxes.0 = grid-causal " + first + " bank"),
        "The store inboxes.0: the map bank: ");
    refused(
        config("nobody.cfg", "store.bank = grid 127.0.0.1:1 bank"),
        "The store bank: ",
        "127.0.0.1");
    refused(
        config("client.cfg", "store.bank = grid " + first + " bank", "grid.client = none.cfg"),
        "none.cfg cannot be read");
  }
}
