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
package org.orcagrid.mixed.store.orca;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.orcagrid.mixed.store.StoreException;

/** A session with an ensemble, and the next one when it has expired. */
final class Session implements AutoCloseable {
  private static final int SESSION_MILLIS = 10_000;
  private static final long CALL_SECONDS = 5;

  private final String store;
  private final String address;
  private final OrcaStore.Reads reads;
  private ZooKeeper zooKeeper;
  private boolean isClosed;

  /** A node, as it was read. */
  static final class Node {
    private final byte[] data;
    private final Stat stat;

    private Node(byte[] data, Stat stat) {
      this.data = data;
      this.stat = stat;
    }

    byte[] data() {
      return data;
    }

    int version() {
      return stat.getVersion();
    }

    boolean isThere() {
      return stat != null;
    }
  }

  Session(String store, String address, OrcaStore.Reads reads) {
    this.store = store;
    this.address = address;
    this.reads = reads;
  }

  private synchronized ZooKeeper zooKeeper() throws StoreException {
    if (zooKeeper != null && zooKeeper.getState().isAlive()) {
      return zooKeeper;
    }
    if (isClosed) {
      throw new StoreException("The store " + store + " is closed", null);
    }
    ZooKeeper made = null;
    try {
      CountDownLatch connected = new CountDownLatch(1);
      made =
          new ZooKeeper(
              address,
              SESSION_MILLIS,
              event -> {
                if (event.getState() == KeeperState.SyncConnected) {
                  connected.countDown();
                }
              });
      if (reads == OrcaStore.Reads.LINEARIZABLE) {
        made.addAuthInfo("orca", "read=linearizable".getBytes(StandardCharsets.UTF_8));
      }
      if (!connected.await(CALL_SECONDS, TimeUnit.SECONDS)) {
        throw new StoreException("The store " + store + " cannot be reached at " + address, null);
      }
      zooKeeper = made;
      return made;
    } catch (IOException e) {
      throw new StoreException(
          "The store " + store + " cannot be reached at " + address + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("The store " + store + " was interrupted", e);
    } finally {
      if (made != null && made != zooKeeper) {
        end(made);
      }
    }
  }

  private static void end(ZooKeeper client) {
    try {
      client.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads nodes; all requests are on their way at once, and each is linearizable. */
  List<Node> read(List<String> paths) throws StoreException {
    ZooKeeper client = zooKeeper();
    CompletableFuture<Void> synced = sync(client);
    List<CompletableFuture<Node>> all = new ArrayList<>();
    for (String each : paths) {
      CompletableFuture<Node> node = new CompletableFuture<>();
      client.getData(
          each,
          false,
          (code, path, context, data, stat) -> {
            switch (KeeperException.Code.get(code)) {
              case OK -> node.complete(new Node(data, stat));
              case NONODE -> node.complete(new Node(null, null));
              default ->
                  node.completeExceptionally(
                      KeeperException.create(KeeperException.Code.get(code), path));
            }
          },
          null);
      all.add(node);
    }
    List<Node> nodes = new ArrayList<>();
    for (CompletableFuture<Node> each : all) {
      nodes.add(joined(each));
    }
    joined(synced);
    return nodes;
  }

  /** What follows in the session is read after it, if it succeeds. */
  private CompletableFuture<Void> sync(ZooKeeper client) {
    CompletableFuture<Void> synced = new CompletableFuture<>();
    if (reads != OrcaStore.Reads.SYNC) {
      synced.complete(null);
      return synced;
    }
    client.sync(
        "/",
        (code, path, context) -> {
          KeeperException.Code of = KeeperException.Code.get(code);
          if (of == KeeperException.Code.OK) {
            synced.complete(null);
          } else {
            synced.completeExceptionally(KeeperException.create(of, path));
          }
        },
        null);
    return synced;
  }

  private <T> T joined(CompletableFuture<T> future) throws StoreException {
    try {
      return future.get(CALL_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw failed(e.getCause());
    } catch (TimeoutException e) {
      throw failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(e);
    }
  }

  private StoreException failed(Throwable e) {
    return new StoreException(
        "The store " + store + " at " + address + " has not answered: " + e, e);
  }

  /** Which operation of several is not possible, and why. */
  record Refusal(int at, KeeperException.Code code) {}

  /** Does all or nothing; null if it is done. */
  Refusal multi(List<Op> ops) throws StoreException {
    ZooKeeper client = zooKeeper();
    CompletableFuture<Refusal> done = new CompletableFuture<>();
    client.multi(
        ops,
        (code, path, context, results) -> {
          KeeperException.Code of = KeeperException.Code.get(code);
          if (of == KeeperException.Code.OK) {
            done.complete(null);
          } else if (isLost(of)) {
            done.completeExceptionally(KeeperException.create(of));
          } else {
            done.complete(refusal(of, results));
          }
        },
        null);
    return joined(done);
  }

  private static boolean isLost(KeeperException.Code code) {
    return switch (code) {
      case CONNECTIONLOSS, SESSIONEXPIRED, OPERATIONTIMEOUT, SESSIONMOVED, AUTHFAILED -> true;
      default -> false;
    };
  }

  private static Refusal refusal(KeeperException.Code code, List<OpResult> results) {
    for (int i = 0; results != null && i < results.size(); i++) {
      if (results.get(i) instanceof OpResult.ErrorResult error
          && error.getErr() != KeeperException.Code.OK.intValue()
          && error.getErr() != KeeperException.Code.RUNTIMEINCONSISTENCY.intValue()) {
        return new Refusal(i, KeeperException.Code.get(error.getErr()));
      }
    }
    return new Refusal(-1, code);
  }

  /** Makes a node and those above it, where they are missing. */
  void make(String path) throws StoreException {
    int slash = path.indexOf('/', 1);
    while (true) {
      String part = slash < 0 ? path : path.substring(0, slash);
      Refusal refusal =
          multi(List.of(Op.create(part, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT)));
      if (refusal != null && refusal.code() != KeeperException.Code.NODEEXISTS) {
        throw failed(KeeperException.create(refusal.code(), part));
      }
      if (slash < 0) {
        return;
      }
      slash = path.indexOf('/', slash + 1);
    }
  }

  /** Names of the nodes below one. */
  List<String> children(String path) throws StoreException {
    ZooKeeper client = zooKeeper();
    CompletableFuture<Void> synced = sync(client);
    CompletableFuture<List<String>> names = new CompletableFuture<>();
    client.getChildren(
        path,
        false,
        (code, at, context, children) -> {
          KeeperException.Code of = KeeperException.Code.get(code);
          if (of == KeeperException.Code.OK) {
            names.complete(children);
          } else if (of == KeeperException.Code.NONODE) {
            names.complete(List.of());
          } else {
            names.completeExceptionally(KeeperException.create(of, at));
          }
        },
        null);
    joined(synced);
    return joined(names);
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    if (zooKeeper != null) {
      end(zooKeeper);
    }
  }
}
