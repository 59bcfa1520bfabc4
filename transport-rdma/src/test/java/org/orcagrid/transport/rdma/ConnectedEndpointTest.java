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
package org.orcagrid.transport.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.impl.NatIbvCQ;
import com.ibm.disni.verbs.impl.NatRdmaEventChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The same over reliable connections, and who gets none. Needs a device. */
class ConnectedEndpointTest extends RdmaEndpointTest {
  private static final int MAGIC = 0x4F524331;

  /** Asked again and again it would run out of places after a tenth of that. */
  private static final long STANDSTILL_NANOS = 1_000_000_000L;

  @Override
  protected boolean hasConnections() {
    return true;
  }

  private static ByteBuffer request(int... words) {
    ByteBuffer data = ByteBuffer.allocate(words.length * Integer.BYTES);
    for (int word : words) {
      data.putInt(word);
    }
    return data.flip();
  }

  /** Node 0 has begun the connection, so node 1 is who is asked. */
  @Test
  void whoDoesNotKnowAllThatBothHaveSaidIsRefused() throws IOException {
    RdmaEndpoint asked = there();
    int key = asked.queue().key();
    int own = asked.link(0).connection();
    int theirs = asked.link(0).remoteConnection();
    List<ByteBuffer> requests = new ArrayList<>();
    requests.add(request(MAGIC));
    requests.add(request(MAGIC + 1, 0, key, own, theirs));
    requests.add(request(MAGIC, 1, key, own, theirs));
    requests.add(request(MAGIC, -1, key, own, theirs));
    requests.add(request(MAGIC, 0, key + 1, own, theirs));
    requests.add(request(MAGIC, 0, key, own + 1, theirs));
    requests.add(request(MAGIC, 0, key, own, theirs + 1));
    long before = asked.fenced();
    for (ByteBuffer each : requests) {
      assertEquals(EventType.RDMA_CM_EVENT_REJECTED, answer(asked, each), each::toString);
    }
    assertEquals(before + requests.size(), asked.fenced());
    roundTrip(64);
    // Who knows all of it has seen what the peer has asked for, and has got.
    ByteBuffer all = request(MAGIC, 0, key, own, theirs);
    assertEquals(EventType.RDMA_CM_EVENT_REJECTED, answer(asked, all));
    roundTrip(64);
  }

  /** It has no places for more than was sent, however long it stands still. */
  @Test
  void whoStandsStillIsNotOverrun() {
    roundTrip(64);
    long queue = there().queue().lane(0).queue();
    long begun = System.nanoTime();
    int sent = 0;
    while (System.nanoTime() - begun < STANDSTILL_NANOS) {
      if (here().claim(1) != null) {
        here().send(1, 64);
        sent++;
      }
      here().poll(NOBODY, 10);
    }
    int[] taken = {0};
    begun = System.nanoTime();
    while (taken[0] < sent) {
      there().poll((from, packet, length) -> taken[0]++, 10);
      here().poll(NOBODY, 10);
      assertTrue(System.nanoTime() - begun < LONG_NANOS, taken[0] + " of " + sent);
    }
    roundTrip(64);
    assertEquals(queue, there().queue().lane(0).queue(), "the same connection");
  }

  /** What a request for a connection is answered with. */
  private EventType answer(RdmaEndpoint asked, ByteBuffer request) throws IOException {
    RdmaVerbs verbs = RdmaVerbs.open();
    ByteBuffer event = MessageQueue.direct(CmVerbs.EVENT_BYTES);
    try (RdmaDevice device = RdmaDevice.open(RdmaSettings.DEFAULT.withConnections())) {
      NatRdmaEventChannel channel = (NatRdmaEventChannel) RdmaCm.open().createEventChannel();
      IbvCompChannel completionEvents = device.disni().createCompChannel();
      NatIbvCQ completions = (NatIbvCQ) verbs.createCQ(device.disni(), completionEvents, 4, 0);
      InetSocketAddress to =
          new InetSocketAddress(device.bound().address(), asked.queue().place().number());
      EventType last;
      try (CmConnection stranger = CmConnection.towards(channel, device.bound(), to)) {
        assertEquals(EventType.RDMA_CM_EVENT_ADDR_RESOLVED, next(asked, channel, event));
        stranger.resolveRoute();
        assertEquals(EventType.RDMA_CM_EVENT_ROUTE_RESOLVED, next(asked, channel, event));
        ByteBuffer caps = MessageQueue.direct(MessageQueue.CAPS * Integer.BYTES);
        caps.putInt(1).putInt(1).putInt(1).putInt(0);
        stranger.openQueue(device, completions.getObjId(), caps);
        stranger.connect(request);
        last = next(asked, channel, event);
      }
      verbs.destroyCQ(completions);
      verbs.destroyCompChannel(completionEvents);
      RdmaCm.open().destroyEventChannel(channel);
      return last;
    }
  }

  private EventType next(RdmaEndpoint asked, NatRdmaEventChannel channel, ByteBuffer event)
      throws IOException {
    long begun = System.nanoTime();
    int type = -1;
    while (type < 0) {
      asked.poll(NOBODY, 10);
      type = CmVerbs.nextEvent(channel.getObjId(), event);
      assertTrue(System.nanoTime() - begun < LONG_NANOS, "an event");
    }
    return ConnectionQueue.typeOf(type);
  }
}
