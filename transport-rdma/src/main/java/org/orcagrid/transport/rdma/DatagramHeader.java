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

/**
 * What every datagram begins with, little-endian: kind and version, the receiver's connection
 * number, number of the datagram, number up to which the sender has given memory back, sender,
 * place in the packet, bytes of the packet.
 *
 * <p>Numbers are counts since the connection began, so that one that is lost is made good by the
 * next: whatever is not above the highest that has come has used up its memory, or never will.
 */
final class DatagramHeader {
  static final int BYTES = 32;

  private static final int KIND = 0x4F52_0100;
  private static final int CONNECTION_AT = 4;
  private static final int NUMBER_AT = 8;
  private static final int RETURNED_AT = 16;
  private static final int FROM_AT = 24;
  private static final int PLACE_AT = 26;
  private static final int PACKET_BYTES_AT = 28;

  /** Part of a packet, or all of it. */
  static final int DATA = KIND | 1;

  /** Says how far memory was given back; its own number is that of the last part of a packet. */
  static final int CREDIT = KIND | 2;

  /** The same, and wants to hear it from the other side. */
  static final int CREDIT_WANTED = KIND | 3;

  private DatagramHeader() {}

  static void write(
      ByteBuffer memory, int at, int kind, int connection, long number, long returned, int from) {
    memory
        .putInt(at, kind)
        .putInt(at + CONNECTION_AT, connection)
        .putLong(at + NUMBER_AT, number)
        .putLong(at + RETURNED_AT, returned)
        .putShort(at + FROM_AT, (short) from)
        .putShort(at + PLACE_AT, (short) 0)
        .putInt(at + PACKET_BYTES_AT, 0);
  }

  static void writePart(ByteBuffer memory, int at, int place, int packetBytes) {
    memory.putShort(at + PLACE_AT, (short) place).putInt(at + PACKET_BYTES_AT, packetBytes);
  }

  static int kind(ByteBuffer memory, int at) {
    return memory.getInt(at);
  }

  static int connection(ByteBuffer memory, int at) {
    return memory.getInt(at + CONNECTION_AT);
  }

  static long number(ByteBuffer memory, int at) {
    return memory.getLong(at + NUMBER_AT);
  }

  static long returned(ByteBuffer memory, int at) {
    return memory.getLong(at + RETURNED_AT);
  }

  static int from(ByteBuffer memory, int at) {
    return memory.getShort(at + FROM_AT);
  }

  static int place(ByteBuffer memory, int at) {
    return memory.getShort(at + PLACE_AT) & 0xffff;
  }

  static int packetBytes(ByteBuffer memory, int at) {
    return memory.getInt(at + PACKET_BYTES_AT);
  }
}
