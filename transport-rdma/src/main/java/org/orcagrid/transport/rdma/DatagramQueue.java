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

import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.impl.NatIbvCQ;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * One queue pair for datagrams, which come from all peers and go to all (Kite, section 5.3):
 * nothing is kept for a peer but where it is.
 */
final class DatagramQueue extends MessageQueue {
  private static final String NOT_SUPPORTED = "(errno 95)";

  private final Size size;
  private final Map<Gid, Long> addressHandles = new HashMap<>();
  private int number;

  /** Opens one; the size is of one lane. */
  DatagramQueue(RdmaDevice device, Size size) throws IOException {
    super(device, size, true, Verbs.ROUTING_HEADER_BYTES);
    this.size = size;
    try {
      create();
    } catch (IOException e) {
      closeAfter(e);
      throw e;
    }
  }

  private void create() throws IOException {
    begin(lane(0), size, caps -> open(device(), completionQueueId(), key(), caps));
    number = Verbs.queueNumber(lane(0).queue());
  }

  private static long open(RdmaDevice device, long completionQueueId, int key, ByteBuffer caps)
      throws IOException {
    return Verbs.createDatagramQueue(
        device.domain().getObjId(), completionQueueId, device.port(), key, caps);
  }

  /**
   * Why a device has no datagrams; null if it has.
   *
   * @throws IOException if that cannot be said
   */
  static String problem(RdmaDevice device) throws IOException {
    if (device.info().isIwarp()) {
      return "iWARP has connections only";
    }
    RdmaVerbs verbs = RdmaVerbs.open();
    try (Resources resources = new Resources()) {
      IbvCompChannel channel = device.disni().createCompChannel();
      resources.add(() -> verbs.destroyCompChannel(channel));
      NatIbvCQ completions = (NatIbvCQ) verbs.createCQ(device.disni(), channel, 2, 0);
      resources.add(() -> verbs.destroyCQ(completions));
      ByteBuffer caps = direct(CAPS * Integer.BYTES).putInt(1).putInt(1).putInt(1).putInt(0);
      Verbs.destroyQueue(open(device, completions.getObjId(), 1, caps));
      return null;
    } catch (IOException e) {
      // Anything else is want of memory, or of queue pairs, and no kind of network.
      if (e.getMessage().endsWith(NOT_SUPPORTED)) {
        return e.getMessage();
      }
      throw e;
    }
  }

  @Override
  int laneOf(int peer) {
    return 0;
  }

  @Override
  PeerHello.Place place() {
    return new PeerHello.Place(false, number, 0);
  }

  /** An address handle; kept, since a peer that comes back is where it was. */
  @Override
  long meet(int peer, PeerHello hello, int connection) throws IOException {
    Long known = addressHandles.get(hello.gid());
    if (known == null) {
      known =
          Verbs.createAddressHandle(
              device().domain().getObjId(),
              device().port(),
              device().gidIndex(),
              hello.gid().direct(),
              hello.lid());
      addressHandles.put(hello.gid(), known);
    }
    return known;
  }

  @Override
  void join(int peer, long now) {
    // Datagrams need nothing more.
  }

  @Override
  void leave(int peer) {
    // They bear the number of their connection.
  }

  @Override
  boolean isOpen(int peer) {
    return true;
  }

  @Override
  boolean isSilent(int peer, long now) {
    return false;
  }

  @Override
  boolean isToSpeak(int peer) {
    return false;
  }

  @Override
  void control(long now) {
    // There is nothing else.
  }

  @Override
  long strangers() {
    return 0;
  }

  @Override
  boolean isOf(Destination sender, int source) {
    return sender.queue() == source;
  }

  @Override
  int source(int slot, int remoteQueue) {
    return remoteQueue;
  }

  @Override
  long target(Lane lane, Destination to) {
    return to.handle();
  }

  @Override
  void post(ByteBuffer batch, int count) throws IOException {
    int taken = Verbs.postDatagrams(lane(0).queue(), regionId(), batch, count);
    if (taken < count) {
      throw new IOException(
          "the device takes fewer requests than it said: " + taken + " of " + count);
    }
  }

  @Override
  void renew() throws IOException {
    closeQueue();
    drop();
    mend();
    create();
  }

  private void closeQueue() throws IOException {
    Lane lane = lane(0);
    long queue = lane.queue();
    lane.end();
    if (queue != 0) {
      Verbs.destroyQueue(queue);
    }
  }

  @Override
  void closeQueues() throws IOException {
    try (Resources resources = new Resources()) {
      for (long each : addressHandles.values()) {
        resources.add(() -> Verbs.destroyAddressHandle(each));
      }
      resources.add(this::closeQueue);
      addressHandles.clear();
    }
  }
}
