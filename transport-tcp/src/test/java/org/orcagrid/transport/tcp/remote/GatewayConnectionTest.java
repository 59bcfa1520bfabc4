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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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
  private GatewayClients clients;
  private long token;

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
    clients =
        new GatewayClients(
            "client",
            node,
            new GatewayMaps.Host(
                null, GatewayMaps.Bounds.CLIENT, Runnable::run, new AtomicLong(), () -> ""));
  }

  @AfterEach
  void stop() {
    node.close();
    assertTrue(failures.isEmpty(), failures::toString);
  }

  private EmbeddedChannel connect() throws Exception {
    EmbeddedChannel channel =
        new EmbeddedChannel(new GatewayConnection(clients, LinkListener.NONE));
    token = attach(channel, 0, 0);
    return channel;
  }

  /** Says who the client is; the token that the node knows it by, 0 if it does not. */
  private static long attach(EmbeddedChannel channel, long token, long position) throws Exception {
    channel.writeInbound(beside(ClientRecord.ATTACH, token, position));
    ByteBuf out = channel.readOutbound();
    out.skipBytes(Integer.BYTES);
    ClientRecord type = ClientRecord.readType(out);
    out.skipBytes(Integer.BYTES);
    long known = type == ClientRecord.ATTACHED ? out.readLongLE() : 0;
    out.release();
    return known;
  }

  private static ByteBuf beside(ClientRecord type, long token, long position) {
    ByteBuf out = Unpooled.buffer();
    ClientRecord.writePosition(out, type, token, position);
    return out;
  }

  /** The client is gone for good. */
  private void end(EmbeddedChannel channel) {
    channel.finishAndReleaseAll();
    clients.close();
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
  private static List<ClientRecord> answers(
      EmbeddedChannel channel, int count, EmbeddedChannel... before)
      throws ClientRecord.MalformedException {
    List<ClientRecord> answers = new ArrayList<>();
    while (answers.size() < count) {
      for (EmbeddedChannel each : before) {
        // Its thread is the client's: here each connection has one of its own.
        each.runPendingTasks();
      }
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
    end(channel);
  }

  @Test
  void sessionsAreRefusedWhenAllAreInUseAndFreeWhenAClientGoes() throws Exception {
    EmbeddedChannel channel = connect();
    for (int session = 1; session <= SESSIONS + 1; session++) {
      channel.writeInbound(open(session));
    }
    List<ClientRecord> answers = answers(channel, SESSIONS + 1);
    assertEquals(ClientRecord.REFUSED, answers.get(SESSIONS));
    channel.writeInbound(beside(ClientRecord.LEAVE, token, 0));
    assertFalse(channel.isOpen());
    awaitFreeSession().close();
    channel.finishAndReleaseAll();
  }

  @Test
  void sessionsOutliveALostConnectionForSomeSeconds() throws Exception {
    EmbeddedChannel channel = connect();
    ByteBuf in = open(1);
    request(in, OperationKind.GET_AND_ADD, "key", Long.BYTES);
    channel.writeInbound(in);
    long said = clients.find(token).received();
    // Nothing of it was heard.
    channel.pipeline().fireChannelInactive();
    channel.runPendingTasks();
    EmbeddedChannel again = new EmbeddedChannel(new GatewayConnection(clients, LinkListener.NONE));
    assertEquals(token, attach(again, token, 0));
    assertEquals(List.of(ClientRecord.OPENED, ClientRecord.RESPONSE), answers(again, 2, channel));
    assertEquals(said, clients.find(token).received(), "the request is not asked for again");
    again.pipeline().fireChannelInactive();
    again.advanceTimeBy(GatewayClients.KEPT_SECONDS - 1, TimeUnit.SECONDS);
    again.runScheduledPendingTasks();
    assertNotNull(clients.find(token));
    again.advanceTimeBy(2, TimeUnit.SECONDS);
    again.runScheduledPendingTasks();
    assertNull(clients.find(token));
    EmbeddedChannel late = new EmbeddedChannel(new GatewayConnection(clients, LinkListener.NONE));
    assertEquals(0, attach(late, token, 0), "it is forgotten");
    assertFalse(late.isOpen());
    channel.finishAndReleaseAll();
    again.finishAndReleaseAll();
    late.finishAndReleaseAll();
  }

  @Test
  void aNewConnectionTakesThePlaceOfOneWhoseEndTheNodeHasNotNoticed() throws Exception {
    EmbeddedChannel channel = connect();
    EmbeddedChannel again = new EmbeddedChannel(new GatewayConnection(clients, LinkListener.NONE));
    assertEquals(token, attach(again, token, 0));
    channel.runPendingTasks();
    assertFalse(channel.isOpen());
    again.writeInbound(open(1));
    assertEquals(List.of(ClientRecord.OPENED), answers(again, 1, channel));
    channel.finishAndReleaseAll();
    end(again);
  }

  @Test
  void whoHasNotSaidWhoItIsIsDisconnected() {
    EmbeddedChannel channel =
        new EmbeddedChannel(new GatewayConnection(clients, LinkListener.NONE));
    channel.writeInbound(open(1));
    assertFalse(channel.isOpen());
    channel.finishAndReleaseAll();
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
      end(channel);
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
