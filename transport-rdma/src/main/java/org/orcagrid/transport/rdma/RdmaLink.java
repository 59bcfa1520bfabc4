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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.orcagrid.ddp.transport.PacketHandler;

/**
 * A worker's way to its counterpart at one peer, and back. Used by the worker's thread only.
 *
 * <p>Each direction has a connection number that the receiver has drawn: what bears another one is
 * of a life before and not looked at.
 */
final class RdmaLink implements MessageQueue.Destination {
  private static final int SIGNAL_EVERY = 8;
  private static final int CREDITS = 8;

  private final MessageQueue queue;
  private final ByteBuffer memory;
  private final int self;
  private final int peer;
  private final int packetBytesMax;
  private final SendWindow window;
  private final PacketAssembly assembly;

  // The packets that are filled, sent and free again in turn, and the headers before each.
  private final ByteBuffer[] contents;
  private final int[] contentsAt;
  private final long[] requests;
  private final boolean[] inline;
  private int next;

  // The same for what says how far memory was given back.
  private final int creditsAt;
  private final long[] creditRequests = new long[CREDITS];
  private final boolean[] creditInline = new boolean[CREDITS];
  private int nextCredit;

  // The peer, as it has said in its greeting.
  private long handle;
  private PeerHello remote;
  private int fragmentBytes;
  private int fragmentsMax;
  private boolean confirmed;

  // What comes from it.
  private int connection;
  private long seen;
  private long returned;
  private long told;
  private boolean answerWanted;
  private final int tellEvery;

  private long fenced;

  /**
   * A link that nothing is known of yet.
   *
   * @param memoryAt where its part of the queue's memory begins
   */
  RdmaLink(MessageQueue queue, Shape shape, int self, int peer, int memoryAt) {
    this.queue = queue;
    this.memory = queue.memory();
    this.self = self;
    this.peer = peer;
    this.packetBytesMax = shape.packetBytesMax();
    this.window = new SendWindow(queue.place().isConnected());
    this.creditsAt = memoryAt + shape.packets() * shape.bytesOfPacket();
    this.assembly = new PacketAssembly(packetBytesMax);
    this.tellEvery = Math.max(1, shape.datagrams() / 4);
    this.contents = new ByteBuffer[shape.packets()];
    this.contentsAt = new int[shape.packets()];
    this.requests = new long[shape.packets()];
    this.inline = new boolean[shape.packets()];
    for (int i = 0; i < contents.length; i++) {
      contentsAt[i] = memoryAt + i * shape.bytesOfPacket() + shape.bytesOfHeaders();
      contents[i] = memory.slice(contentsAt[i], packetBytesMax).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  /**
   * The memory of a link.
   *
   * @param packets that can be under way
   * @param packetBytesMax bytes of one
   * @param datagrams that can come from the peer before any is taken
   */
  record Shape(int packets, int packetBytesMax, int datagrams) {
    private static final int LINE_BYTES = 64;

    /** Parts that a packet has where datagrams are as small as they may be. */
    int fragmentsMax() {
      return fragments(packetBytesMax, RdmaDevice.MTU_BYTES_MIN - DatagramHeader.BYTES);
    }

    /** Before the content of each packet: a header for each of its parts, the first one last. */
    int bytesOfHeaders() {
      return (fragmentsMax() * DatagramHeader.BYTES + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    }

    int bytesOfPacket() {
      return bytesOfHeaders() + (packetBytesMax + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    }

    int bytes() {
      return Math.multiplyExact(packets, bytesOfPacket()) + CREDITS * DatagramHeader.BYTES;
    }
  }

  private static int fragments(int bytes, int fragmentBytes) {
    return Math.max(1, (bytes + fragmentBytes - 1) / fragmentBytes);
  }

  @Override
  public int peer() {
    return peer;
  }

  /** Datagrams that were of another life of the peer, or of nobody. */
  long fenced() {
    return fenced;
  }

  // --- beginnings and ends -----------------------------------------------------------------------

  /** From now on only datagrams with this number are the peer's. */
  void expect(int number) {
    connection = number;
    seen = 0;
    returned = 0;
    told = 0;
    answerWanted = false;
    assembly.begin();
  }

  /** The peer has said where it is. */
  void onHello(PeerHello hello, long reached, int ownMtuBytes, long now) {
    remote = hello;
    handle = reached;
    fragmentBytes = Math.min(hello.mtuBytes(), ownMtuBytes) - DatagramHeader.BYTES;
    fragmentsMax = fragments(packetBytesMax, fragmentBytes);
    window.begin(hello.datagrams(), now);
  }

  /** The peer is away, or what it is cannot be relied on. */
  void forget() {
    remote = null;
    confirmed = false;
  }

  /** Whether the peer has said that it knows what is expected of it. */
  void setConfirmed(boolean is) {
    confirmed = is;
  }

  boolean isUp() {
    return remote != null && confirmed && queue.isOpen(peer);
  }

  /** The number that datagrams to the peer bear; 0 if it has not said yet. */
  int remoteConnection() {
    return remote == null ? 0 : remote.connection();
  }

  int connection() {
    return connection;
  }

  @Override
  public long handle() {
    return handle;
  }

  @Override
  public int queue() {
    return remote.queue();
  }

  @Override
  public int key() {
    return remote.key();
  }

  // --- out ---------------------------------------------------------------------------------------

  ByteBuffer claim() {
    if (!isUp() || !window.hasRoom(fragmentsMax) || !queue.hasRoom(peer, fragmentsMax + 1)) {
      return null;
    }
    if (!queue.isFree(requests[next], inline[next])) {
      // It may have gathered with others and not be posted yet.
      queue.flush();
      if (!queue.isFree(requests[next], inline[next])) {
        return null;
      }
    }
    return contents[next];
  }

  boolean isCrowded() {
    int half = (next + contents.length / 2) & (contents.length - 1);
    return window.isHalfFull() || !queue.isFree(requests[half], inline[half]);
  }

  /**
   * Sends the first bytes of the packet that was claimed; it is lost if the peer has gone since.
   */
  void send(int length, long now) {
    if (!isUp()) {
      return;
    }
    int parts = fragments(length, fragmentBytes);
    int contentAt = contentsAt[next];
    boolean signals = (next & (SIGNAL_EVERY - 1)) == SIGNAL_EVERY - 1;
    long request = 0;
    told = returned;
    for (int place = 0; place < parts; place++) {
      // The first header is right before the content, so that a small packet is in one piece.
      int headerAt =
          place == 0
              ? contentAt - DatagramHeader.BYTES
              : contentAt - (place + 1) * DatagramHeader.BYTES;
      int from = place * fragmentBytes;
      int bytes = Math.min(fragmentBytes, length - from);
      DatagramHeader.write(
          memory,
          headerAt,
          DatagramHeader.DATA,
          remote.connection(),
          window.next(now),
          returned,
          self);
      DatagramHeader.writePart(memory, headerAt, place, length);
      boolean whole = place == 0;
      request =
          queue.send(
              this,
              headerAt,
              DatagramHeader.BYTES + (whole ? bytes : 0),
              whole ? 0 : contentAt + from,
              whole ? 0 : bytes,
              signals && place == parts - 1);
    }
    contents[next].clear();
    requests[next] = request;
    inline[next] = parts == 1 && queue.isInline(peer, DatagramHeader.BYTES + length);
    next = (next + 1) & (contents.length - 1);
  }

  /** Says how far memory was given back, if there is room to. */
  void sendCredit(boolean wanted) {
    if (!queue.hasRoom(peer, 1)
        || !queue.isFree(creditRequests[nextCredit], creditInline[nextCredit])) {
      return;
    }
    told = returned;
    answerWanted = false;
    int at = creditsAt + nextCredit * DatagramHeader.BYTES;
    DatagramHeader.write(
        memory,
        at,
        wanted ? DatagramHeader.CREDIT_WANTED : DatagramHeader.CREDIT,
        remote.connection(),
        window.last(),
        returned,
        self);
    boolean inline = queue.isInline(peer, DatagramHeader.BYTES);
    // One that is not taken with its request is to be free again, whatever follows it.
    creditRequests[nextCredit] = queue.send(this, at, DatagramHeader.BYTES, 0, 0, !inline);
    creditInline[nextCredit] = inline;
    nextCredit = (nextCredit + 1) % CREDITS;
  }

  /** Whether the peer should be asked how far it has given memory back. */
  boolean isToBeAsked(long now) {
    return isUp() && window.isToBeAsked(now);
  }

  boolean isSilent(long now) {
    return isUp() && (window.isSilent(now) || queue.isSilent(peer, now));
  }

  // --- in ----------------------------------------------------------------------------------------

  /** Memory of all that was taken is the device's again. */
  void onGivenBack() {
    returned = seen;
  }

  /** Whether the peer should be told how far memory was given back. */
  boolean isToBeTold() {
    return isUp()
        && ((answerWanted && returned == seen)
            || returned - told >= tellEvery
            || queue.isToSpeak(peer));
  }

  /** A datagram that names this peer as its sender. */
  void onMessage(
      int at, int bytes, int source, ByteBuffer content, PacketHandler handler, long now) {
    if (remote == null
        || !queue.isOf(this, source)
        || DatagramHeader.connection(memory, at) != connection) {
      fenced++;
      return;
    }
    long number = DatagramHeader.number(memory, at);
    seen = Math.max(seen, number);
    window.onReturned(DatagramHeader.returned(memory, at), now);
    int kind = DatagramHeader.kind(memory, at);
    if (kind != DatagramHeader.DATA) {
      answerWanted |= kind == DatagramHeader.CREDIT_WANTED;
      return;
    }
    int length = DatagramHeader.packetBytes(memory, at);
    int place = DatagramHeader.place(memory, at);
    int contentBytes = bytes - DatagramHeader.BYTES;
    if (length < 0 || length > packetBytesMax || contentBytes > length) {
      fenced++;
    } else if (contentBytes == length && place == 0) {
      handler.onPacket(peer, content.clear(), length);
    } else if (assembly.add(
        number, place, length, fragmentBytes, memory, at + DatagramHeader.BYTES, contentBytes)) {
      handler.onPacket(peer, assembly.packet().clear(), length);
    }
  }
}
