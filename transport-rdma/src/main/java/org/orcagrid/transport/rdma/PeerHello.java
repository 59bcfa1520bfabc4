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
import org.orcagrid.ddp.transport.MalformedPacketException;

/**
 * What two workers tell each other over TCP before they talk over RDMA.
 *
 * @param place where the sender is found
 * @param key what it must be sent with
 * @param gid the address of its port
 * @param lid its number in an InfiniBand subnet
 * @param mtuBytes bytes of a datagram that it can take
 * @param datagrams that it has memory for, for this peer
 * @param packetBytesMax bytes of a packet that it can put together
 * @param connection the number that datagrams to it must bear; drawn anew when it has forgotten, or
 *     wants to forget, what came before
 * @param heard the number that it has heard from whom it talks to; 0 if none
 */
record PeerHello(
    Place place,
    int key,
    Gid gid,
    int lid,
    int mtuBytes,
    int datagrams,
    int packetBytesMax,
    int connection,
    int heard) {
  /** Bytes of it. */
  static final int BYTES = 64;

  private static final int MAGIC = 0x4F524431;
  private static final int VERSION = 3;

  /**
   * Where a worker is found.
   *
   * @param isConnected whether over a connection, for want of datagrams
   * @param number of its queue pair, or of the port that it takes connections at
   * @param ipv4 the address that it takes them at
   */
  record Place(boolean isConnected, int number, int ipv4) {
    String messages() {
      return isConnected ? "reliable connections" : "datagrams";
    }
  }

  /** In words. */
  String address() {
    int ip = place.ipv4();
    return place.isConnected()
        ? "%d.%d.%d.%d".formatted(ip >>> 24, ip >>> 16 & 255, ip >>> 8 & 255, ip & 255)
        : gid.toString();
  }

  /** The queue pair that datagrams go to. */
  int queue() {
    return place.number();
  }

  void write(ByteBuffer out) {
    out.clear();
    out.putInt(MAGIC).putInt(VERSION).putInt(place.number()).putInt(key);
    gid.write(out);
    out.putInt(lid).putInt(mtuBytes).putInt(datagrams).putInt(packetBytesMax);
    out.putInt(connection).putInt(heard);
    out.putInt(place.isConnected() ? 1 : 0).putInt(place.ipv4());
  }

  static PeerHello read(ByteBuffer in, int length) {
    if (length != BYTES || in.getInt(0) != MAGIC) {
      throw new MalformedPacketException("What came over TCP is no greeting for RDMA");
    }
    if (in.getInt(Integer.BYTES) != VERSION) {
      throw new MalformedPacketException(
          "It speaks version "
              + in.getInt(Integer.BYTES)
              + " of the grid's protocol over RDMA, and this node version "
              + VERSION
              + "; run the same release on both");
    }
    ByteBuffer rest = in.duplicate().order(in.order()).clear();
    rest.position(2 * Integer.BYTES);
    int number = rest.getInt();
    PeerHello hello =
        new PeerHello(
            new Place(false, number, 0),
            rest.getInt(),
            Gid.read(rest),
            rest.getInt(),
            rest.getInt(),
            rest.getInt(),
            rest.getInt(),
            rest.getInt(),
            rest.getInt());
    boolean isConnected = rest.getInt() != 0;
    return hello.at(new Place(isConnected, number, rest.getInt()));
  }

  private PeerHello at(Place other) {
    return new PeerHello(
        other, key, gid, lid, mtuBytes, datagrams, packetBytesMax, connection, heard);
  }

  /** Why there can be no link to whom has said this; null if there can. */
  String objection(Place own, int ownPacketBytesMax, int fragmentsMax) {
    if (place.isConnected() != own.isConnected()) {
      return "it takes "
          + place.messages()
          + ", and this node "
          + own.messages()
          + "; let both wish for rdma-connections";
    }
    if (packetBytesMax != ownPacketBytesMax) {
      return "it has packets of "
          + packetBytesMax
          + " bytes, and this node of "
          + ownPacketBytesMax
          + "; start both with the same";
    }
    if (mtuBytes < RdmaDevice.MTU_BYTES_MIN || datagrams < fragmentsMax || connection == 0) {
      return "it can take "
          + datagrams
          + " datagrams of "
          + mtuBytes
          + " bytes, which is too little for a packet";
    }
    return null;
  }
}
