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
package org.orcagrid.bench.system;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.orcagrid.examples.ensemble.Relays;

/**
 * Relays between servers, or between clients and a server, that hold everything back for a while,
 * in both directions, as a longer wire would. What is on its way at a time is bounded; beyond that
 * the sender waits, as with a full window. Connections are made without a delay.
 *
 * <p>Each direction has a thread that reads and one that writes when it is time; a sleeping thread
 * is late by the timer's slack, some 0.05 ms.
 */
public final class DelayedLinks extends Relays {
  /** Of chunks; a busy ensemble's packets are far smaller than a chunk. */
  private static final int UNDER_WAY_MAX = 4_096;

  private static final int A_CLIENT = 0;

  private final long delayNanos;

  /** What was read, nothing at the end, and when it is due at the other end. */
  private record Chunk(ByteBuffer bytes, long dueNanos) {}

  /** Links with this delay, in milliseconds one way; with 0 there is nothing in between. */
  public DelayedLinks(double delayMs) {
    this.delayNanos = (long) (delayMs * TimeUnit.MILLISECONDS.toNanos(1));
  }

  @Override
  public int port(int from, int to, int port) throws IOException {
    return delayNanos == 0 ? port : super.port(from, to, port);
  }

  /**
   * Returns where a client is to connect, so that it reaches this server over such a link.
   *
   * @throws IOException if no port can be had
   */
  public ServerAddress to(ServerAddress server) throws IOException {
    return new ServerAddress(server.host(), port(A_CLIENT, A_CLIENT, server.port()));
  }

  @Override
  protected void carry(Socket source, Socket target, int from, int to) {
    BlockingQueue<Chunk> underWay = new ArrayBlockingQueue<>(UNDER_WAY_MAX);
    start("link-read", () -> read(source, underWay));
    start("link-write", () -> write(underWay, source, target));
  }

  private void read(Socket source, BlockingQueue<Chunk> underWay) throws InterruptedException {
    byte[] buffer = new byte[CHUNK_BYTES];
    try {
      // Not closed here: that would end the connection before what is on its way has arrived.
      InputStream in = source.getInputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        underWay.put(chunk(Arrays.copyOf(buffer, count)));
      }
    } catch (IOException broken) {
      // As its end: what was on its way before it still arrives.
    }
    underWay.put(chunk(new byte[0]));
  }

  private Chunk chunk(byte[] bytes) {
    return new Chunk(ByteBuffer.wrap(bytes), System.nanoTime() + delayNanos);
  }

  private void write(BlockingQueue<Chunk> underWay, Socket source, Socket target)
      throws InterruptedException {
    try (OutputStream out = target.getOutputStream()) {
      for (Chunk next = underWay.take(); next.bytes().hasRemaining(); next = underWay.take()) {
        for (long left = next.dueNanos() - System.nanoTime();
            left > 0;
            left = next.dueNanos() - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        out.write(next.bytes().array());
      }
    } catch (IOException broken) {
      // The other end is gone: the sender learns it from its own connection, closed below.
    } finally {
      close(source);
      close(target);
      // The reader may wait for room.
      underWay.clear();
    }
  }
}
