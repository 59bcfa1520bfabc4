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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.orcagrid.client.Places.assertSays;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.client.map.GridTransaction;
import org.orcagrid.client.map.MapChange;
import org.orcagrid.client.map.MapListening;
import org.orcagrid.client.map.TransactionAbortedException;
import org.orcagrid.client.map.TransactionalGridMap;
import org.orcagrid.ddp.model.Consistency;

/** What transactions are held to, and that models without any refuse them. */
final class TransactionContract {
  private static final long ALL = 100;
  private static final long IN_ORDER = 10;

  private final Places places;

  TransactionContract(Places places) {
    this.places = places;
  }

  void all() throws Exception {
    if (places.model().consistency() != Consistency.TRANSACTIONAL) {
      refused();
      return;
    }
    aTransactionIsThereAsAWhole();
    whatIsGivenUpLeavesNothing();
    ofTwoThatMeetOneIsAborted();
    nothingIsLostAndNobodySeesAPart();
    whatMeetsTransactionsStaysInOrder();
    itIsToldWhereItWasWritten();
  }

  private void refused() {
    for (GridMaps each : places.all()) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> accounts(each));
      assertSays("has no transactions", refused);
      assertSays("transactional/" + places.model().persistency().id(), refused);
    }
  }

  private TransactionalGridMap<String, Long> accounts(GridMaps place) {
    return place
        .transactionalMap(places.name("accounts"), Codec.STRING, Codec.LONG, places.model())
        .timeout(TcpGridFixture.PATIENCE);
  }

  private static Void move(GridTransaction<String, Long> transaction, long amount) {
    transaction.set("ada", transaction.get("ada") - amount);
    transaction.set("grace", transaction.get("grace") + amount);
    return null;
  }

  private void aTransactionIsThereAsAWhole() {
    TransactionalGridMap<String, Long> here = accounts(places.first());
    TransactionalGridMap<String, Long> there = accounts(places.last());
    here.setAll(Map.of("ada", ALL, "grace", 0L, "closed", 0L));
    try (GridTransaction<String, Long> transaction = there.transaction()) {
      move(transaction, 30);
      transaction.delete("closed");
      assertEquals(70L, transaction.get("ada"), "it sees what it has written");
      assertNull(transaction.get("closed"));
      transaction.commit();
      assertSays(
          "has ended", assertThrows(IllegalStateException.class, () -> transaction.get("ada")));
    }
    for (GridMaps each : places.all()) {
      assertEquals(Map.of("ada", 70L, "grace", 30L), accounts(each).snapshot());
    }
    assertEquals(ALL, here.<Long>inTransaction(each -> each.get("ada") + each.get("grace")));
  }

  private void whatIsGivenUpLeavesNothing() {
    TransactionalGridMap<String, Long> here = accounts(places.first());
    try (GridTransaction<String, Long> given = here.transaction()) {
      move(given, 7);
    }
    assertThrows(
        ArithmeticException.class,
        () ->
            here.inTransaction(
                transaction -> {
                  move(transaction, 7);
                  throw new ArithmeticException("the program's own");
                }));
    assertThrows(
        NullPointerException.class,
        () ->
            here.inTransaction(
                transaction -> {
                  move(transaction, 7);
                  transaction.set("ada", null);
                  return null;
                }));
    assertEquals(Map.of("ada", 70L, "grace", 30L), accounts(places.last()).snapshot());
  }

  private void ofTwoThatMeetOneIsAborted() {
    TransactionalGridMap<String, Long> here = accounts(places.first());
    TransactionalGridMap<String, Long> there = accounts(places.last());
    try (GridTransaction<String, Long> first = here.transaction();
        GridTransaction<String, Long> second = there.transaction()) {
      assertThrows(
          TransactionAbortedException.class,
          () -> {
            move(first, 1);
            move(second, 2);
            second.commit();
            first.commit();
          });
    }
    long ada = here.get("ada");
    assertTrue(ada == 69 || ada == 68 || ada == 70, () -> ada + ": one or none");
    assertEquals(ALL, here.get("ada") + there.get("grace"));
  }

  private void nothingIsLostAndNobodySeesAPart() throws InterruptedException {
    accounts(places.first()).setAll(Map.of("ada", ALL, "grace", 0L, "moves", 0L));
    AtomicInteger looked = new AtomicInteger();
    places.everywhere(
        (place, thread) -> {
          TransactionalGridMap<String, Long> map = accounts(place);
          for (int i = 0; i < MapContract.ROUNDS; i++) {
            if (thread % 2 == 0) {
              map.inTransaction(
                  transaction -> {
                    transaction.set("moves", transaction.get("moves") + 1);
                    return move(transaction, 1);
                  });
            } else {
              Map<String, Long> all = map.snapshot();
              assertEquals(ALL, all.get("ada") + all.get("grace"), all::toString);
              assertEquals(all.get("grace"), all.get("moves"));
              looked.incrementAndGet();
            }
          }
        });
    long moves = (long) places.threads() * MapContract.ROUNDS - looked.get();
    for (GridMaps each : places.all()) {
      assertEquals(
          Map.of("ada", ALL - moves, "grace", moves, "moves", moves), accounts(each).snapshot());
    }
  }

  /** A single operation waits for its turn, and those behind it do, too. */
  private void whatMeetsTransactionsStaysInOrder() throws Exception {
    TransactionalGridMap<String, Long> here = accounts(places.first());
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> reading =
        CompletableFuture.runAsync(
            () -> {
              TransactionalGridMap<String, Long> there = accounts(places.last());
              while (!over.get()) {
                there.inTransaction(transaction -> transaction.get("in order"));
              }
            });
    try {
      for (int round = 0; round < MapContract.ROUNDS; round++) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (long i = 0; i < IN_ORDER; i++) {
          all.add(here.setAsync("in order", i).toCompletableFuture());
        }
        assertEquals(IN_ORDER - 1, here.get("in order"));
        all.forEach(CompletableFuture::join);
        assertEquals(IN_ORDER - 1, here.get("in order"));
      }
    } finally {
      over.set(true);
      reading.get(TcpGridFixture.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private void itIsToldWhereItWasWritten() throws InterruptedException {
    TransactionalGridMap<String, Long> here = accounts(places.first());
    BlockingQueue<MapChange<String, Long>> told = new LinkedBlockingQueue<>();
    try (MapListening listening = here.listen(told::add)) {
      accounts(places.last()).<Void>inTransaction(each -> set(each, "elsewhere"));
      assertFalse(next(told, "elsewhere").here());
      here.<Void>inTransaction(each -> set(each, "here"));
      assertTrue(next(told, "here").here());
      assertEquals(0, listening.failed());
    }
  }

  private static Void set(GridTransaction<String, Long> transaction, String key) {
    transaction.set(key, 1L);
    return null;
  }

  private static MapChange<String, Long> next(
      BlockingQueue<MapChange<String, Long>> told, String key) throws InterruptedException {
    MapChange<String, Long> next = told.poll(TcpGridFixture.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertNotNull(next, key);
    assertEquals(key, next.key());
    return next;
  }
}
