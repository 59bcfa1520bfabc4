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
package org.orcagrid.transport.tcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Passes bytes on between clients and a node, and loses connections when it is told to. For tests
 * of other modules, too.
 */
public final class CuttableRelay implements AutoCloseable {
  private static final int BYTES = 1500;

  private final HostPort to;
  private final ServerSocket server;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean holding;

  /** Listens on loopback, at a port of its own. */
  public CuttableRelay(HostPort to) throws IOException {
    this.to = to;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start("relay", this::accept);
  }

  /** Where clients connect instead. */
  public HostPort address() {
    return new HostPort("localhost", server.getLocalPort());
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // The connection was cut, or the relay closed.
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = server.accept();
      if (holding) {
        client.close();
        continue;
      }
      try {
        Socket node = new Socket(to.host(), to.port());
        sockets.add(client);
        sockets.add(node);
        if (holding) {
          // It was cut before these were known.
          cut();
          continue;
        }
        start("relay forth", () -> pass(client, node));
        start("relay back", () -> pass(node, client));
      } catch (IOException e) {
        client.close();
      }
    }
  }

  private void pass(Socket from, Socket into) throws IOException {
    byte[] bytes = new byte[BYTES];
    try (from;
        into) {
      InputStream in = from.getInputStream();
      OutputStream out = into.getOutputStream();
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        out.write(bytes, 0, count);
      }
    } finally {
      sockets.remove(from);
      sockets.remove(into);
    }
  }

  /** Loses all connections, with whatever is on its way. */
  public void cut() {
    for (Socket each : sockets) {
      try {
        each.setSoLinger(true, 0);
        each.close();
      } catch (IOException e) {
        // It was closed already.
      }
    }
  }

  /** Takes no new connections until it is told otherwise. */
  public void hold(boolean hold) {
    holding = hold;
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut();
  }
}
