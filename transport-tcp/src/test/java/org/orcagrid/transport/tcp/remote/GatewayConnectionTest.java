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
package org.orcagrid.transport.tcp.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.node.KiteNodes;
import org.orcagrid.ddp.node.LocalSession;
import org.orcagrid.ddp.node.ProtocolHost;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.node.RequestQueue;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.transfer.Progress;
import org.orcagrid.ddp.worker.Workers;
import org.orcagrid.transport.tcp.LinkListener;

/** What clients send, right and wrong, at a node of one. */
@Timeout(60)
class GatewayConnectionTest {
  private static final int SESSIONS = 8;
  private static final int VALUE_BYTES = 512;

  private final List<Throwable> failures = new ArrayList<>();
  private ProtocolHost node;

  @BeforeEach
  void start() throws IOException {
    LoopbackNetwork network = new LoopbackNetwork(1, 1, 4096);
    KiteSettings settings =
        new KiteSettings(
            1, 0, 1, SESSIONS, 64, new KiteSettings.Times(5_000_000, 20_000_000, 100_000));
    node =
        KiteNodes.start(
            settings,
            new ReplicaStore.Limits(100_000, VALUE_BYTES, 16 << 20),
            new Workers.Environment(
                network.transport(0), System::nanoTime, Thread::new, failures::add));
  }

  @AfterEach
  void stop() {
    node.close();
    assertTrue(failures.isEmpty(), failures::toString);
  }

  private EmbeddedChannel connect() {
    return new EmbeddedChannel(
        new GatewayConnection(
            node, new GatewayMaps.Host(null, Runnable::run, new AtomicLong()), LinkListener.NONE));
  }

  private static ByteBuf open(int session) {
    ByteBuf out = Unpooled.buffer();
    ClientRecord.OPEN.write(out, session);
    return out;
  }

  private static void request(ByteBuf out, OperationKind kind, String key, int valueBytes) {
    Request request = new RequestQueue(1).next();
    request.kind(kind);
    request.key().set(key.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    request.value().set(new byte[valueBytes]);
    request.expected().set(new byte[valueBytes]);
    ClientRecord.writeRequest(out, 1, request);
  }

  /** The records that have come back, by their types. */
  private static List<ClientRecord> answers(EmbeddedChannel channel, int count)
      throws ClientRecord.MalformedException {
    List<ClientRecord> answers = new ArrayList<>();
    while (answers.size() < count) {
      channel.runPendingTasks();
      ByteBuf out = channel.readOutbound();
      while (out != null && out.isReadable()) {
        int length = out.readIntLE();
        ByteBuf record = out.readSlice(length);
        answers.add(ClientRecord.readType(record));
      }
      if (out != null) {
        out.release();
      } else {
        Thread.onSpinWait();
      }
    }
    return answers;
  }

  @Test
  void everyRequestOfABatchIsAnsweredOnce() throws Exception {
    EmbeddedChannel channel = connect();
    ByteBuf in = open(1);
    for (OperationKind kind : OperationKind.values()) {
      request(in, kind, "key of " + kind, Long.BYTES);
    }
    channel.writeInbound(in);
    int count = OperationKind.values().length;
    List<ClientRecord> answers = answers(channel, 1 + count);
    assertEquals(ClientRecord.OPENED, answers.get(0));
    assertEquals(count, answers.stream().filter(ClientRecord.RESPONSE::equals).count());
    channel.finishAndReleaseAll();
  }

  @Test
  void sessionsAreRefusedWhenAllAreInUseAndFreeWhenAClientGoes() throws Exception {
    EmbeddedChannel channel = connect();
    for (int session = 1; session <= SESSIONS + 1; session++) {
      channel.writeInbound(open(session));
    }
    List<ClientRecord> answers = answers(channel, SESSIONS + 1);
    assertEquals(ClientRecord.REFUSED, answers.get(SESSIONS));
    channel.finishAndReleaseAll();
    awaitFreeSession().close();
  }

  @Test
  void whoAsksIsToldHowFarTheNodeIs() throws Exception {
    EmbeddedChannel channel = connect();
    ByteBuf in = Unpooled.buffer();
    ClientRecord.PROGRESS.write(in, 0);
    channel.writeInbound(in);
    assertEquals(List.of(ClientRecord.PROGRESS), answers(channel, 1));
    channel.finishAndReleaseAll();
    Progress some = new Progress(1, 2, 1L << 33, 1L << 34, 1L << 35, 1L << 36);
    ByteBuf record = Unpooled.buffer();
    ClientRecord.writeProgress(record, 0, some);
    record.skipBytes(ClientRecord.HEADER_BYTES);
    assertEquals(some, ClientRecord.readProgress(record));
    assertFalse(record.isReadable());
  }

  private LocalSession awaitFreeSession() {
    while (true) {
      try {
        return node.openSession();
      } catch (IllegalStateException e) {
        // A session is free when its worker has seen its end.
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void noiseEndsTheConnectionAndNothingElse() throws Exception {
    Random random = new Random(1);
    int refused = 0;
    for (int i = 0; i < 3_000; i++) {
      EmbeddedChannel channel = connect();
      ByteBuf in = open(1);
      for (int requests = random.nextInt(5); requests >= 0; requests--) {
        OperationKind[] kinds = OperationKind.values();
        request(
            in, kinds[random.nextInt(kinds.length)], "key" + random.nextInt(9), random.nextInt(64));
      }
      for (int breaks = random.nextInt(4); breaks >= 0; breaks--) {
        in.setByte(random.nextInt(in.readableBytes()), random.nextInt());
      }
      channel.writeInbound(in);
      refused += channel.isOpen() ? 0 : 1;
      channel.finishAndReleaseAll();
    }
    assertTrue(refused > 500, "many are refused: " + refused);
    try (LocalSession session = awaitFreeSession()) {
      Request request = session.next();
      request.kind(OperationKind.RELEASE);
      request.key().set(new byte[] {1});
      request.value().set(new byte[] {2});
      session.submit(request);
      assertTrue(session.await(request, 30_000_000_000L));
      assertEquals(Outcome.DONE, request.outcome());
    }
  }

  @Test
  void whoSendsTooMuchOrTooLongIsDisconnected() throws Exception {
    EmbeddedChannel tooLong = connect();
    ByteBuf in = open(1);
    request(in, OperationKind.RELEASE, "key", VALUE_BYTES + 1);
    tooLong.writeInbound(in);
    assertFalse(tooLong.isOpen(), "a value that is too long");
    EmbeddedChannel foreign = connect();
    ByteBuf unopened = Unpooled.buffer();
    request(unopened, OperationKind.READ, "key", 1);
    foreign.writeInbound(unopened);
    assertFalse(foreign.isOpen(), "a session that was not opened");
  }
}
