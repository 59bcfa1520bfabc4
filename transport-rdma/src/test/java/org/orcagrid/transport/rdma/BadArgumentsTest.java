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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.impl.NatIbvContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.orcagrid.needs.Needs;

/** What the native library does with arguments that make no sense. Needs no device. */
@Needs(RdmaNeeds.Library.class)
class BadArgumentsTest {
  private static final long[] NO_OBJECTS = {
    0, 1, -1, 65536, 65537, 1L << 32, 1L << 32 | 1, Long.MAX_VALUE, Long.MIN_VALUE, 0x7f0000001000L
  };

  @BeforeAll
  static void loads() {
    assertNull(NativeLibrary.problem());
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  private static void refuses(String verb, Executable call) {
    IOException thrown = assertThrows(IOException.class, call);
    assertTrue(thrown.getMessage().startsWith(verb + ": "), thrown.getMessage());
    assertTrue(thrown.getMessage().contains("errno"), thrown.getMessage());
  }

  @Test
  void numbersThatAreNoObjects() {
    ByteBuffer room = buffer(4096);
    // What makes sense, so that the objects are looked for.
    ByteBuffer caps = buffer(4 * Integer.BYTES).putInt(1).putInt(1).putInt(1).putInt(0);
    for (long no : NO_OBJECTS) {
      refuses("ibv_close_device", () -> Verbs.closeDevice(no));
      refuses("ibv_query_port", () -> Verbs.queryPort(no, 1, room));
      refuses("ibv_query_gid_ex", () -> Verbs.queryGid(no, 1, 0, room));
      refuses("ibv_create_qp", () -> Verbs.createDatagramQueue(no, no, 1, 1, caps));
      refuses("ibv_qp.qp_num", () -> Verbs.queueNumber(no));
      refuses("ibv_modify_qp", () -> Verbs.stopQueue(no));
      refuses("ibv_destroy_qp", () -> Verbs.destroyQueue(no));
      refuses("ibv_create_ah", () -> Verbs.createAddressHandle(no, 1, 0, room, 0));
      refuses("ibv_destroy_ah", () -> Verbs.destroyAddressHandle(no));
      refuses("ibv_post_send", () -> Verbs.postDatagrams(no, no, room, 1));
      refuses("ibv_post_send", () -> Verbs.postMessages(no, room, 1));
      refuses("ibv_post_recv", () -> Verbs.postReceives(no, no, room, 1));
      refuses("rdma_create_id", () -> CmVerbs.createId(no));
      refuses("rdma_get_cm_event", () -> CmVerbs.nextEvent(no, room));
      refuses("rdma_cm_id.verbs", () -> CmVerbs.context(no));
      refuses("ibv_get_device_name", () -> CmVerbs.deviceName(no));
      refuses("rdma_set_option", () -> CmVerbs.setTimeout(no, 14));
      refuses("rdma_destroy_id", () -> CmVerbs.destroyId(no));
      refuses("rdma_cm_id.port_num", () -> CmVerbs.port(no));
      refuses("rdma_create_qp", () -> CmVerbs.createQueue(no, no, no, caps));
      refuses("ibv_poll_cq", () -> Verbs.pollCompletions(no, room, 1));
      refuses("ibv_req_notify_cq", () -> Verbs.requestEvent(no));
      refuses("ibv_get_cq_event", () -> Verbs.await(no, no, 0));
      refuses("eventfd", () -> Verbs.destroyWake(no));
      refuses("ibv_post_send", () -> Verbs.postAtomic(no, no, 0, true, 0, 0, 0, 0, 0));
      refuses("ibv_create_qp", () -> Verbs.createReliableQueue(no, no, 1, 1));
      refuses("ibv_modify_qp", () -> Verbs.connectQueue(no, 1, 0, room, 0, 1, 1024));
      refuses("ibv_post_send", () -> Verbs.postOneSided(no, no, false, 0, 8, 0, 0, true, 0));
      refuses("mmap", () -> Verbs.memoryBytes(no));
      refuses("munmap", () -> Verbs.unmapMemory(no));
      refuses("persist", () -> Verbs.persist(no, 0, 1));
    }
  }

  @Test
  void buffersThatAreNone() {
    ByteBuffer small = buffer(15);
    ByteBuffer heap = ByteBuffer.allocate(4096);
    for (ByteBuffer each : new ByteBuffer[] {null, small, heap}) {
      refuses("ibv_query_port", () -> Verbs.queryPort(1, 1, each));
      refuses("ibv_query_gid_ex", () -> Verbs.queryGid(1, 1, 0, each));
      refuses("ibv_create_qp", () -> Verbs.createDatagramQueue(1, 1, 1, 1, each));
      refuses("ibv_create_ah", () -> Verbs.createAddressHandle(1, 1, 0, each, 0));
      refuses("ibv_post_send", () -> Verbs.postDatagrams(1, 1, each, 1));
      refuses("ibv_post_send", () -> Verbs.postMessages(1, each, 1));
      refuses("rdma_get_cm_event", () -> CmVerbs.nextEvent(1, each));
      refuses("rdma_create_qp", () -> CmVerbs.createQueue(1, 1, 1, each));
      refuses("ibv_post_recv", () -> Verbs.postReceives(1, 1, each, 1));
      refuses("ibv_poll_cq", () -> Verbs.pollCompletions(1, each, 1));
      refuses("ibv_modify_qp", () -> Verbs.connectQueue(1, 1, 0, each, 0, 1, 1024));
    }
    refuses("ibv_post_send", () -> Verbs.postDatagrams(1, 1, small, -1));
    refuses("ibv_post_send", () -> Verbs.postDatagrams(1, 1, small, Integer.MAX_VALUE));
    refuses("ibv_post_send", () -> Verbs.postMessages(1, buffer(4096), 0));
    refuses("ibv_post_send", () -> Verbs.postMessages(1, buffer(4096), 65));
    refuses("ibv_poll_cq", () -> Verbs.pollCompletions(1, small, Integer.MIN_VALUE));
  }

  @Test
  void memoryThatIsNone() {
    refuses("mmap", () -> Verbs.mapMemory(null, false, 4096));
    refuses("mmap", () -> Verbs.mapMemory("/dev/zero", false, 0));
    refuses("mmap", () -> Verbs.mapMemory("/dev/zero", false, -1));
    refuses("mmap", () -> Verbs.mapMemory("no such file", true, 4096));
    refuses("mmap", () -> Verbs.mapMemory("/dev/null", false, 4096));
  }

  @Test
  void memoryIsMappedAndItsPartsArePersisted() throws IOException {
    int before = Verbs.openHandles();
    long memory = Verbs.mapMemory("/dev/zero", false, 4096);
    Verbs.memoryBytes(memory).put(4095, (byte) 1);
    Verbs.persist(memory, 4095, 1);
    Verbs.persist(memory, 0, 4096);
    refuses("persist", () -> Verbs.persist(memory, 4095, 2));
    refuses("persist", () -> Verbs.persist(memory, -1, 1));
    refuses("persist", () -> Verbs.persist(memory, 1, -1));
    refuses("persist", () -> Verbs.persist(memory, Integer.MAX_VALUE, Integer.MAX_VALUE));
    Verbs.unmapMemory(memory);
    refuses("munmap", () -> Verbs.unmapMemory(memory));
    refuses("persist", () -> Verbs.persist(memory, 0, 1));
    assertEquals(before, Verbs.openHandles());
  }

  @Test
  void namesThatAreNoDevices() {
    refuses("ibv_open_device", () -> Verbs.openDevice(null));
    refuses("ibv_open_device", () -> Verbs.openDevice("no such device"));
  }

  @Test
  void aWakeUpEndsWhatWaitsAndIsGoneOnce() throws IOException {
    int before = Verbs.openHandles();
    long wake = Verbs.createWake();
    assertEquals(before + 1, Verbs.openHandles());
    Verbs.wake(wake);
    refuses("ibv_get_cq_event", () -> Verbs.await(wake, wake, 0));
    Verbs.destroyWake(wake);
    refuses("eventfd", () -> Verbs.destroyWake(wake));
    Verbs.wake(wake);
    assertEquals(before, Verbs.openHandles());
    long next = Verbs.createWake();
    assertTrue(next != wake, "a number is not used twice");
    refuses("eventfd", () -> Verbs.destroyWake(wake));
    Verbs.destroyWake(next);
  }

  @Test
  void whatDisniAsksForWithNumbersThatAreNoObjects() throws IOException {
    RdmaVerbs verbs = RdmaVerbs.open();
    for (long no : NO_OBJECTS) {
      NatIbvContext context = new NatIbvContext(no, null);
      refuses("ibv_alloc_pd", () -> verbs.allocPd(context));
      refuses("ibv_create_comp_channel", () -> verbs.createCompChannel(context));
      refuses("ibv_query_device_ex", () -> verbs.queryOdpSupport(context));
    }
    // Without a driver there is nothing that events could come from.
    if (Verbs.devices().length == 0) {
      IOException none = assertThrows(IOException.class, () -> RdmaCm.open().createEventChannel());
      assertTrue(none.getMessage().startsWith("rdma_create_event_channel: "), none.getMessage());
    }
  }
}
