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
package org.orcagrid.geo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Requirement;
import org.orcagrid.geo.clock.HybridClock;
import org.orcagrid.geo.protocol.ClientAnswer;
import org.orcagrid.geo.protocol.ClientRequest;
import org.orcagrid.geo.replica.Condition;
import org.orcagrid.geo.replica.LocalWrite;
import org.orcagrid.geo.replica.WriteId;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.WriteGuarantee;
import org.orcagrid.transport.tcp.HostPort;

/**
 * The clients' port gets what clients say, with bytes that a seed changes, leaves out, repeats or
 * makes up, and connections that end within a message. No node ends, a sound client gets right
 * answers, and all replicas are the same. {@code -Dseconds=N} for longer, {@code -Dseed=N}.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class GeoPortFuzzTest {
  private static final long SECONDS = Long.getLong("seconds", 2);
  private static final long SEED = Long.getLong("seed", 1);
  private static final int CLIENTS = 3;
  private static final int BURST = 20;
  private static final int CHUNK_BYTES = 16 << 10;
  private static final long PATIENCE_MILLIS = 100;

  @TempDir private Path folder;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final AtomicLong changed = new AtomicLong();
  private LocalStore store;

  @AfterEach
  void close() throws IOException {
    for (Socket each : sockets) {
      each.close();
    }
    threads.shutdownNow();
    if (store != null) {
      store.close();
    }
  }

  @Test
  void whateverComesNodesGoOnAndAnswerOthers() throws Exception {
    store = new LocalStore(folder, 2, 1, 4);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    List<CompletableFuture<Void>> strangers = new ArrayList<>();
    try (RemoteGeo geo = RemoteGeo.connect(store.settings().timeout(Duration.ofSeconds(20)));
        GeoSession session = geo.openSession()) {
      for (int i = 0; i < CLIENTS; i++) {
        Random random = new Random(SEED * CLIENTS + i);
        strangers.add(CompletableFuture.runAsync(() -> fuzz(geo, random, end), threads));
      }
      GeoView<String, String> view = session.view("sound", Codec.STRING, Codec.STRING);
      int turns = 0;
      while (System.nanoTime() - end < 0) {
        String key = "k" + turns % 10;
        view.put(key, "v" + turns, WriteGuarantee.MONOTONIC_WRITE_FOLLOWS_READS);
        ReadGuarantee both = ReadGuarantee.MONOTONIC_READ_YOUR_WRITE;
        assertEquals("v" + turns, view.at("dc1").get(key, both).value());
        turns++;
      }
      strangers.forEach(CompletableFuture::join);
      assertEquals(List.of(), List.copyOf(store.failures()));
      assertTrue(turns > 0 && changed.get() > 0, turns + " turns, " + changed + " changes");
      awaitSame(geo);
    }
    // What is in the journals can be read again.
    store.end(1);
    store.start(1);
    try (RemoteGeo geo = RemoteGeo.connect(store.settings().timeout(Duration.ofSeconds(20)));
        GeoSession session = geo.openSession()) {
      GeoView<String, String> view = session.view("sound", Codec.STRING, Codec.STRING);
      view.at("dc1").put("k0", "again", WriteGuarantee.MONOTONIC_WRITE_FOLLOWS_READS);
      assertEquals("again", view.get("k0", ReadGuarantee.READ_YOUR_WRITE).value());
      awaitSame(geo);
    }
    assertEquals(List.of(), List.copyOf(store.failures()));
  }

  private void awaitSame(RemoteGeo geo) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    List<String> digests = new ArrayList<>();
    do {
      assertTrue(System.nanoTime() - end < 0, () -> "replicas differ: " + digests);
      digests.clear();
      for (HostPort each : store.plan().nodes()) {
        String text = geo.status(each, true).join();
        digests.add(
            String.join(
                " ",
                text.lines()
                    .filter(line -> line.contains("digest="))
                    .map(line -> line.replaceAll(".*(digest=\\w+).*", "$1"))
                    .toList()));
      }
    } while (!digests.get(0).equals(digests.get(1)));
  }

  // --- strangers ---------------------------------------------------------------------------------

  /** One client after the other, of which each goes through a relay that changes what it says. */
  private void fuzz(RemoteGeo sound, Random random, long endNanos) {
    while (System.nanoTime() - endNanos < 0) {
      HostPort node = store.plan().nodes().get(random.nextInt(store.plan().nodes().size()));
      Random changes = new Random(random.nextLong());
      try (ServerSocket relay = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        Object unusedRelay = CompletableFuture.runAsync(() -> pass(relay, node, changes), threads);
        NodeLink link =
            new NodeLink(
                new HostPort("127.0.0.1", relay.getLocalPort()),
                store.settings(),
                new RemoteGeo.Shown(null, null),
                sound.loop());
        List<CompletableFuture<ClientAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < BURST; i++) {
          answers.add(link.ask(request(random)));
        }
        // Most are never answered; how it ends does not matter.
        Object unused =
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .handle((done, failure) -> true)
                .completeOnTimeout(true, PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .join();
        link.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private ClientRequest request(Random random) {
    byte[] key = ("\u0005fuzzyk" + random.nextInt(20)).getBytes(StandardCharsets.UTF_8);
    int partition = random.nextInt(store.plan().partitions());
    PositionVector positions = PositionVector.of(random.nextInt(100), random.nextInt(100));
    Requirement requirement = new Requirement(positions, random.nextInt(3), 0);
    int kind = random.nextInt(10);
    if (kind == 0) {
      return new ClientRequest.Describe();
    } else if (kind == 1) {
      return new ClientRequest.Status(random.nextBoolean());
    } else if (kind < 5) {
      return new ClientRequest.Read(partition, key, requirement, random.nextInt(5_000), true);
    }
    long now = HybridClock.of(System.currentTimeMillis());
    WriteId id = new WriteId(random.nextInt(5), random.nextInt(1_000), random.nextInt(10));
    long expires = now + HybridClock.of(random.nextInt(60_000));
    Condition condition = random.nextInt(3) == 0 ? Condition.ABSENT : null;
    byte[] value = random.nextInt(4) == 0 ? null : new byte[random.nextInt(2_000)];
    LocalWrite write = new LocalWrite(id, expires, 0, condition, key, value);
    return new ClientRequest.Write(partition, write, now, requirement, random.nextInt(5_000));
  }

  /** Passes on one connection. What a client says comes changed, and the answers as they are. */
  private void pass(ServerSocket relay, HostPort node, Random changes) {
    try (Socket client = relay.accept();
        Socket server = new Socket(node.host(), node.port())) {
      sockets.add(client);
      sockets.add(server);
      Object unused =
          CompletableFuture.runAsync(
              () -> {
                try {
                  server.getInputStream().transferTo(client.getOutputStream());
                } catch (IOException e) {
                  // One of them has had enough.
                }
              },
              threads);
      byte[] bytes = new byte[CHUNK_BYTES];
      OutputStream out = server.getOutputStream();
      InputStream in = client.getInputStream();
      // The greeting comes as it is, most of the time: behind it there is more to be refused.
      boolean isGreeting = changes.nextInt(5) > 0;
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        if (isGreeting) {
          out.write(bytes, 0, count);
          isGreeting = false;
        } else if (!change(bytes, count, out, changes)) {
          return;
        }
      }
    } catch (IOException e) {
      // The node has closed it, which is right.
    } finally {
      sockets.removeIf(Socket::isClosed);
    }
  }

  /** Whether the connection goes on. */
  private boolean change(byte[] bytes, int count, OutputStream out, Random changes)
      throws IOException {
    int what = changes.nextInt(6);
    changed.addAndGet(what == 0 ? 0 : 1);
    switch (what) {
      case 0 -> out.write(bytes, 0, count);
      case 1 -> {
        for (int i = 0; i < 1 + changes.nextInt(4); i++) {
          bytes[changes.nextInt(count)] ^= (byte) (1 << changes.nextInt(8));
        }
        out.write(bytes, 0, count);
      }
      case 2 -> {
        // Past the length and the number of the first message, so that what is in it is odd.
        int at = Math.min(count - 1, 12 + changes.nextInt(60));
        bytes[at] = (byte) changes.nextInt();
        out.write(bytes, 0, count);
      }
      case 3 -> {
        out.write(bytes, 0, changes.nextInt(count));
        return false;
      }
      case 4 -> {
        byte[] noise = new byte[changes.nextInt(500)];
        changes.nextBytes(noise);
        out.write(noise);
        out.write(bytes, 0, count);
      }
      default -> {
        out.write(bytes, 0, count);
        out.write(bytes, 0, count);
      }
    }
    return true;
  }
}
