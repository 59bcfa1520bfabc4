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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.impl.NatIbvMr;
import com.ibm.disni.verbs.impl.NatObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.orcagrid.needs.Needs;

/** DiSNI on the native library: a reliable connection from its beginning to its end. */
@Needs({RdmaNeeds.Device.class, RdmaNeeds.Address.class})
@Timeout(60)
// Its lists and its numbers of enums are DiSNI's.
@SuppressWarnings({"NonApiType", "JdkObsolete", "EnumOrdinal"})
class DisniConnectionTest {
  private static final int WAIT_MS = 5000;
  private static final int BYTES = 4096;
  private static final int REMOTE =
      IbvMr.IBV_ACCESS_LOCAL_WRITE
          | IbvMr.IBV_ACCESS_REMOTE_WRITE
          | IbvMr.IBV_ACCESS_REMOTE_READ
          | IbvMr.IBV_ACCESS_REMOTE_ATOMIC;

  private final RdmaEventChannel serverEvents;
  private final RdmaEventChannel clientEvents;

  DisniConnectionTest() throws IOException {
    serverEvents = RdmaCm.open().createEventChannel();
    clientEvents = RdmaCm.open().createEventChannel();
  }

  /** One end of the connection. */
  private static final class End {
    final RdmaCmId id;
    final IbvPd domain;
    final IbvCompChannel events;
    final IbvCQ completions;
    final IbvQP queue;
    final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
    final IbvMr region;

    End(RdmaCmId id) throws IOException {
      this.id = id;
      this.domain = id.getVerbs().allocPd();
      this.events = id.getVerbs().createCompChannel();
      this.completions = id.getVerbs().createCQ(events, 16, 0);
      IbvQPInitAttr attr = new IbvQPInitAttr();
      attr.cap().setMax_send_wr(8);
      attr.cap().setMax_recv_wr(8);
      attr.cap().setMax_inline_data(32);
      attr.setQp_type(IbvQP.IBV_QPT_RC);
      attr.setSend_cq(completions);
      attr.setRecv_cq(completions);
      this.queue = id.createQP(domain, attr);
      this.region = domain.regMr(memory, REMOTE).execute().free().getMr();
      assertTrue(domain.getHandle() >= 0);
      assertTrue(queue.getQp_num() > 0);
      assertTrue(id.getVerbs().getCmd_fd() > 0);
      assertTrue(id.getVerbs().getNumCompVectors() > 0);
    }

    LinkedList<IbvSge> piece(int at, int bytes) {
      IbvSge sge = new IbvSge();
      sge.setAddr(region.getAddr() + at);
      sge.setLength(bytes);
      sge.setLkey(region.getLkey());
      LinkedList<IbvSge> list = new LinkedList<>();
      list.add(sge);
      return list;
    }

    void receive(int at, long number) throws IOException {
      IbvRecvWR wr = new IbvRecvWR();
      wr.setWr_id(number);
      wr.setSg_list(piece(at, 64));
      wr.setNum_sge(1);
      queue.postRecv(List.of(wr), null).execute().free();
    }

    void send(int opcode, int at, int bytes, End to, int remoteAt, int flags) throws IOException {
      IbvSendWR wr = new IbvSendWR();
      wr.setWr_id(opcode);
      wr.setSg_list(piece(at, bytes));
      wr.setNum_sge(1);
      wr.setOpcode(opcode);
      wr.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED | flags);
      wr.getRdma().setRemote_addr(to.region.getAddr() + remoteAt);
      wr.getRdma().setRkey(to.region.getRkey());
      queue.postSend(List.of(wr), null).execute().free();
    }

    /** Waits for an event and takes the next completion, which must be a success. */
    IbvWC completion() throws IOException {
      IbvWC[] taken = {new IbvWC()};
      SVCPollCq poll = completions.poll(taken, 1);
      completions.reqNotification(false).execute().free();
      long begun = System.nanoTime();
      while (poll.execute().getPolls() == 0) {
        assertTrue(System.nanoTime() - begun < WAIT_MS * 1_000_000L, "a completion");
        if (events.getCqEvent(completions, 10)) {
          completions.ackEvents(1);
          completions.reqNotification(false).execute().free();
        }
      }
      poll.free();
      assertEquals(IbvWC.IbvWcStatus.IBV_WC_SUCCESS.ordinal(), taken[0].getStatus());
      return taken[0];
    }

    void closeInOrder() throws Exception {
      id.destroyQP();
      region.deregMr().execute().free();
      completions.destroyCQ();
      events.destroyCompChannel();
      domain.deallocPd();
      id.destroyId();
    }
  }

  private static void assertRefused(String what, String reason, Executable call) {
    IOException thrown = assertThrows(IOException.class, call);
    assertTrue(thrown.getMessage().contains(reason), what + ": " + thrown.getMessage());
  }

  private static RdmaCmEvent expect(RdmaEventChannel events, EventType type) throws IOException {
    RdmaCmEvent event = events.getCmEvent(WAIT_MS);
    assertNotNull(event, () -> "no " + type);
    assertEquals(type.ordinal(), event.getEvent(), () -> "not " + type);
    event.ackEvent();
    return event;
  }

  @Test
  void aReliableConnectionFromItsBeginningToItsEnd() throws Exception {
    int before = Verbs.openHandles();
    assertNull(clientEvents.getCmEvent(1), "nothing has happened yet");
    InetSocketAddress address =
        new InetSocketAddress(System.getProperty("orca.lab.address"), 20_079);
    RdmaCmId listening = serverEvents.createId(RdmaCm.RDMA_PS_TCP);
    listening.bindAddr(address);
    listening.listen(1);

    RdmaCmId client = clientEvents.createId(RdmaCm.RDMA_PS_TCP);
    assertRefused("rdma_connect", "Invalid argument", () -> client.connect(new RdmaConnParam()));
    assertRefused("rdma_cm_id.verbs", "not bound", client::getVerbs);
    client.resolveAddr(null, address, WAIT_MS);
    expect(clientEvents, EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
    client.resolveRoute(WAIT_MS);
    expect(clientEvents, EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
    End here = new End(client);
    RdmaConnParam param = new RdmaConnParam();
    param.setRetry_count((byte) 3);
    param.setRnr_retry_count((byte) 3);
    client.connect(param);

    RdmaCmEvent request = expect(serverEvents, EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
    End there = new End(request.getConnIdPriv());
    there.receive(0, 11);
    there.id.accept(param);
    // The client's library answers for it when its event is taken; the server waits for that.
    expect(clientEvents, EventType.RDMA_CM_EVENT_ESTABLISHED);
    expect(serverEvents, EventType.RDMA_CM_EVENT_ESTABLISHED);
    assertEquals(address, client.getDestination());
    assertEquals(address.getAddress(), ((InetSocketAddress) client.getSource()).getAddress());

    exchange(here, there);
    refusals(here);

    client.disconnect();
    expect(serverEvents, EventType.RDMA_CM_EVENT_DISCONNECTED);
    there.id.disconnect();
    expect(clientEvents, EventType.RDMA_CM_EVENT_DISCONNECTED);
    here.closeInOrder();
    there.closeInOrder();
    listening.destroyId();
    assertEquals(before, Verbs.openHandles());
    serverEvents.destroyEventChannel();
    clientEvents.destroyEventChannel();
    assertEquals(before - 2, Verbs.openHandles());
  }

  private static void exchange(End here, End there) throws IOException {
    here.memory.putLong(0, 0x1122334455667788L).putLong(8, 42);
    here.send(IbvSendWR.IBV_WR_SEND, 0, 16, there, 0, IbvSendWR.IBV_SEND_INLINE);
    IbvWC arrived = there.completion();
    assertEquals(11, arrived.getWr_id());
    assertEquals(16, arrived.getByte_len());
    assertEquals(0x1122334455667788L, there.memory.getLong(0));
    assertEquals(IbvSendWR.IBV_WR_SEND, here.completion().getWr_id());

    here.memory.putLong(1000, 77);
    here.send(IbvSendWR.IBV_WR_RDMA_WRITE, 1000, 8, there, 2000, 0);
    here.completion();
    assertEquals(77, there.memory.getLong(2000));

    there.memory.putLong(3000, 99);
    here.send(IbvSendWR.IBV_WR_RDMA_READ, 1008, 8, there, 3000, 0);
    here.completion();
    assertEquals(99, here.memory.getLong(1008));

    long queue = ((NatObject) here.queue).getObjId();
    long region = ((NatIbvMr) here.region).getObjId();
    long remote = there.region.getAddr() + 3000;
    Verbs.postAtomic(queue, region, 64, false, remote, there.region.getRkey(), 5, 0, 21);
    assertEquals(21, here.completion().getWr_id());
    assertEquals(99, here.memory.getLong(64));
    assertEquals(104, there.memory.getLong(3000));
    Verbs.postAtomic(queue, region, 72, true, remote, there.region.getRkey(), 104, 7, 22);
    here.completion();
    assertEquals(104, here.memory.getLong(72));
    assertEquals(7, there.memory.getLong(3000));
  }

  private static void refusals(End here) throws IOException {
    long queue = ((NatObject) here.queue).getObjId();
    long region = ((NatIbvMr) here.region).getObjId();
    String invalid = "Invalid argument";
    assertRefused(
        "atomic", invalid, () -> Verbs.postAtomic(queue, region, BYTES, true, 0, 0, 0, 0, 0));
    assertRefused("atomic", invalid, () -> Verbs.postAtomic(queue, region, 4, true, 0, 0, 0, 0, 0));
    assertRefused("atomic", invalid, () -> Verbs.postAtomic(queue, region, 0, true, 3, 0, 0, 0, 0));
    ByteBuffer requests =
        ByteBuffer.allocateDirect(Verbs.DATAGRAM_BYTES).order(ByteOrder.nativeOrder());
    assertRefused(
        "datagrams on a connection",
        invalid,
        () -> Verbs.postDatagrams(queue, region, requests, 1));
    assertRefused("in use", "belongs to a connection id", () -> Verbs.destroyQueue(queue));
    assertRefused("the wrong kind", "no open queue pair", () -> Verbs.queueNumber(region));
    RdmaVerbs verbs = RdmaVerbs.open();
    assertTrue(verbs.queryOdpSupport(here.id.getVerbs()) >= 0);
    assertRefused(
        "outside the region",
        invalid,
        () -> verbs.expPrefetchMr(here.region, here.region.getAddr() + BYTES, 1));
    assertRefused("more than were got", "not got", () -> verbs.ackCqEvents(here.completions, 1000));
  }
}
