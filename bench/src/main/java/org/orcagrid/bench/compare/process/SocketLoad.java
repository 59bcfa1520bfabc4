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
package org.orcagrid.bench.compare.process;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Measures the messages of a write or an acquire without a grid. A calling thread writes to bare
 * sockets and reads the answers itself. At the other side each socket has a thread of its own.
 *
 * <p>This is a floor and no product: there is no protocol, and processes share no data.
 */
public final class SocketLoad extends ClientLoad {
  /** Reads are local. A write goes to both others and waits for both. */
  private static final String WRITE_ALL = "write-all";

  private static final int REPLY_BYTES = 16;

  private final LoadSettings settings;
  private final ServerSocketChannel listening;
  private final ConcurrentHashMap<Long, byte[]> own = new ConcurrentHashMap<>();

  /** Listens. */
  public SocketLoad(LoadSettings settings) throws IOException {
    super(settings);
    this.settings = settings;
    this.listening = ServerSocketChannel.open().bind(address(settings.self()));
    for (long key = 0; key < settings.data().keys(); key++) {
      own.put(key, new byte[settings.data().valueBytes()]);
    }
    start(this::accept);
  }

  private InetSocketAddress address(int process) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), settings.ports().get(process));
  }

  private static void start(Runnable what) {
    Thread thread = new Thread(what, "answers");
    thread.setDaemon(true);
    thread.start();
  }

  private int requestBytes() {
    return Long.BYTES + settings.data().valueBytes();
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel accepted = listening.accept();
        accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
        start(() -> answer(accepted));
      }
    } catch (IOException e) {
      if (listening.isOpen()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void answer(SocketChannel peer) {
    ByteBuffer request = ByteBuffer.allocateDirect(requestBytes());
    ByteBuffer reply = ByteBuffer.allocateDirect(REPLY_BYTES);
    try (peer) {
      while (true) {
        readWhole(peer, request.clear());
        writeWhole(peer, reply.clear());
      }
    } catch (EOFException e) {
      // The other process has ended.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void writeWhole(SocketChannel to, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      to.write(bytes);
    }
  }

  private static void readWhole(SocketChannel from, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (from.read(bytes) < 0) {
        throw new EOFException("The other process has closed the connection");
      }
    }
  }

  @Override
  protected List<String> filled() {
    return List.of();
  }

  @Override
  protected Accesses open(String variant) {
    Peers peers = new Peers();
    boolean readsHere = variant.equals(WRITE_ALL);
    return new Accesses(
        key -> CompletableFuture.completedFuture(own.get(key)),
        (key, value) -> CompletableFuture.completedFuture(peers.round(2)),
        key -> {
          if (!readsHere) {
            peers.round(1);
          }
          return own.get(key);
        },
        (key, value) -> {
          if (!readsHere) {
            peers.round(1);
          }
          own.put(key, value);
          peers.round(2);
        });
  }

  /** The connections of one calling thread. */
  private final class Peers {
    private final List<SocketChannel> channels = new ArrayList<>();
    private final ByteBuffer request = ByteBuffer.allocateDirect(requestBytes());
    private final ByteBuffer reply = ByteBuffer.allocateDirect(REPLY_BYTES);

    Peers() {
      try {
        int processes = settings.ports().size();
        for (int i = 1; i < processes; i++) {
          SocketChannel opened = SocketChannel.open(address((settings.self() + i) % processes));
          opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
          channels.add(opened);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Asks so many of the other processes together, and waits for all of them. */
    Object round(int others) {
      try {
        for (int i = 0; i < others; i++) {
          writeWhole(channels.get(i), request.clear());
        }
        for (int i = 0; i < others; i++) {
          readWhole(channels.get(i), reply.clear());
        }
        return reply;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public String product() {
    return "bare sockets";
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
