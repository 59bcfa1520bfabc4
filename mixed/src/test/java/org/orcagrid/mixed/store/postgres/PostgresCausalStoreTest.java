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
package org.orcagrid.mixed.store.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.orcagrid.mixed.Mixed.value;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.orcagrid.mixed.Handle;
import org.orcagrid.mixed.Out;
import org.orcagrid.mixed.StoreName;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.run.Committed;
import org.orcagrid.mixed.run.MixedClient;
import org.orcagrid.mixed.run.TransactionAbortedException;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreContract;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.track.Context;

/** Three instances, and a linearizable store beside them. */
class PostgresCausalStoreTest extends StoreContract {
  private static final Set<String> GROUPS = Set.of("east", "west", "south");
  private static final StoreName<Linearizable> SQL = new StoreName<>("sql", Linearizable.class);
  private static final StoreName<Causal> INBOXES = new StoreName<>("inboxes", Causal.class);

  private static Databases databases;
  private static Store strong;
  private static PostgresCausalStore east;
  private static PostgresCausalStore west;
  private static PostgresCausalStore south;

  @BeforeAll
  static void start() throws IOException, StoreException, SQLException {
    databases = new Databases();
    try (Connection connection = databases.server().getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      for (String each : GROUPS) {
        statement.execute("CREATE DATABASE " + each);
      }
    }
    strong =
        new PostgresStore(
            "sql", databases.pool("postgres", "read committed"), new Operations(List.of(ADD)));
    east = instance("east");
    west = instance("west");
    south = instance("south");
  }

  private static PostgresCausalStore instance(String group) throws StoreException {
    return new PostgresCausalStore(
        "inboxes",
        group,
        GROUPS,
        databases.pool(group, "read committed"),
        new Operations(List.of(ADD)),
        Merge.standard());
  }

  @AfterAll
  static void stop() throws IOException {
    if (databases != null) {
      databases.close();
    }
  }

  @Override
  protected Store store() {
    return east;
  }

  private static void hand(PostgresCausalStore from, PostgresCausalStore to) throws StoreException {
    new PostgresReplicator(from, to).round();
  }

  private static void handAll() throws StoreException {
    List<PostgresCausalStore> all = List.of(east, west, south);
    for (int i = 0; i < 3; i++) {
      for (PostgresCausalStore from : all) {
        for (PostgresCausalStore to : all) {
          if (from != to) {
            hand(from, to);
          }
        }
      }
    }
  }

  private static Object read(PostgresCausalStore store, String key) throws StoreException {
    StoredObject object = new StoredObject("inboxes", Causal.class, key);
    return store.read(Set.of(object), Set.of()).found().get(object).value();
  }

  private static void add(PostgresCausalStore store, String key, String item, long id)
      throws StoreException {
    Part.Write write =
        new Part.Write(
            new StoredObject("inboxes", Causal.class, key), ADD.operation(), item, Context.NONE);
    Part part = new Part(store.traits().group(), List.of(write), Map.of(), null);
    assertEquals(
        Answer.DONE, store.apply(new TransactionId(store.traits().group(), id, id), part).answer());
  }

  @Test
  void whatInstancesWriteAtOnceIsMerged() throws StoreException {
    add(east, "both", "a", 1);
    add(west, "both", "b", 2);
    handAll();
    for (PostgresCausalStore each : List.of(east, west, south)) {
      assertEquals(List.of("a", "b"), read(each, "both"));
    }
    add(south, "both", "c", 3);
    handAll();
    assertEquals(List.of("a", "b", "c"), read(east, "both"));
  }

  @Test
  void anEffectDoesNotComeBeforeItsCause() throws StoreException {
    handAll();
    add(east, "cause", "a", 11);
    hand(east, west);
    add(west, "effect", "b", 12);
    hand(west, south);
    assertEquals(null, read(south, "effect"));
    hand(east, south);
    hand(west, south);
    assertEquals(List.of("b"), read(south, "effect"));
    assertEquals(List.of("a"), read(south, "cause"));
  }

  @Test
  void anotherGroupsDatabaseIsRefused() {
    StoreException e =
        assertThrows(
            StoreException.class,
            () ->
                new PostgresCausalStore(
                    "inboxes",
                    "west",
                    GROUPS,
                    databases.pool("east", "read committed"),
                    Operations.none(),
                    Merge.standard()));
    assertTrue(e.getMessage().contains("that of the group east"));
  }

  @Test
  void aReaderElsewhereWaitsForThePost() throws Exception {
    handAll();
    Handle<Linearizable, Long> posts = SQL.object("posts");
    Handle<Causal, List<Object>> inbox = INBOXES.object("ann");
    try (MixedClient ann = new MixedClient(List.of(strong, east));
        MixedClient bob = new MixedClient(List.of(strong, west))) {
      Committed posted =
          ann.transaction(
              posts.set(posts.get().map(n -> n == null ? 1L : n + 1)),
              inbox.change(ADD, posts.get().map(n -> "post " + n)));
      assertEquals(List.of(), posted.pending());
      Out<Linearizable, Long> count = new Out<>(Linearizable.class);
      Out<Causal, List<Object>> seen = new Out<>(Causal.class);
      TransactionAbortedException e =
          assertThrows(
              TransactionAbortedException.class,
              () -> bob.transaction(count.set(posts.get()), seen.set(inbox.get())));
      assertTrue(e.getMessage().contains("inboxes at west"), e.getMessage());
      handAll();
      Committed read = bob.transaction(count.set(posts.get()), seen.set(inbox.get()));
      assertEquals(1L, count.of(read.results()));
      assertEquals(List.of("post 1"), seen.of(read.results()));
    }
  }

  @Test
  void manyAtOnceLoseNothing() throws Exception {
    Handle<Linearizable, Long> posts = SQL.object("many");
    Handle<Causal, List<Object>> inbox = INBOXES.object("many");
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    try (MixedClient client = new MixedClient(List.of(strong, east))) {
      for (int i = 0; i < 4; i++) {
        String name = "t" + i;
        Thread thread =
            new Thread(
                () -> {
                  for (int n = 0; n < 10; n++) {
                    String item = name + "-" + n;
                    Committed done =
                        client.transaction(
                            posts.set(posts.get().map(c -> c == null ? 1L : c + 1)),
                            inbox.change(ADD, value(item)));
                    assertFalse(done.results() == null);
                  }
                });
        thread.setUncaughtExceptionHandler((none, e) -> failures.add(e));
        threads.add(thread);
        thread.start();
      }
      for (Thread each : threads) {
        each.join();
      }
      assertEquals(List.of(), failures);
      Out<Linearizable, Long> count = new Out<>(Linearizable.class);
      Out<Causal, List<Object>> seen = new Out<>(Causal.class);
      Committed read = client.transaction(count.set(posts.get()), seen.set(inbox.get()));
      assertEquals(40L, count.of(read.results()));
      assertEquals(40, seen.of(read.results()).size());
    }
  }
}
