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
package org.orcagrid.bench.watches;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.orcagrid.bench.stats.LatencySummary;
import org.orcagrid.bench.system.ServerAddress;
import org.orcagrid.bench.system.SystemUnderTest;

/** The clients of one ensemble: those that watch, and those that read and write beside them. */
final class WatchStorm implements Watcher, AutoCloseable {
  private static final int ARM_SECONDS_MAX = 300;
  private static final int FIRE_SECONDS_MAX = 300;

  /** Setting them is not what is measured, and is to be no storm of its own. */
  private static final int ARMED_AT_ONCE = 250;

  private static final byte[] DATA = new byte[10];

  private final StormPlan plan;
  private final String system;
  private final List<ZooKeeper> watching = new ArrayList<>();
  private final List<BesideClient> beside = new ArrayList<>();
  private final AtomicReference<CountDownLatch> events = new AtomicReference<>();
  private final ZooKeeper changing;

  /** Opens all sessions, spread over the servers, and makes the nodes. */
  WatchStorm(StormPlan plan, SystemUnderTest system) throws IOException, InterruptedException {
    this.plan = plan;
    this.system = system.spec().id();
    List<String> servers = system.servers().stream().map(WatchStorm::text).toList();
    this.changing = StormSessions.open(text(system.leader()), event -> {});
    try {
      for (int i = 0; i < plan.nodes(); i++) {
        create(node(i));
      }
      for (int i = 0; i < plan.sessions(); i++) {
        watching.add(StormSessions.open(servers.get(i % servers.size()), this));
      }
      for (int i = 0; i < 2 * plan.clients(); i++) {
        String path = "/beside" + i;
        create(path);
        ZooKeeper client = StormSessions.open(servers.get(i % servers.size()), event -> {});
        beside.add(new BesideClient(client, path, i >= plan.clients()));
      }
    } catch (KeeperException e) {
      throw new IOException("Nodes cannot be made at " + this.system + ": " + e.getMessage(), e);
    }
    beside.forEach(Thread::start);
  }

  private static String text(ServerAddress server) {
    return server.host() + ":" + server.port();
  }

  private static String node(int number) {
    return "/watched" + number;
  }

  private void create(String path) throws KeeperException, InterruptedException {
    changing.create(path, DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
  }

  @Override
  public void process(WatchedEvent event) {
    events.get().countDown();
  }

  /** One storm, after a calm. */
  StormResult run(int round) throws IOException, InterruptedException {
    events.set(new CountDownLatch(plan.watches()));
    arm();
    next();
    LockSupport.parkNanos((long) (plan.calmSeconds() * TimeUnit.SECONDS.toNanos(1)));
    Map<BesideClient, Histogram> calm = next();
    long begin = System.nanoTime();
    List<Op> changes = new ArrayList<>();
    for (int i = 0; i < plan.nodes(); i++) {
      changes.add(Op.setData(node(i), DATA, -1));
    }
    try {
      changing.multi(changes);
    } catch (KeeperException e) {
      throw new IOException("The nodes cannot be changed: " + e.getMessage(), e);
    }
    if (!events.get().await(FIRE_SECONDS_MAX, TimeUnit.SECONDS)) {
      throw new IOException(
          events.get().getCount() + " events have not come in " + FIRE_SECONDS_MAX + " s.");
    }
    double millis = (System.nanoTime() - begin) / 1e6;
    Map<BesideClient, Histogram> storm = next();
    return new StormResult(
        system,
        round,
        millis,
        summary(calm, false),
        summary(calm, true),
        summary(storm, false),
        summary(storm, true));
  }

  /** How many requests beside the storms have lost their connection. */
  int connectionsLost() {
    return beside.stream().mapToInt(BesideClient::connectionsLost).sum();
  }

  /** Every session watches every node. */
  private void arm() throws IOException, InterruptedException {
    CountDownLatch armed = new CountDownLatch(plan.watches());
    AtomicInteger failures = new AtomicInteger();
    Semaphore room = new Semaphore(ARMED_AT_ONCE);
    for (int i = 0; i < plan.nodes(); i++) {
      for (ZooKeeper session : watching) {
        room.acquire();
        session.getData(
            node(i),
            true,
            (code, path, context, data, stat) -> {
              if (code != KeeperException.Code.OK.intValue()) {
                failures.incrementAndGet();
              }
              armed.countDown();
              room.release();
            },
            null);
      }
    }
    if (!armed.await(ARM_SECONDS_MAX, TimeUnit.SECONDS) || failures.get() > 0) {
      throw new IOException(
          armed.getCount() + " watches are not set, and " + failures + " have failed.");
    }
  }

  /** What was asked since the last call. */
  private Map<BesideClient, Histogram> next() throws InterruptedException {
    beside.forEach(BesideClient::turn);
    Map<BesideClient, Histogram> all = new LinkedHashMap<>();
    for (BesideClient each : beside) {
      all.put(each, each.before());
    }
    return all;
  }

  private static LatencySummary summary(Map<BesideClient, Histogram> all, boolean writes) {
    List<Histogram> its = new ArrayList<>();
    all.forEach(
        (client, histogram) -> {
          if (client.writes() == writes) {
            its.add(histogram);
          }
        });
    return BesideClient.summary(its);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    for (BesideClient each : beside) {
      each.end();
    }
    for (ZooKeeper each : watching) {
      each.close();
    }
    changing.close();
  }
}
