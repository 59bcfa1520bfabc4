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
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.orcagrid.cli.PeerRoutes;

/**
 * Relays on the loopback address, a port for each way from one server to another; what is done to
 * the bytes on their way is the subclass's. Safe for use by many threads.
 */
public abstract class Relays implements PeerRoutes, AutoCloseable {
  /** What is read at a time; a busy ensemble's packets are far smaller. */
  protected static final int CHUNK_BYTES = 64 << 10;

  private static final int BACKLOG = 50;
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** A task of a thread; what it throws ends its connection or listener. */
  @FunctionalInterface
  protected interface Task {
    /** Does all of it. */
    void run() throws IOException, InterruptedException;
  }

  /**
   * Starts the threads that carry what {@code source} sends to {@code target}, one direction of a
   * connection that server {@code from} has made to server {@code to}. They close both at its end.
   */
  protected abstract void carry(Socket source, Socket target, int from, int to);

  @Override
  public int port(int from, int to, int port) throws IOException {
    ServerSocket listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    open.add(listening);
    start("relay-" + from + "-" + to, () -> accept(listening, from, to, port));
    return listening.getLocalPort();
  }

  private void accept(ServerSocket listening, int from, int to, int port) throws IOException {
    while (!closed) {
      Socket near = listening.accept();
      open.add(near);
      start("relay-connect", () -> connect(near, from, to, port));
    }
  }

  private void connect(Socket near, int from, int to, int port) throws InterruptedException {
    try {
      Socket far = connect(port);
      open.add(far);
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
      carry(near, far, from, to);
      carry(far, near, from, to);
    } catch (IOException refused) {
      // The server is down: the one that connects learns it from the closed connection.
      close(near);
    }
  }

  /**
   * A server that does not listen yet is waited for: whoever connects to the relay has been
   * accepted already, and would take a closed connection for a server that has given it up, where a
   * direct one would have been refused and tried again.
   */
  private static Socket connect(int port) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return new Socket(InetAddress.getLoopbackAddress(), port);
      } catch (IOException refused) {
        if (System.nanoTime() > end) {
          throw refused;
        }
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
      }
    }
  }

  /** Runs a task on a thread of its own. */
  protected final void start(String name, Task task) {
    Thread thread = new Thread(() -> run(task), name);
    thread.setDaemon(true);
    thread.start();
  }

  private void run(Task task) {
    try {
      task.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      if (!closed) {
        System.err.println("A relay between servers has failed: " + e);
      }
    }
  }

  /** Ends one side of a connection. */
  protected final void close(AutoCloseable each) {
    open.remove(each);
    try {
      each.close();
    } catch (Exception e) {
      System.err.println("A relay between servers cannot be closed: " + e);
    }
  }

  /** Whether {@link #close()} was called. */
  protected final boolean isClosed() {
    return closed;
  }

  /** Ends all connections; the threads end with them. */
  @Override
  public void close() {
    closed = true;
    for (AutoCloseable each : open) {
      close(each);
    }
  }
}
