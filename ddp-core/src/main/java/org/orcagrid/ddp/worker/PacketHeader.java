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
package org.orcagrid.ddp.worker;

import java.nio.ByteBuffer;
import org.orcagrid.ddp.transport.MalformedPacketException;

/**
 * What every packet between nodes begins with: the version of all formats behind it, in its first
 * byte, and the part of the node that it is for, in its second. The others are 0: what follows is
 * aligned.
 */
public final class PacketHeader {
  /** The version of what nodes say to each other; there is no other number for any part of it. */
  public static final int VERSION = 1;

  /** How long it is. */
  public static final int BYTES = Long.BYTES;

  /** The part that has keys: messages of Kite, or of a protocol that it is compared with. */
  public static final int KEYS = 1;

  /** The part that has maps: frames of their packets, and beats. */
  public static final int MAPS = 2;

  /** The part that has partitions: frames of their logs and of what they forward. */
  public static final int PARTITIONS = 3;

  private PacketHeader() {}

  /** Writes it at the beginning of a little-endian packet. */
  static void put(ByteBuffer packet, int part) {
    packet.putLong(0, part << Byte.SIZE | VERSION);
  }

  /**
   * The part that a packet is for.
   *
   * @throws MalformedPacketException if it is too short, or of another version
   */
  static int part(ByteBuffer packet, int length) {
    if (length < BYTES) {
      throw new MalformedPacketException(length + " bytes are too few for a packet");
    }
    long header = packet.getLong(0);
    int version = (int) header & 0xFF;
    if (version != VERSION) {
      throw new MalformedPacketException(
          "It has version " + version + ", not " + VERSION + "; use one release at all nodes");
    }
    long part = header >>> Byte.SIZE;
    if (part < KEYS || part > PARTITIONS) {
      throw new MalformedPacketException("It is for part " + part + ", which no node has");
    }
    return (int) part;
  }
}
