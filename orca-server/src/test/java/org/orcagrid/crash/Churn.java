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

import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * Nodes that come in ascending order and go in the same order, so that everything that a client can
 * learn of them is a number that only grows: which was created last ({@link #CREATED}), and up to
 * which they are deleted ({@link #DELETED}). What is learned from names of children, from absence,
 * from failed writes, from watches and from versions counts like what is learned from values.
 */
final class Churn {
  static final String PARENT = "/churn";
  static final String CREATED = "created";
  static final String DELETED = "deleted";
  static final String VERSION = "version of " + PARENT;

  private static final int WINDOW = 10;
  private static final int NO_SUCH_VERSION = 1_000_000;

  private final SeenState state;

  Churn(SeenState state) {
    this.state = state;
  }

  private static String path(long number) {
    return PARENT + "/n" + number;
  }

  private static long number(String name) {
    return Long.parseLong(name.substring(1));
  }

  /** Creates and deletes until it is interrupted. */
  void write(ZooKeeper client, Semaphore operations) throws KeeperException, InterruptedException {
    List<Long> there =
        client.getChildren(PARENT, false).stream().map(Churn::number).sorted().toList();
    long next = there.isEmpty() ? 1 : there.get(there.size() - 1) + 1;
    for (long number : there) {
      // The last writer may have ended between a creation and the deletion that goes with it.
      if (number < next - WINDOW) {
        client.delete(path(number), -1);
      }
    }
    while (!Thread.currentThread().isInterrupted()) {
      client.create(path(next), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      if (next > WINDOW) {
        client.delete(path(next - WINDOW), -1);
      }
      next++;
      operations.release();
    }
  }

  /** Looks at something, by one of the ways that there are. */
  void look(ZooKeeper client, Random random) throws KeeperException, InterruptedException {
    long created = state.newest(CREATED);
    long deleted = state.newest(DELETED);
    // Around both ends, where there is something to learn.
    long number = 1 + Math.max(0, random.nextBoolean() ? created - random.nextInt(3) : deleted);
    switch (random.nextInt(4)) {
      case 0 -> lookAtAll(client);
      case 1 -> exists(client, number, created, random.nextBoolean());
      case 2 -> failToDelete(client, number, created);
      default -> {
        long before = state.newest(VERSION);
        state.onRead(VERSION, before, client.exists(PARENT, false).getCversion());
      }
    }
  }

  /** Reads the names of all nodes: both ends are then known exactly. */
  void lookAtAll(ZooKeeper client) throws KeeperException, InterruptedException {
    long created = state.newest(CREATED);
    long deleted = state.newest(DELETED);
    List<String> names = client.getChildren(PARENT, false);
    long last = names.stream().mapToLong(Churn::number).max().orElse(0);
    long first = names.stream().mapToLong(Churn::number).min().orElse(1);
    state.onRead(CREATED, created, last);
    state.onRead(DELETED, deleted, first - 1);
  }

  private void exists(ZooKeeper client, long number, long created, boolean watching)
      throws KeeperException, InterruptedException {
    Stat found =
        watching
            ? client.exists(
                path(number),
                event -> {
                  if (event.getType() == EventType.NodeDeleted) {
                    state.onLearned(DELETED, number);
                  } else if (event.getType() == EventType.NodeCreated) {
                    state.onLearned(CREATED, number);
                  }
                })
            : client.exists(path(number), false);
    learn(number, created, found != null);
  }

  /** A write that must fail tells whether the node is there. */
  private void failToDelete(ZooKeeper client, long number, long created)
      throws KeeperException, InterruptedException {
    try {
      client.delete(path(number), NO_SUCH_VERSION);
      throw new IllegalStateException("A version that no node has was accepted");
    } catch (KeeperException.BadVersionException e) {
      learn(number, created, true);
    } catch (KeeperException.NoNodeException e) {
      learn(number, created, false);
    }
  }

  /** What was created before and is not there now was deleted, and stays so. */
  private void learn(long number, long createdBefore, boolean there) {
    if (there) {
      state.onLearned(CREATED, number);
    } else if (number <= createdBefore) {
      state.onLearned(DELETED, number);
    }
  }
}
