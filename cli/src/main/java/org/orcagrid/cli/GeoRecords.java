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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;
import org.orcagrid.geo.node.StoreRecord;

/** The records of stores in an ensemble, each in a znode of its own. */
final class GeoRecords implements StoreRecord.Source {
  private static final String FOLDER = "/orca-geo";
  private static final int SESSION_MILLIS = 10_000;
  private static final int CONNECT_MILLIS = 15_000;

  private static String path(String store) {
    return FOLDER + "/" + store;
  }

  @Override
  public StoreRecord read(String ensemble, String store) throws IOException {
    return ask(ensemble, client -> StoreRecord.parse(text(client, ensemble, store, new Stat())));
  }

  private static String text(ZooKeeper client, String ensemble, String store, Stat stat)
      throws IOException, KeeperException, InterruptedException {
    try {
      return new String(client.getData(path(store), null, stat), StandardCharsets.UTF_8);
    } catch (KeeperException.NoNodeException e) {
      throw new IOException(
          "The ensemble "
              + ensemble
              + " has no record of the store \""
              + store
              + "\"; write it with 'orca geo publish GEO.CFG --ensemble "
              + ensemble
              + "', from a geo.cfg with geo.datacenters",
          e);
    }
  }

  /**
   * Writes the first record of a store.
   *
   * @throws IOException if there is another one
   */
  void create(String ensemble, String store, StoreRecord record) throws IOException {
    ask(
        ensemble,
        client -> {
          for (String each : List.of(FOLDER, path(store))) {
            byte[] content =
                each.equals(FOLDER) ? new byte[0] : record.text().getBytes(StandardCharsets.UTF_8);
            try {
              client.create(each, content, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            } catch (KeeperException.NodeExistsException e) {
              requireSame(client, ensemble, each, store, record);
            }
          }
          return null;
        });
  }

  private static void requireSame(
      ZooKeeper client, String ensemble, String path, String store, StoreRecord record)
      throws IOException, KeeperException, InterruptedException {
    if (path.equals(FOLDER)) {
      return;
    }
    StoreRecord is = StoreRecord.parse(text(client, ensemble, store, new Stat()));
    StoreRecord first =
        new StoreRecord(1, is.datacenters(), is.partitions(), is.replicas(), List.of());
    if (!first.equals(record)) {
      throw new IOException(
          "The ensemble "
              + ensemble
              + " has another record of the store \""
              + store
              + "\": "
              + is.text().strip().replace("\n", ", ")
              + "; a store's datacenters and partitions do not change, so choose another geo.name");
    }
  }

  /** Adds a datacenter to the removed ones, and tries again if the record has changed meanwhile. */
  void remove(String ensemble, String store, String datacenter) throws IOException {
    ask(
        ensemble,
        client -> {
          boolean isWritten = false;
          while (!isWritten) {
            Stat stat = new Stat();
            StoreRecord is = StoreRecord.parse(text(client, ensemble, store, stat));
            isWritten =
                is.removed().contains(datacenter) || write(client, store, is, datacenter, stat);
          }
          return null;
        });
  }

  /** Writes the next version of a record, if it is still the one that was read. */
  private static boolean write(
      ZooKeeper client, String store, StoreRecord is, String datacenter, Stat stat)
      throws KeeperException, InterruptedException {
    byte[] next = is.without(datacenter).text().getBytes(StandardCharsets.UTF_8);
    try {
      client.setData(path(store), next, stat.getVersion());
      return true;
    } catch (KeeperException.BadVersionException e) {
      return false;
    }
  }

  /** What is done with a client. */
  @FunctionalInterface
  private interface Work<T> {
    T with(ZooKeeper client) throws IOException, KeeperException, InterruptedException;
  }

  private static <T> T ask(String ensemble, Work<T> work) throws IOException {
    CountDownLatch connected = new CountDownLatch(1);
    try (ZooKeeper client =
        new ZooKeeper(
            ensemble,
            SESSION_MILLIS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            },
            new ZKClientConfig())) {
      if (!connected.await(CONNECT_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "The ensemble " + ensemble + " does not answer; see geo.ensemble, and start it");
      }
      return work.with(client);
    } catch (KeeperException e) {
      throw new IOException("The ensemble " + ensemble + " refuses: " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "geo.ensemble is written as h1:2181,h2:2181, not \"" + ensemble + "\"", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while the ensemble " + ensemble + " was asked", e);
    }
  }
}
