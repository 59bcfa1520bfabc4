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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Clients of Redis: threads that write to the master, which is the first server, and read from the
 * server of their process. Each sends half of its depth together, and reads the replies of one half
 * while the next is on its way.
 */
public final class RedisLoad implements LoadTarget {
  private static final double ALL = 100;
  private static final int WAIT_MILLIS = 60_000;
  private static final int FILLED_AT_ONCE = 256;

  private final LoadSettings settings;
  private final List<Client> clients = new ArrayList<>();
  private final AtomicReference<String> failure = new AtomicReference<>();
  private final String product;
  private final Latencies.Recorder latencies = new Latencies.Recorder();
  private volatile LoadOrder order;

  /**
   * Connects.
   *
   * @throws IOException if a server does not answer
   */
  public RedisLoad(LoadSettings settings) throws IOException {
    this.settings = settings;
    for (int i = 0; i < settings.pressure().threads(); i++) {
      clients.add(new Client(settings.self() * 1000L + i));
    }
    RespConnection first = clients.get(0).writes;
    first.command("INFO server");
    first.flush();
    this.product =
        first
            .text()
            .lines()
            .filter(line -> line.startsWith("redis_version:"))
            .map(line -> "Redis " + line.substring(line.indexOf(':') + 1))
            .findAny()
            .orElse("Redis");
  }

  @Override
  public String product() {
    return product;
  }

  @Override
  public void fill() throws IOException {
    Client client = clients.get(0);
    RespConnection master = client.writes;
    int sent = 0;
    for (int key = settings.self(); key < settings.data().keys(); key += settings.ports().size()) {
      master.set(key, client.value());
      sent++;
      if (sent == FILLED_AT_ONCE) {
        receive(master, sent);
        sent = 0;
      }
    }
    receive(master, sent);
    int replicas = settings.ports().size() - 1;
    master.command("WAIT " + replicas + " " + WAIT_MILLIS);
    master.flush();
    if (Integer.parseInt(master.reply()) < replicas) {
      throw new IOException("The replicas of Redis do not follow their master");
    }
  }

  private static void receive(RespConnection connection, int count) throws IOException {
    connection.flush();
    for (int i = 0; i < count; i++) {
      if (!connection.isReplyGood()) {
        throw new IOException("A key has lost its value");
      }
    }
  }

  @Override
  public void begin(LoadOrder next) {
    order = next;
    clients.forEach(Client::start);
  }

  @Override
  public long done() {
    return clients.stream().mapToLong(client -> client.ended.get()).sum();
  }

  @Override
  public Latencies latencies() {
    return latencies.soFar();
  }

  @Override
  public void end() {
    order = null;
  }

  @Override
  public boolean isIdle() {
    return clients.stream().noneMatch(client -> client.thread.isAlive());
  }

  @Override
  public String failure() {
    return failure.get();
  }

  @Override
  public void close() {
    clients.forEach(Client::close);
  }

  /** A thread and its connections. */
  private final class Client {
    private final RespConnection writes;
    private final RespConnection reads;
    private final SplittableRandom random;
    private final AtomicLong ended = new AtomicLong();
    private Thread thread;

    Client(long seed) throws IOException {
      this.random = new SplittableRandom(seed);
      this.writes = new RespConnection(settings.ports().get(0));
      this.reads =
          settings.self() == 0 ? writes : new RespConnection(settings.ports().get(settings.self()));
    }

    void start() {
      thread = new Thread(this::run, "client");
      thread.setDaemon(true);
      thread.start();
    }

    byte[] value() {
      byte[] value = new byte[settings.data().valueBytes()];
      value[0] = (byte) random.nextInt();
      return value;
    }

    private void run() {
      try {
        LoadOrder first = order;
        if (first != null && first.manner() == Manner.ONE_AT_A_TIME) {
          runOneAtATime();
        } else {
          runPipelined();
        }
      } catch (IOException | RuntimeException e) {
        failure.set(e.toString());
      }
    }

    private void runOneAtATime() throws IOException {
      for (LoadOrder now = order; now != null; now = order) {
        long sent = System.nanoTime();
        int sentWrites = send(1, now.writePercent());
        await(sentWrites, 1 - sentWrites, sent);
      }
    }

    private void runPipelined() throws IOException {
      int half = Math.max(1, settings.pressure().depthOfThread() / 2);
      int pendingWrites = 0;
      int pendingReads = 0;
      long pendingSince = 0;
      for (LoadOrder now = order; now != null; now = order) {
        long sent = System.nanoTime();
        int sentWrites = send(half, now.writePercent());
        await(pendingWrites, pendingReads, pendingSince);
        pendingWrites = sentWrites;
        pendingReads = half - sentWrites;
        pendingSince = sent;
      }
      await(pendingWrites, pendingReads, pendingSince);
    }

    private int send(int count, double writePercent) throws IOException {
      int sentWrites = 0;
      for (int i = 0; i < count; i++) {
        long key = random.nextInt(settings.data().keys());
        if (random.nextDouble() * ALL < writePercent) {
          writes.set(key, value());
          sentWrites++;
        } else {
          reads.get(key);
        }
      }
      writes.flush();
      if (reads != writes) {
        reads.flush();
      }
      return sentWrites;
    }

    /** Waits for replies; where both are of one connection, in whichever order they come. */
    private void await(int writeReplies, int readReplies, long sentNanos) throws IOException {
      if (writeReplies + readReplies == 0) {
        return;
      }
      receive(writes, writeReplies);
      receive(reads, readReplies);
      latencies.add(System.nanoTime() - sentNanos);
      ended.lazySet(ended.get() + writeReplies + readReplies);
    }

    void close() {
      try {
        writes.close();
        reads.close();
      } catch (IOException e) {
        System.err.println("The connections to Redis cannot be closed: " + e);
      }
    }
  }
}
