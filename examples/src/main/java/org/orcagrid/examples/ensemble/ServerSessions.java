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
package org.orcagrid.examples.ensemble;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.orcagrid.cli.EnsembleMember;

/**
 * A user's sessions: one on each server, so that it is known which server answers. What fails for a
 * lost connection or session is tried again for as long as the caller has patience.
 *
 * <p>For one thread.
 */
public final class ServerSessions implements AutoCloseable {
  private static final int SESSION_MILLIS = 20_000;
  private static final Duration PAUSE = Duration.ofMillis(30);

  private final List<EnsembleMember> members;
  private final Map<Integer, ZooKeeper> sessions = new TreeMap<>();

  /** Sessions with these servers; each is begun when it is first needed. */
  public ServerSessions(List<EnsembleMember> members) {
    this.members = List.copyOf(members);
  }

  /**
   * What a read showed.
   *
   * @param text the node's data; empty if there is no node
   * @param index the zxid of the last change of the data, or -1 if there is no node
   */
  public record Shown(String text, long index) {}

  /** Makes a node unless it is there; returns whether that could be done in time. */
  public boolean create(int server, String path, String text, Duration patience)
      throws InterruptedException {
    return retrying(
            server,
            patience,
            client -> {
              try {
                client.create(path, bytes(text), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
              } catch (KeeperException.NodeExistsException e) {
                // Somebody was first, or the answer to an earlier attempt got lost.
              }
              return true;
            })
        .isPresent();
  }

  /** Sets a node's data; returns the zxid of the change, or empty if no server said so in time. */
  public Optional<Long> write(int server, String path, String text, Duration patience)
      throws InterruptedException {
    return retrying(server, patience, client -> client.setData(path, bytes(text), -1).getMzxid());
  }

  /** Reads a node; empty if the server does not answer in time. */
  public Optional<Shown> read(int server, String path, Duration patience)
      throws InterruptedException {
    return retrying(server, patience, client -> shown(client, path, patience));
  }

  /** Not the synchronous call: it waits for as long as the server says nothing. */
  private static Shown shown(ZooKeeper client, String path, Duration patience)
      throws KeeperException, InterruptedException {
    Answer answer = new Answer();
    client.getData(path, false, answer, null);
    if (!answer.done.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      throw KeeperException.create(Code.OPERATIONTIMEOUT, path);
    }
    return answer.shown(path);
  }

  /** What a server says, and when. */
  private static final class Answer implements AsyncCallback.DataCallback {
    private final CountDownLatch done = new CountDownLatch(1);
    private Code code;
    private byte[] data;
    private Stat stat;

    @Override
    public void processResult(int rc, String path, Object context, byte[] bytes, Stat nodeStat) {
      code = Code.get(rc);
      data = bytes;
      stat = nodeStat;
      done.countDown();
    }

    private Shown shown(String path) throws KeeperException {
      return switch (code) {
        case OK ->
            new Shown(
                data == null ? "" : new String(data, StandardCharsets.UTF_8), stat.getMzxid());
        case NONODE -> new Shown("", -1);
        default -> throw KeeperException.create(code, path);
      };
    }
  }

  /** The session with a server is of no use any more: it has crashed, or says nothing. */
  public void forget(int server) {
    ZooKeeper client = sessions.remove(server);
    if (client != null) {
      // A server that says nothing does not say either that the session is closed.
      Thread closing = new Thread(() -> close(client), "close-session");
      closing.setDaemon(true);
      closing.start();
    }
  }

  private static void close(ZooKeeper client) {
    try {
      client.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One operation of a client. */
  private interface Operation<T> {
    T run(ZooKeeper client) throws KeeperException, InterruptedException;
  }

  private <T> Optional<T> retrying(int server, Duration patience, Operation<T> operation)
      throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (System.nanoTime() < end) {
      try {
        return Optional.of(operation.run(session(server)));
      } catch (KeeperException.OperationTimeoutException e) {
        forget(server);
        return Optional.empty();
      } catch (KeeperException | IOException e) {
        // As a user who opens the application again; a session of old would wait up to a second
        // before it connects again.
        forget(server);
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
      }
    }
    return Optional.empty();
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

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Gives all sessions up; the servers end them in their time. */
  @Override
  public void close() {
    for (int server : List.copyOf(sessions.keySet())) {
      forget(server);
    }
  }
}
