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
package org.orcagrid.ddp.replica.state;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.transport.MalformedPacketException;

/**
 * How keys, versions and updates are written, on the wire and on media alike: little-endian,
 * lengths before bytes. Whatever is read is checked before it is believed.
 */
public final class Encoding {
  private static final int NO_VALUE = -1;
  private static final int PLAIN = 0;
  private static final int CONDITIONAL = 1;
  private static final int WRITE_BYTES_MIN = Short.BYTES + Long.BYTES + 1 + Integer.BYTES;

  private Encoding() {}

  /** How many bytes a version has. */
  public static int bytes(Write write) {
    return bytes(write.key(), write.value());
  }

  /** How many bytes a version of a key with a value has. */
  public static int bytes(Key key, byte[] value) {
    int ofValue = value == null ? 0 : value.length;
    return Short.BYTES + key.length() + Long.BYTES + 1 + Integer.BYTES + ofValue;
  }

  /** The same versions in their order, in lists of so many bytes, or of one version. */
  public static List<List<Write>> split(List<Write> writes, int bytesMax) {
    return split(writes, bytesMax, (last, next) -> true);
  }

  /**
   * The same of versions in the order of their clocks, those of one clock in one list: they were
   * written together, so that no list is larger than what a node may write at once.
   */
  public static List<List<Write>> splitBetweenClocks(List<Write> writes, int bytesMax) {
    List<List<Write>> groups = split(writes, 0, (last, next) -> last.clock() != next.clock());
    List<List<Write>> parts = new ArrayList<>();
    List<Write> part = new ArrayList<>();
    for (List<Write> group : groups) {
      if (!part.isEmpty() && bytes(part) + bytes(group) > bytesMax) {
        parts.add(List.copyOf(part));
        part.clear();
      }
      part.addAll(group);
    }
    if (!part.isEmpty()) {
      parts.add(List.copyOf(part));
    }
    return parts;
  }

  private static List<List<Write>> split(
      List<Write> writes, int bytesMax, BiPredicate<Write, Write> mayDivide) {
    List<List<Write>> parts = new ArrayList<>();
    List<Write> part = new ArrayList<>();
    int bytes = 0;
    for (Write write : writes) {
      int more = bytes(write);
      boolean divides = !part.isEmpty() && mayDivide.test(part.get(part.size() - 1), write);
      if (divides && bytes + more > bytesMax) {
        parts.add(List.copyOf(part));
        part.clear();
        bytes = 0;
      }
      part.add(write);
      bytes += more;
    }
    if (!part.isEmpty()) {
      parts.add(List.copyOf(part));
    }
    return parts;
  }

  /** How many bytes these versions have together. */
  public static int bytes(List<Write> writes) {
    int bytes = Integer.BYTES;
    for (Write write : writes) {
      bytes += bytes(write);
    }
    return bytes;
  }

  /** Writes a key. */
  public static void putKey(ByteBuffer out, Key key) {
    out.putShort((short) key.length());
    key.copyTo(out);
  }

  /** Reads a key. */
  public static Key getKey(ByteBuffer in) {
    int length = count(in, getShort(in), 1);
    if (length > Key.BYTES_MAX) {
      throw new MalformedPacketException("A key has " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return Key.ofOwn(bytes);
  }

  /** Writes a version. */
  public static void put(ByteBuffer out, Write write) {
    putKey(out, write.key());
    out.putLong(write.clock()).put((byte) (write.isConditional() ? CONDITIONAL : PLAIN));
    if (write.value() == null) {
      out.putInt(NO_VALUE);
    } else {
      out.putInt(write.value().length).put(write.value());
    }
  }

  /** Reads a version. */
  public static Write getWrite(ByteBuffer in) {
    Key key = getKey(in);
    long clock = getLong(in);
    int kind = getByte(in);
    if (kind != PLAIN && kind != CONDITIONAL) {
      throw new MalformedPacketException("There is no kind " + kind + " of versions");
    }
    byte[] value = getValue(in);
    return kind == PLAIN ? new Write(key, clock, value) : Write.conditional(key, clock, value);
  }

  private static byte[] getValue(ByteBuffer in) {
    int length = getInt(in);
    if (length == NO_VALUE) {
      return null;
    }
    byte[] value = new byte[count(in, length, 1)];
    in.get(value);
    return value;
  }

  /** Writes versions and how many they are. */
  public static void put(ByteBuffer out, List<Write> writes) {
    out.putInt(writes.size());
    for (Write write : writes) {
      put(out, write);
    }
  }

  /** Reads versions. */
  public static List<Write> getWrites(ByteBuffer in) {
    int size = count(in, getInt(in), WRITE_BYTES_MIN);
    List<Write> writes = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      writes.add(getWrite(in));
    }
    return List.copyOf(writes);
  }

  /** Writes a number for each node: those that are not 0, as most places may have no node. */
  public static void put(ByteBuffer out, long[] values) {
    int some = 0;
    for (int node = 0; node < values.length; node++) {
      some |= values[node] != 0 ? Quorum.of(node) : 0;
    }
    out.put((byte) values.length).putShort((short) some);
    for (int left = some; left != 0; left &= left - 1) {
      out.putLong(values[Integer.numberOfTrailingZeros(left)]);
    }
  }

  /** How many bytes {@link #put(ByteBuffer, long[])} takes. */
  public static int bytes(long[] values) {
    int bytes = Byte.BYTES + Short.BYTES;
    for (long value : values) {
      bytes += value != 0 ? Long.BYTES : 0;
    }
    return bytes;
  }

  /** Reads a number for each node. */
  public static long[] getLongs(ByteBuffer in) {
    int nodes = getByte(in);
    int some = getShort(in) & 0xffff;
    if (nodes < 0 || nodes > Writer.NODES_MAX || (some & ~Quorum.all(nodes)) != 0) {
      throw new MalformedPacketException("No grid has numbers of " + nodes + " nodes: " + some);
    }
    count(in, Integer.bitCount(some), Long.BYTES);
    long[] values = new long[nodes];
    for (int left = some; left != 0; left &= left - 1) {
      values[Integer.numberOfTrailingZeros(left)] = in.getLong();
    }
    return values;
  }

  /** Reads a byte. */
  public static int getByte(ByteBuffer in) {
    return require(in, Byte.BYTES).get();
  }

  /** Reads two bytes. */
  public static int getShort(ByteBuffer in) {
    return require(in, Short.BYTES).getShort();
  }

  /** Reads four bytes. */
  public static int getInt(ByteBuffer in) {
    return require(in, Integer.BYTES).getInt();
  }

  /** Reads eight bytes. */
  public static long getLong(ByteBuffer in) {
    return require(in, Long.BYTES).getLong();
  }

  private static ByteBuffer require(ByteBuffer in, int bytes) {
    if (in.remaining() < bytes) {
      throw new MalformedPacketException(
          bytes + " bytes are needed, and " + in.remaining() + " are left");
    }
    return in;
  }

  /** So many things of at least so many bytes each: no more than there can be. */
  public static int count(ByteBuffer in, int count, int bytesOfEach) {
    if (count < 0 || count > in.remaining() / bytesOfEach) {
      throw new MalformedPacketException(
          count + " times at least " + bytesOfEach + " bytes in " + in.remaining());
    }
    return count;
  }
}
