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
package org.orcagrid.bench.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.orcagrid.cli.EnsembleMember;
import org.orcagrid.simulator.checker.ExposedStates;

/** A client on each server, all of whose operations are judged together. For one thread. */
final class FaultClients implements AutoCloseable {
  private static final int SESSION_MILLIS = 20_000;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Long enough for a lease to end, and for the server to give the read up. */
  private static final Duration PATIENCE_WITH_LAGGING = Duration.ofMillis(2_500);

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final List<EnsembleMember> members;
  private final Map<Integer, ZooKeeper> sessions = new TreeMap<>();
  private ExposedStates states = new ExposedStates();
  private List<String> keys = List.of();
  private long rejected;
  private int written;

  FaultClients(List<EnsembleMember> members) {
    this.members = List.copyOf(members);
  }

  /** What follows is judged by {@code judge}. */
  void judgeBy(ExposedStates judge) {
    states = judge;
  }

  /** Makes the items. */
  void prepare(int count) throws IOException, InterruptedException {
    keys = java.util.stream.IntStream.range(0, count).mapToObj(n -> "/item" + n).toList();
    for (String key : keys) {
      retrying(
          1,
          PATIENCE,
          client -> {
            try {
              client.create(key, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            } catch (KeeperException.NodeExistsException e) {
              // The answer to an earlier attempt got lost.
            }
          });
    }
  }

  /** Gives every item a new value, through one server. */
  void write(int server) throws InterruptedException {
    for (String key : keys) {
      byte[] value = Integer.toString(++written).getBytes(StandardCharsets.US_ASCII);
      retrying(
          server,
          PATIENCE,
          client -> states.onWrite(key, client.setData(key, value, -1).getMzxid()));
    }
  }

  /** Reads every item at one server. */
  void read(int server) throws InterruptedException {
    read(server, PATIENCE);
  }

  /** The same, at a server that may not be able to answer. */
  void readOfLagging(int server) throws InterruptedException {
    read(server, PATIENCE_WITH_LAGGING);
  }

  private void read(int server, Duration patience) throws InterruptedException {
    for (String key : keys) {
      boolean answered =
          retrying(
              server,
              patience,
              client -> {
                ExposedStates.Read read = states.begin(key);
                long shown = shown(client, key, patience);
                states.end(read, shown, "server " + server);
              });
      if (!answered) {
        rejected++;
        return;
      }
    }
  }

  /** Not the synchronous call: it waits for as long as the server says nothing. */
  private static long shown(ZooKeeper client, String key, Duration patience)
      throws KeeperException, InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    int[] result = {Code.OPERATIONTIMEOUT.intValue()};
    long[] index = {-1};
    client.getData(
        key,
        false,
        (AsyncCallback.DataCallback)
            (rc, path, context, data, stat) -> {
              result[0] = rc;
              index[0] = stat == null ? -1 : stat.getMzxid();
              done.countDown();
            },
        null);
    if (!done.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      throw KeeperException.create(Code.OPERATIONTIMEOUT, key);
    }
    if (result[0] != Code.OK.intValue() && result[0] != Code.NONODE.intValue()) {
      throw KeeperException.create(Code.get(result[0]), key);
    }
    return index[0];
  }

  /** How many reads were not answered in time, since the last call. */
  long takeRejected() {
    long count = rejected;
    rejected = 0;
    return count;
  }

  /** The session on a killed server is of no use any more. */
  void onKilled(int server) throws InterruptedException {
    ZooKeeper client = sessions.remove(server);
    if (client != null) {
      client.close(0);
    }
  }

  /** One operation of a client. */
  private interface Operation {
    void run(ZooKeeper client) throws KeeperException, InterruptedException;
  }

  /** Tries until it is done; a lost connection, and a lost session, is tried again. */
  private boolean retrying(int server, Duration patience, Operation operation)
      throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (System.nanoTime() < end) {
      try {
        operation.run(session(server));
        return true;
      } catch (KeeperException.OperationTimeoutException e) {
        onKilled(server);
        return false;
      } catch (KeeperException.ConnectionLossException e) {
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
      } catch (KeeperException | IOException e) {
        onKilled(server);
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
      }
    }
    return false;
  }

  private ZooKeeper session(int server) throws IOException {
    ZooKeeper client = sessions.get(server);
    if (client == null) {
      EnsembleMember member = members.get(server - 1);
      client = new ZooKeeper("127.0.0.1:" + member.clientPort(), SESSION_MILLIS, event -> {});
      sessions.put(server, client);
    }
    return client;
  }

  @Override
  public void close() {
    try {
      for (int server : List.copyOf(sessions.keySet())) {
        onKilled(server);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
