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
package org.orcagrid.grid;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * Where processes wait for each other: what one says is there for all that come after, as a znode
 * of a server that they share. It goes another way than what the nodes of a grid say to each other:
 * so what was said after a write has completed proves that it had. Safe for use by many threads.
 */
final class Meeting implements AutoCloseable {
  private static final int SESSION_MS = 30_000;
  private static final long PAUSE_NANOS = 100_000_000;

  private final ZooKeeper client;
  private final Duration patience;

  /** Something to be asked of the server, which may not be reachable at present. */
  private interface Question<T> {
    T ask() throws KeeperException, InterruptedException;
  }

  /**
   * Connects.
   *
   * @param server host:port
   * @param patience how long anything may take to be said
   */
  Meeting(String server, Duration patience) throws Exception {
    this.client = new ZooKeeper(server, SESSION_MS, Meeting::ignore);
    this.patience = patience;
  }

  /** Connections come and go; whoever asks finds out. */
  private static void ignore(WatchedEvent event) {}

  private static String path(String what) {
    return "/" + what.replace('/', '.');
  }

  /** Says something, for good; to say it again changes nothing. */
  void say(String what) throws KeeperException, InterruptedException {
    make(what, CreateMode.PERSISTENT);
  }

  /** Says something for as long as this is open. */
  void sayWhileHere(String what) throws KeeperException, InterruptedException {
    make(what, CreateMode.EPHEMERAL);
  }

  private void make(String what, CreateMode mode) throws KeeperException, InterruptedException {
    persist(
        () -> {
          try {
            return client.create(path(what), new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
          } catch (KeeperException.NodeExistsException e) {
            // By an attempt before, whose answer was lost.
            return null;
          }
        });
  }

  /** Whether something is said at present. */
  boolean isSaid(String what) throws KeeperException, InterruptedException {
    return persist(() -> client.exists(path(what), false)) != null;
  }

  /** Waits until something is said. */
  void await(String what) throws KeeperException, InterruptedException {
    await(what, true);
  }

  /** Waits until something that was said while somebody was here is not any more. */
  void awaitEndOf(String what) throws KeeperException, InterruptedException {
    await(what, false);
  }

  private void await(String what, boolean said) throws KeeperException, InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      CountDownLatch changed = new CountDownLatch(1);
      Watcher watcher = event -> changed.countDown();
      Stat stat = persist(() -> client.exists(path(what), watcher));
      if ((stat != null) == said) {
        return;
      }
      // A watch that is told of a lost connection is told too early, and asks again.
      if (!changed.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        throw new IllegalStateException(what + (said ? " was not said in " : " lasts ") + patience);
      }
    }
  }

  /** Asks until there is an answer. */
  private <T> T persist(Question<T> question) throws KeeperException, InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        return question.ask();
      } catch (KeeperException.ConnectionLossException e) {
        if (System.nanoTime() - end >= 0) {
          throw e;
        }
        // The client connects by itself, and tells nobody when it has.
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  @Override
  public void close() throws InterruptedException {
    client.close();
  }
}
