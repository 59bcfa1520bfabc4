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

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.impl.NatCmaIdPrivate;
import com.ibm.disni.verbs.impl.NatRdmaEventChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * A reliable connection with each peer, for networks that have no datagrams (iWARP), or that let
 * none through. Messages are the same as {@link DatagramQueue}'s, headers and windows included.
 *
 * <p>Connections are made by librdmacm, as iWARP knows no other way. Of two nodes the one with the
 * smaller number begins, when it knows that the other knows it. What it sends with its request is
 * what both have told each other over TCP: the numbers that both have drawn, and the other's key.
 * Who does not know them is refused before there is a queue pair. The one that has begun also
 * speaks first, as iWARP wants it; only then the other takes the connection for open.
 */
final class ConnectionQueue extends MessageQueue {
  private static final System.Logger LOG = System.getLogger(ConnectionQueue.class.getName());

  private static final int MAGIC = 0x4F524331;
  private static final int DATA_BYTES = 5 * Integer.BYTES;
  private static final int BACKLOG = 64;
  private static final int EVENTS_AT_ONCE = 16;
  private static final int PORT_MASK = 0xFFFF;
  private static final long OPEN_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
  private static final long SILENCE_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);
  private static final EventType[] TYPES = EventType.values();

  private final int self;
  private final Size size;
  private final BoundAddress bound;
  private final NatRdmaEventChannel channel;
  private final NatCmaIdPrivate listening;
  private final PeerHello.Place place;
  private final Way[] ways;
  private final ByteBuffer event = direct(CmVerbs.EVENT_BYTES);
  private boolean removed;
  private long strangers;

  /** The way to one peer. */
  private static final class Way {
    final int peer;

    /** What both have said; null if there is to be no connection. */
    PeerHello hello;

    int connection;

    CmConnection cm;
    boolean begun;
    boolean established;
    long openAt;

    /** What was done when it went on last. */
    long done;

    long wentOnAt;

    Way(int peer) {
      this.peer = peer;
    }
  }

  /** Listens for peers; the size is that of a lane for each. */
  ConnectionQueue(RdmaDevice device, int self, Size size) throws IOException {
    super(device, size, false, 0);
    this.self = self;
    this.size = size;
    this.bound = device.bound();
    this.ways = new Way[size.lanes()];
    for (int lane = 0; lane < ways.length; lane++) {
      ways[lane] = new Way(lane < self ? lane : lane + 1);
    }
    try {
      RdmaCm cm = RdmaCm.open();
      this.channel = (NatRdmaEventChannel) cm.createEventChannel();
      this.listening = BoundAddress.idOf(channel, CmVerbs.createId(channel.getObjId()));
      cm.bindAddr(listening, new InetSocketAddress(bound.address(), 0));
      cm.listen(listening, BACKLOG);
      int port = ((InetSocketAddress) cm.getSrcAddr(listening)).getPort() & PORT_MASK;
      int ipv4 = ByteBuffer.wrap(bound.address().getAddress()).getInt();
      this.place = new PeerHello.Place(true, port, ipv4);
    } catch (IOException e) {
      closeAfter(e);
      throw e;
    }
  }

  @Override
  int laneOf(int peer) {
    return peer < self ? peer : peer - 1;
  }

  private Way way(int peer) {
    return ways[laneOf(peer)];
  }

  @Override
  PeerHello.Place place() {
    return place;
  }

  /** Requests for connections that were nobody's. */
  @Override
  long strangers() {
    return strangers;
  }

  // --- peers come and go -------------------------------------------------------------------------

  @Override
  long meet(int peer, PeerHello hello, int connection) {
    leave(peer);
    Way way = way(peer);
    way.hello = hello;
    way.connection = connection;
    return 0;
  }

  @Override
  void join(int peer, long now) {
    Way way = way(peer);
    if (self > peer || way.hello == null || way.cm != null || fault(peer) != null) {
      return;
    }
    try {
      byte[] address = ByteBuffer.allocate(Integer.BYTES).putInt(way.hello.place().ipv4()).array();
      InetSocketAddress to =
          new InetSocketAddress(
              InetAddress.getByAddress(address), way.hello.place().number() & PORT_MASK);
      way.cm = CmConnection.towards(channel, bound, to);
      await(way, now);
    } catch (IOException e) {
      fail(way, e.getMessage());
    }
  }

  private static void await(Way way, long now) {
    way.begun = true;
    way.openAt = now + OPEN_NANOS_MAX;
  }

  @Override
  void leave(int peer) {
    Way way = way(peer);
    way.hello = null;
    end(way);
  }

  private void end(Way way) {
    CmConnection gone = way.cm;
    way.cm = null;
    way.begun = false;
    way.established = false;
    lane(laneOf(way.peer)).end();
    if (gone != null) {
      close(gone);
    }
  }

  private static void close(CmConnection gone) {
    try {
      gone.close();
    } catch (IOException e) {
      throw new IllegalStateException("A connection cannot be given back: " + e.getMessage(), e);
    }
  }

  @Override
  boolean isOpen(int peer) {
    return way(peer).established && fault(peer) == null;
  }

  @Override
  boolean isSilent(int peer, long now) {
    return isOpen(peer) && now - way(peer).wentOnAt > SILENCE_NANOS_MAX;
  }

  @Override
  boolean isToSpeak(int peer) {
    return self < peer && way(peer).established && lane(laneOf(peer)).isMute();
  }

  private void fail(Way way, String reason) {
    lane(laneOf(way.peer)).fail(reason);
  }

  // --- events ------------------------------------------------------------------------------------

  @Override
  void control(long now) {
    try {
      for (int i = 0; i < EVENTS_AT_ONCE; i++) {
        int type = CmVerbs.nextEvent(channel.getObjId(), event);
        if (type < 0) {
          break;
        }
        onEvent(typeOf(type), event.getLong(CmVerbs.EVENT_ID), now);
      }
    } catch (IOException e) {
      breakDown("connections cannot be looked after: " + e.getMessage());
    }
    for (Way way : ways) {
      // Who was asked takes it for open when something comes.
      way.established |= way.cm != null && lane(laneOf(way.peer)).isHeard();
      Lane lane = lane(laneOf(way.peer));
      if (!lane.isOwed() || lane.done() != way.done) {
        way.done = lane.done();
        way.wentOnAt = now;
      }
      if (way.begun && !way.established && now - way.openAt > 0) {
        fail(way, "no connection came about in 5 s");
      }
    }
  }

  /** What librdmacm calls an event of {@link CmVerbs}. */
  static EventType typeOf(int number) {
    return TYPES[number];
  }

  private void onEvent(EventType type, long id, long now) throws IOException {
    if (type == EventType.RDMA_CM_EVENT_CONNECT_REQUEST) {
      onRequest(id, now);
      return;
    }
    if (id == listening.getObjId()) {
      if (type == EventType.RDMA_CM_EVENT_DEVICE_REMOVAL) {
        removed = true;
        breakDown("the device was removed");
      }
      return;
    }
    for (Way way : ways) {
      if (way.cm != null && way.cm.number() == id) {
        try {
          onEvent(way, type);
        } catch (IOException e) {
          fail(way, e.getMessage());
        }
      }
    }
  }

  private void onEvent(Way way, EventType type) throws IOException {
    switch (type) {
      case RDMA_CM_EVENT_ADDR_RESOLVED -> way.cm.resolveRoute();
      case RDMA_CM_EVENT_ROUTE_RESOLVED -> {
        openQueue(way);
        way.cm.connect(request(way));
      }
      case RDMA_CM_EVENT_ESTABLISHED -> way.established |= self < way.peer;
      case RDMA_CM_EVENT_TIMEWAIT_EXIT, RDMA_CM_EVENT_ADDR_CHANGE, RDMA_CM_EVENT_CONNECT_RESPONSE ->
          LOG.log(System.Logger.Level.DEBUG, "{0} of the connection with {1}", type, way.peer);
      case RDMA_CM_EVENT_DISCONNECTED -> fail(way, "the peer has ended the connection");
      default ->
          fail(
              way,
              "the connection has failed: " + type + ", " + event.getInt(CmVerbs.EVENT_STATUS));
    }
  }

  private void openQueue(Way way) throws IOException {
    Lane lane = lane(laneOf(way.peer));
    begin(lane, size, caps -> way.cm.openQueue(device(), completionQueueId(), caps));
  }

  private ByteBuffer request(Way way) {
    return ByteBuffer.allocate(DATA_BYTES)
        .putInt(MAGIC)
        .putInt(self)
        .putInt(way.hello.key())
        .putInt(way.hello.connection())
        .putInt(way.connection)
        .flip();
  }

  private void onRequest(long id, long now) throws IOException {
    CmConnection asked = CmConnection.requested(channel, id);
    Way way = wayOfRequest();
    if (way == null) {
      strangers++;
      close(asked);
      return;
    }
    way.cm = asked;
    try {
      openQueue(way);
      asked.accept();
      await(way, now);
    } catch (IOException e) {
      fail(way, e.getMessage());
    }
  }

  /**
   * Whose request the event brings; null if it is nobody's that was met and has no connection yet.
   * A peer asks once with the same numbers: who repeats them has only seen them.
   */
  private Way wayOfRequest() {
    ByteBuffer data = ByteBuffer.allocate(DATA_BYTES);
    if (event.getInt(CmVerbs.EVENT_DATA_BYTES) < DATA_BYTES) {
      return null;
    }
    event.get(CmVerbs.EVENT_DATA, data.array());
    boolean isOurs = data.getInt() == MAGIC;
    int from = data.getInt();
    if (!isOurs || from < 0 || from >= self) {
      return null;
    }
    Way way = way(from);
    boolean isKey = data.getInt() == key();
    boolean isOwn = data.getInt() == way.connection;
    boolean isTheirs = way.hello != null && data.getInt() == way.hello.connection();
    return isKey && isOwn && isTheirs && way.cm == null ? way : null;
  }

  // --- messages ----------------------------------------------------------------------------------

  @Override
  boolean isOf(Destination sender, int source) {
    return laneOf(sender.peer()) == source;
  }

  @Override
  int source(int slot, int remoteQueue) {
    return slot / slotsOfLane();
  }

  @Override
  long target(Lane lane, Destination to) {
    return lane.queue();
  }

  @Override
  void post(ByteBuffer batch, int count) throws IOException {
    if (Verbs.postMessages(regionId(), batch, count) == count) {
      return;
    }
    for (int i = 0; i < count; i++) {
      int at = i * Verbs.DATAGRAM_BYTES;
      int error = batch.getInt(at + Verbs.DATAGRAM_ERROR);
      long id = batch.getLong(at + Verbs.DATAGRAM_ID);
      Lane lane = lane(Lane.indexOf(id));
      if (error != 0 && lane.isUnderWay(id)) {
        lane.fail("a message could not be posted: errno " + error);
      }
    }
  }

  // --- the end, and a new beginning --------------------------------------------------------------

  @Override
  void renew() throws IOException {
    if (removed) {
      throw new IOException("the device was removed; start the node anew when it is back");
    }
    for (Way way : ways) {
      leave(way.peer);
    }
    drop();
    mend();
  }

  @Override
  void closeQueues() throws IOException {
    RdmaCm cm = RdmaCm.open();
    try (Resources resources = new Resources()) {
      // One that could not be opened has less to give back.
      if (channel != null) {
        resources.add(() -> cm.destroyEventChannel(channel));
      }
      if (listening != null) {
        resources.add(() -> cm.destroyCmId(listening));
      }
      for (Way way : ways) {
        if (way.cm != null) {
          resources.add(way.cm::close);
        }
      }
    }
  }
}
