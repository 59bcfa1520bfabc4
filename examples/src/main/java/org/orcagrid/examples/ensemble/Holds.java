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
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.orcagrid.cli.PeerRoutes;

/**
 * Relays between the servers of one ensemble that can hold back everything which one server sends
 * and is sent, as a link does that has slowed to nothing: no connection breaks, and nothing is
 * lost.
 *
 * <p>Each direction of each connection has a thread; what it has read and may not pass on stays
 * with it, and beyond that the sender waits.
 */
final class Holds implements PeerRoutes, AutoCloseable {
  private static final int CHUNK_BYTES = 64 << 10;

  private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();

  /** Guarded by this object's monitor, which is notified of changes. */
  private final Set<Integer> held = new TreeSet<>();

  private volatile boolean closed;

  @Override
  public int port(int from, int to, int port) throws IOException {
    ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    open.add(listening);
    start("holds-" + from + "-" + to, () -> accept(listening, from, to, port));
    return listening.getLocalPort();
  }

  /** From now on nothing gets to this server or from it. */
  synchronized void hold(int server) {
    held.add(server);
  }

  /** Everything goes on, also what was held back. */
  synchronized void release() {
    held.clear();
    notifyAll();
  }

  private synchronized void awaitPassage(int from, int to) throws InterruptedException {
    while (!closed && (held.contains(from) || held.contains(to))) {
      wait();
    }
  }

  private void accept(ServerSocket listening, int from, int to, int port) throws IOException {
    while (!closed) {
      Socket near = listening.accept();
      open.add(near);
      start("holds-connect", () -> connect(near, from, to, port));
    }
  }

  private void connect(Socket near, int from, int to, int port) throws InterruptedException {
    try {
      Socket far = RelayConnection.connect(port);
      open.add(far);
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
      start("holds-there", () -> relay(near, far, from, to));
      start("holds-back", () -> relay(far, near, from, to));
    } catch (IOException refused) {
      // The server is down: the one that connects learns it from the closed connection.
      close(near);
    }
  }

  private void relay(Socket source, Socket target, int from, int to) throws InterruptedException {
    byte[] buffer = new byte[CHUNK_BYTES];
    try (InputStream in = source.getInputStream();
        OutputStream out = target.getOutputStream()) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        byte[] chunk = Arrays.copyOf(buffer, count);
        awaitPassage(from, to);
        out.write(chunk);
      }
    } catch (IOException broken) {
      // The end of a connection, also when a server was killed; both sides learn it below.
    } finally {
      close(source);
      close(target);
    }
  }

  /** A task of a thread; what it throws ends its connection or listener. */
  private interface Task {
    void run() throws IOException, InterruptedException;
  }

  private void start(String name, Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (IOException e) {
                if (!closed) {
                  System.err.println("A relay between servers has failed: " + e);
                }
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }

  private void close(AutoCloseable each) {
    open.remove(each);
    try {
      each.close();
    } catch (Exception e) {
      System.err.println("A relay between servers cannot be closed: " + e);
    }
  }

  /** Ends all connections; the threads end with them. */
  @Override
  public void close() {
    closed = true;
    release();
    for (AutoCloseable each : open) {
      close(each);
    }
  }
}
