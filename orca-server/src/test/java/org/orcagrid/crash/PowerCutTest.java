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
package org.orcagrid.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.server.EmbeddedEnsemble;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts the power of one, two or all of three servers while clients write and read, takes from their
 * disks what was not forced, and looks for something that a client had seen.
 *
 * <p>{@code -Dschedules=500} runs that many; {@code -Dseed=N} replays from the seed of a failure.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class PowerCutTest {

  private static final Logger LOG = LoggerFactory.getLogger(PowerCutTest.class);

  private static final int SERVERS = 3;
  private static final List<String> KEYS = List.of("/k0", "/k1", "/durable/k2");

  /** What a client can see beside values: creations, deletions, versions. */
  private static final List<String> CHURN = List.of(Churn.CREATED, Churn.DELETED, Churn.VERSION);

  private static final int SCHEDULES = Integer.getInteger("schedules", 3);
  private static final long SEED = Long.getLong("seed", 1);

  @TempDir Path dir;

  private final SeenState state = new SeenState();

  /** The keys that are written all the time. */
  private List<String> written = KEYS;

  private final Churn churn = new Churn(state);
  private final List<ForgetfulStorage> disks = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(strings = {"async", "sync"})
  void nothingThatAClientSawIsMissingAfterAPowerCut(String replication) throws Exception {
    for (int i = 0; i < SERVERS; i++) {
      disks.add(new ForgetfulStorage(false));
    }
    try (EmbeddedEnsemble ensemble = ensemble("cad", replication)) {
      for (int n = 0; n < SCHEDULES; n++) {
        long seed = SEED + n;
        List<String> violations = runSchedule(ensemble, seed);
        assertEquals(List.of(), violations, () -> "replay with -Dtest=PowerCutTest -Dseed=" + seed);
      }
    }
  }

  @Test
  void asynchronousDurabilityLosesWhatWasRead() throws Exception {
    for (int i = 0; i < SERVERS; i++) {
      disks.add(new ForgetfulStorage(false));
    }
    // Whoever asks for immediate durability has everything flushed, other clients' writes too.
    written = KEYS.subList(0, 2);
    Set<String> lost =
        lossesOf("async", seen -> containsAny(seen, KEYS) && containsAny(seen, CHURN));
    assertTrue(containsAny(lost, KEYS), () -> "no value was lost: the test is blind; " + lost);
    assertTrue(containsAny(lost, CHURN), () -> "only values were lost: " + lost);
  }

  @Test
  void aDiskThatLiesAboutForcingIsFoundOut() throws Exception {
    for (int i = 0; i < SERVERS; i++) {
      disks.add(new ForgetfulStorage(true));
    }
    assertFalse(
        lossesOf("cad", lost -> !lost.isEmpty()).isEmpty(),
        "no schedule lost anything though no disk forced anything");
  }

  private static boolean containsAny(Set<String> lost, List<String> keys) {
    return keys.stream().anyMatch(lost::contains);
  }

  /** Runs schedules until enough was lost; returns what was lost, by its key. */
  private Set<String> lossesOf(String durability, Predicate<Set<String>> enough) throws Exception {
    Set<String> lost = new TreeSet<>();
    try (EmbeddedEnsemble ensemble = ensemble(durability, "async")) {
      for (int n = 0; n < 20 && !enough.test(lost); n++) {
        try {
          for (String violation : runSchedule(ensemble, SEED + n)) {
            lost.add(violation.substring(0, violation.indexOf(" showed")));
          }
        } catch (KeeperException.NoNodeException e) {
          // Even what was there from the start.
          lost.add(e.getPath());
          return lost;
        }
        state.reset();
      }
    }
    return lost;
  }

  private EmbeddedEnsemble ensemble(String durability, String replication) throws Exception {
    EmbeddedEnsemble ensemble =
        new EmbeddedEnsemble(
                dir,
                SERVERS,
                Map.of(
                    "orca.durability",
                    durability,
                    "orca.replication",
                    replication,
                    "orca.readers",
                    replication.equals("async") ? "active-set" : "leader",
                    "orca.heartbeatMs",
                    "20",
                    "orca.markOutMs",
                    "60",
                    "orca.removalMs",
                    "300",
                    "orca.immediatePaths",
                    "/durable"))
            .adjusted(ForgetfulStorage.beneath(disks))
            .start();
    try (ZooKeeper client = EmbeddedEnsemble.connect(ensemble.connectString())) {
      client.addAuthInfo("orca", "durability=sync".getBytes(UTF_8));
      client.create("/durable", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      client.create(Churn.PARENT, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      for (String key : KEYS) {
        client.create(key, "0".getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        state.onDurable(key, 0);
      }
    }
    return ensemble;
  }

  private List<String> runSchedule(EmbeddedEnsemble ensemble, long seed) throws Exception {
    Random random = new Random(seed);
    Semaphore operations = new Semaphore(0);
    List<Thread> clients = new ArrayList<>();
    for (String key : written) {
      clients.add(
          new Thread(
              () -> use(ensemble.connectString(), c -> write(c, key, operations)), "writer" + key));
    }
    for (int i = 0; i < SERVERS; i++) {
      String server = ensemble.connectString(i);
      long readerSeed = random.nextLong();
      clients.add(
          new Thread(() -> use(server, c -> read(c, new Random(readerSeed))), "reader" + i));
    }
    clients.add(
        new Thread(() -> use(ensemble.connectString(), c -> churn.write(c, operations)), "churn"));
    clients.forEach(Thread::start);
    // Of writes: readers are many times as fast, and what they see comes from them.
    int cutAfter = 100 + random.nextInt(900);
    // A slow machine does not get that far; the power is cut all the same.
    boolean asMany = operations.tryAcquire(cutAfter, 20, TimeUnit.SECONDS);
    List<Integer> victims = victims(random);
    victims.forEach(victim -> disks.get(victim).powerCut());
    for (int victim : victims) {
      ensemble.stop(victim);
    }
    clients.forEach(Thread::interrupt);
    for (Thread client : clients) {
      client.join();
    }
    for (int victim : victims) {
      disks.get(victim).lose(random);
    }
    for (int victim : victims) {
      ensemble.start(victim);
    }
    state.settle();
    lookAtEverything(ensemble);
    List<String> violations = state.takeViolations();
    if (!violations.isEmpty()) {
      LOG.warn("seed {}, victims {}, all operations {}: {}", seed, victims, asMany, violations);
    }
    return violations;
  }

  private static List<Integer> victims(Random random) {
    List<Integer> all = new ArrayList<>(List.of(0, 1, 2));
    Collections.shuffle(all, random);
    int count = random.nextInt(4);
    return all.subList(0, count == 0 ? SERVERS : count);
  }

  /** What a client does until it is interrupted or loses its server. */
  @FunctionalInterface
  private interface Work {
    void run(ZooKeeper client) throws KeeperException, InterruptedException;
  }

  private static void use(String servers, Work work) {
    try (ZooKeeper client = EmbeddedEnsemble.connect(servers)) {
      work.run(client);
    } catch (KeeperException | java.io.IOException e) {
      // The power was cut: the outcome of the last operation is unknown.
      LOG.debug("A client has ended", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(ZooKeeper client, String key, Semaphore operations)
      throws KeeperException, InterruptedException {
    long value = value(client.getData(key, false, null));
    while (!Thread.currentThread().isInterrupted()) {
      value++;
      client.setData(key, bytes(value), -1);
      if (key.startsWith("/durable")) {
        state.onDurable(key, value);
      }
      operations.release();
    }
  }

  /** Some span several sectors, so that a power cut can tear them. */
  private static byte[] bytes(long value) {
    return (value + " " + "x".repeat(value % 7 == 0 ? 3_000 : 10)).getBytes(UTF_8);
  }

  private static long value(byte[] bytes) {
    String text = new String(bytes, UTF_8);
    return Long.parseLong(text.contains(" ") ? text.substring(0, text.indexOf(' ')) : text);
  }

  private void read(ZooKeeper client, Random random) throws KeeperException, InterruptedException {
    while (!Thread.currentThread().isInterrupted()) {
      if (random.nextInt(3) == 0) {
        churn.look(client, random);
      } else {
        readOne(client, KEYS.get(random.nextInt(KEYS.size())));
      }
    }
  }

  private void readOne(ZooKeeper client, String key) throws KeeperException, InterruptedException {
    long before = state.newest(key);
    Stat stat = new Stat();
    long value = value(client.getData(key, false, stat));
    state.onRead(key, before, value, "in 0x" + Long.toHexString(stat.getMzxid()));
  }

  private void lookAtEverything(EmbeddedEnsemble ensemble) throws Exception {
    for (int i = 0; i < SERVERS; i++) {
      try (ZooKeeper client = EmbeddedEnsemble.connect(ensemble.connectString(i))) {
        for (String key : KEYS) {
          readOne(client, key);
        }
        churn.lookAtAll(client);
        long version = state.newest(Churn.VERSION);
        state.onRead(Churn.VERSION, version, client.exists(Churn.PARENT, false).getCversion());
      }
    }
  }
}
