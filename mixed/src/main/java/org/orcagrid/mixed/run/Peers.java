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
package org.orcagrid.mixed.run;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.orcagrid.mixed.store.Encoding;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.track.Tracked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells other clients what this one knows, and asks them (section 4.3); over TLS alone. */
final class Peers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Peers.class);
  private static final int ANSWERING_MAX = 8;
  private static final int CONNECT_MILLIS = 500;
  private static final int READ_MILLIS = 2_000;
  private static final int BYTES_MAX = 1 << 20;

  private final PeerSettings settings;
  private final Telling telling;
  private final SSLServerSocket server;
  private final Encoding encoding = new Encoding(Operations.none());
  private final ThreadPoolExecutor answering;

  /** What is told of a store. */
  interface Telling {
    Tracked of(String store) throws StoreException;
  }

  /**
   * One that listens.
   *
   * @throws UncheckedIOException if it cannot
   */
  Peers(PeerSettings settings, Telling telling) {
    this.settings = settings;
    this.telling = telling;
    try {
      server = (SSLServerSocket) settings.context().getServerSocketFactory().createServerSocket();
      server.setNeedClientAuth(true);
      server.bind(new InetSocketAddress(settings.host(), settings.port()));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Other clients cannot be listened to at " + settings.host() + ":" + settings.port(), e);
    }
    answering =
        new ThreadPoolExecutor(
            0,
            ANSWERING_MAX,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Peers::thread,
            new ThreadPoolExecutor.AbortPolicy());
    thread(this::listen).start();
  }

  private static Thread thread(Runnable run) {
    Thread thread = new Thread(run, "mixed-peers");
    thread.setDaemon(true);
    return thread;
  }

  /** Where others ask. */
  String address() {
    return settings.host() + ":" + server.getLocalPort();
  }

  // --- telling -----------------------------------------------------------------------------------

  private void listen() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        accept(socket);
      } catch (IOException e) {
        if (!server.isClosed()) {
          LOG.warn("A client could not be listened to", e);
        }
      }
    }
  }

  /** Too many at once are refused: they ask their replicas, too. */
  private void accept(Socket socket) throws IOException {
    try {
      answering.execute(() -> answer(socket));
    } catch (RejectedExecutionException e) {
      LOG.debug("{} clients are told something already", ANSWERING_MAX, e);
      socket.close();
    }
  }

  private void answer(Socket socket) {
    try (socket) {
      socket.setSoTimeout(READ_MILLIS);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] told = encoding.tracked(telling.of(in.readUTF()));
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      boolean isTooMuch = told.length > BYTES_MAX;
      out.writeInt(isTooMuch ? 0 : told.length);
      if (!isTooMuch) {
        out.write(told);
      }
      out.flush();
    } catch (IOException | StoreException | RuntimeException e) {
      LOG.info("A client was not told what it has asked for: {}", e.toString());
    }
  }

  // --- asking ------------------------------------------------------------------------------------

  /**
   * Asks another client what it knows of a store.
   *
   * @throws StoreException if it does not answer
   */
  Tracked ask(String address, String store) throws StoreException {
    int colon = address.lastIndexOf(':');
    try (Socket plain = new Socket()) {
      if (colon < 0) {
        throw new IOException("it is not asked by others");
      }
      String host = address.substring(0, colon);
      int port = Integer.parseInt(address.substring(colon + 1));
      plain.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
      plain.setSoTimeout(READ_MILLIS);
      try (SSLSocket socket =
          (SSLSocket) settings.context().getSocketFactory().createSocket(plain, host, port, true)) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        return told(socket, store);
      }
    } catch (IOException | RuntimeException e) {
      throw new StoreException("The client at " + address + " has told nothing: " + e, e);
    }
  }

  private Tracked told(SSLSocket socket, String store) throws IOException {
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    out.writeUTF(store);
    out.flush();
    DataInputStream in = new DataInputStream(socket.getInputStream());
    int length = in.readInt();
    if (length <= 0 || length > BYTES_MAX) {
      throw new IOException("it has too much to tell");
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new IOException("it has ended too early");
    }
    return encoding.tracked(bytes);
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      LOG.warn("The port of other clients is not closed as it should be", e);
    }
    answering.shutdownNow();
  }
}
