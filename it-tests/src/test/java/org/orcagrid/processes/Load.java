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
package org.orcagrid.processes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * Clients on every server that write values which only grow and read everybody's, while a test
 * hurts the servers; each goes on after a lost connection. What they read is judged as it comes.
 */
final class Load implements AutoCloseable {
  private static final long PROGRESS_SECONDS = 60;

  private final List<String> servers;
  private final List<String> keys = new ArrayList<>();
  private final SeenValues seen = new SeenValues();
  private final List<Thread> threads = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final Semaphore reads = new Semaphore(0);
  private final Semaphore writes = new Semaphore(0);
  private volatile boolean ending;

  private Load(List<String> servers) {
    this.servers = servers;
  }

  /** Creates a key for each server and starts a writer and a reader on each. */
  static Load start(List<String> servers)
      throws IOException, InterruptedException, KeeperException {
    Load load = new Load(List.copyOf(servers));
    String all = String.join(",", servers);
    for (int i = 0; i < servers.size(); i++) {
      String key = "/load-" + i;
      load.keys.add(key);
      Clients.persistently(
          all,
          client -> {
            if (client.exists(key, false) == null) {
              client.create(key, bytes(0), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
            return null;
          });
    }
    for (int i = 0; i < servers.size(); i++) {
      String own = servers.get(i);
      String key = load.keys.get(i);
      // A writer goes where it can, a reader stays with its server.
      load.threads.add(new Thread(() -> load.repeat(all, c -> load.write(c, key)), "writer" + i));
      load.threads.add(new Thread(() -> load.repeat(own, load::readAll), "reader" + i));
    }
    load.threads.forEach(Thread::start);
    return load;
  }

  @FunctionalInterface
  private interface Step {
    void run(ZooKeeper client) throws KeeperException, InterruptedException;
  }

  private void repeat(String where, Step step) {
    while (!ending) {
      try (ZooKeeper client = Clients.connect(where)) {
        while (!ending) {
          step.run(client);
        }
      } catch (KeeperException.ConnectionLossException
          | KeeperException.SessionExpiredException
          | KeeperException.SessionMovedException e) {
        // What the faults are for; the next connection goes on.
      } catch (InterruptedException e) {
        return;
      } catch (KeeperException | IOException | RuntimeException e) {
        if (!ending) {
          synchronized (failures) {
            failures.add(Thread.currentThread().getName() + ": " + e);
          }
          return;
        }
      }
    }
  }

  private void write(ZooKeeper client, String key) throws KeeperException, InterruptedException {
    long value = read(client, key) + 1;
    client.setData(key, bytes(value), -1);
    writes.release();
  }

  private void readAll(ZooKeeper client) throws KeeperException, InterruptedException {
    for (String key : keys) {
      read(client, key);
    }
  }

  private long read(ZooKeeper client, String key) throws KeeperException, InterruptedException {
    long floor = seen.floor(key);
    long value = Long.parseLong(new String(client.getData(key, false, null), UTF_8));
    seen.onRead(Thread.currentThread().getName(), key, floor, value);
    reads.release();
    return value;
  }

  private static byte[] bytes(long value) {
    return Long.toString(value).getBytes(UTF_8);
  }

  /** Returns when this many more reads and a tenth as many writes have succeeded. */
  void awaitProgress(int count) throws InterruptedException {
    reads.drainPermits();
    writes.drainPermits();
    assertTrue(reads.tryAcquire(count, PROGRESS_SECONDS, TimeUnit.SECONDS), this::noProgress);
    assertTrue(writes.tryAcquire(count / 10, PROGRESS_SECONDS, TimeUnit.SECONDS), this::noProgress);
  }

  private String noProgress() {
    synchronized (failures) {
      return "The clients get no answers; failures: " + failures;
    }
  }

  /** What has been read against the rule so far. */
  List<String> violations() {
    return seen.violations();
  }

  /** Ends the clients, reads everything from every server and judges. */
  void finish() throws IOException, InterruptedException, KeeperException {
    close();
    for (String server : servers) {
      Clients.persistently(
          server,
          client -> {
            readAll(client);
            return null;
          });
    }
    assertEquals(List.of(), seen.violations());
    assertEquals(List.of(), failures);
  }

  @Override
  public void close() throws InterruptedException {
    ending = true;
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
