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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.atomic.DistributedAtomicLong;
import org.apache.curator.framework.recipes.barriers.DistributedDoubleBarrier;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryNTimes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.EnsembleProcesses;

/** Curator's recipes keep their promises, with a client on each server. */
@Timeout(120)
class CuratorRecipesTest {
  private static final int SERVERS = 3;
  private static final long LIMIT_SECONDS = 30;

  @TempDir static Path folder;
  private static EnsembleProcesses ensemble;
  private static final List<CuratorFramework> CLIENTS = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    ensemble = RunningEnsemble.start(RunningEnsemble.spec(SERVERS, folder));
    for (int id = 1; id <= SERVERS; id++) {
      CLIENTS.add(client(id));
    }
  }

  private static CuratorFramework client(int id) throws InterruptedException {
    CuratorFramework client =
        CuratorFrameworkFactory.newClient(
            RunningEnsemble.address(ensemble, id), 6_000, 10_000, new RetryNTimes(3, 100));
    client.start();
    assertTrue(client.blockUntilConnected((int) LIMIT_SECONDS, TimeUnit.SECONDS));
    return client;
  }

  @AfterAll
  static void stop() {
    CLIENTS.forEach(CuratorFramework::close);
    CLIENTS.clear();
    if (ensemble != null) {
      ensemble.close();
    }
  }

  @FunctionalInterface
  private interface Part {
    void run(CuratorFramework client) throws Exception;
  }

  private static void onEachClient(Part part) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(SERVERS);
    try {
      List<Future<?>> parts = new ArrayList<>();
      for (CuratorFramework client : CLIENTS) {
        parts.add(
            threads.submit(
                () -> {
                  part.run(client);
                  return null;
                }));
      }
      for (Future<?> each : parts) {
        each.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aMutexAdmitsOneAtATime() throws Exception {
    AtomicInteger inside = new AtomicInteger();
    CLIENTS.get(0).create().forPath("/guarded", "0".getBytes(UTF_8));
    onEachClient(
        client -> {
          InterProcessMutex mutex = new InterProcessMutex(client, "/mutex");
          for (int i = 0; i < 20; i++) {
            assertTrue(mutex.acquire(LIMIT_SECONDS, TimeUnit.SECONDS));
            assertEquals(1, inside.incrementAndGet());
            int value = Integer.parseInt(new String(client.getData().forPath("/guarded"), UTF_8));
            client.setData().forPath("/guarded", Integer.toString(value + 1).getBytes(UTF_8));
            inside.decrementAndGet();
            mutex.release();
          }
        });
    // Read, change, write under the lock: nothing is lost, whichever server each step went to.
    assertEquals("60", new String(CLIENTS.get(0).getData().forPath("/guarded"), UTF_8));
  }

  @Test
  void anAtomicLongCountsEveryIncrement() throws Exception {
    onEachClient(
        client -> {
          DistributedAtomicLong counter =
              new DistributedAtomicLong(client, "/counter", new RetryNTimes(1_000, 5));
          for (int i = 0; i < 20; i++) {
            assertTrue(counter.increment().succeeded());
          }
        });
    assertEquals(
        60L,
        new DistributedAtomicLong(CLIENTS.get(1), "/counter", new RetryNTimes(1, 1))
            .get()
            .postValue());
  }

  @Test
  void aLatchHasOneLeaderAndTheNextTakesOver() throws Exception {
    CuratorFramework leaving = client(1);
    LeaderLatch first = new LeaderLatch(leaving, "/latch", "first");
    first.start();
    first.await(LIMIT_SECONDS, TimeUnit.SECONDS);
    try (LeaderLatch second = new LeaderLatch(CLIENTS.get(1), "/latch", "second")) {
      second.start();
      assertTrue(first.hasLeadership());
      assertEquals("first", second.getLeader().getId());
      assertTrue(!second.hasLeadership());

      leaving.close();
      assertTrue(second.await(LIMIT_SECONDS, TimeUnit.SECONDS));
      assertEquals("second", second.getLeader().getId());
    }
  }

  @Test
  void aCacheSeesWhatOthersChange() throws Exception {
    CountDownLatch changed = new CountDownLatch(1);
    CountDownLatch deleted = new CountDownLatch(1);
    CLIENTS.get(0).create().creatingParentsIfNeeded().forPath("/cached/a", "1".getBytes(UTF_8));
    try (CuratorCache cache = CuratorCache.build(CLIENTS.get(2), "/cached")) {
      CountDownLatch initialized = new CountDownLatch(1);
      cache
          .listenable()
          .addListener(
              CuratorCacheListener.builder()
                  .forInitialized(initialized::countDown)
                  .forChanges((before, after) -> changed.countDown())
                  .forDeletes(before -> deleted.countDown())
                  .build());
      cache.start();
      assertTrue(initialized.await(LIMIT_SECONDS, TimeUnit.SECONDS));
      CLIENTS.get(0).setData().forPath("/cached/a", "2".getBytes(UTF_8));
      assertTrue(changed.await(LIMIT_SECONDS, TimeUnit.SECONDS));
      assertEquals("2", new String(cache.get("/cached/a").orElseThrow().getData(), UTF_8));
      CLIENTS.get(1).delete().forPath("/cached/a");
      assertTrue(deleted.await(LIMIT_SECONDS, TimeUnit.SECONDS));
      assertTrue(cache.get("/cached/a").isEmpty());
    }
  }

  @Test
  void aDoubleBarrierLetsAllInTogether() throws Exception {
    AtomicInteger entered = new AtomicInteger();
    onEachClient(
        client -> {
          DistributedDoubleBarrier barrier =
              new DistributedDoubleBarrier(client, "/barrier", SERVERS);
          entered.incrementAndGet();
          assertTrue(barrier.enter(LIMIT_SECONDS, TimeUnit.SECONDS));
          assertEquals(SERVERS, entered.get());
          assertTrue(barrier.leave(LIMIT_SECONDS, TimeUnit.SECONDS));
        });
  }
}
