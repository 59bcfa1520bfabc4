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
package org.orcagrid.transport.tcp;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * What whoever connects says first. All that two nodes must have in common is in it, so that they
 * refuse each other instead of misunderstanding each other.
 *
 * @param version of the protocol that the sender speaks
 * @param kind who the sender is
 * @param gridName the grid's name
 * @param from the sender's number; -1 for a client
 * @param to the node that it believes to talk to; -1 if it does not care
 * @param worker the worker, for links between nodes
 * @param grid tells the sender's grid from others of the same name; 0 of a client
 * @param shape what the links of all nodes must have in common; ignored for others
 */
record Hello(
    int version, Kind kind, String gridName, int from, int to, int worker, long grid, Shape shape) {
  /**
   * The version of the protocol of this program; 6 since packets of maps say whether operations
   * wait.
   */
  static final int VERSION = 6;

  static final int NAME_LENGTH_MAX = 64;

  /** The most bytes of a greeting, and of an answer. */
  static final int BYTES_MAX = 1024;

  /** Why nodes of two grids do not talk. */
  static final String ANOTHER_GRID =
      "it is of another grid of the same name, or of an earlier one at this address; give one of"
          + " them another grid.name, or look where grid.address of its nodes lead";

  private static final int MAGIC = 0x4F524341;

  /** Who connects. */
  enum Kind {
    /** A worker of another node. */
    NODE(1),
    /** A program that has no copy of its own. */
    CLIENT(2),
    /** A node that uses maps which it does not have, as a client does. */
    FORWARDER(3);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    static Kind of(int code) {
      return switch (code) {
        case 1 -> NODE;
        case 2 -> CLIENT;
        case 3 -> FORWARDER;
        default -> null;
      };
    }

    /** Whether it has to prove that it belongs to the grid. */
    boolean isOfGrid() {
      return this != CLIENT;
    }
  }

  /** What all nodes of a grid must have in common. */
  record Shape(int nodes, int workers, int sessions, int packetBytesMax) {
    @Override
    public String toString() {
      return nodes
          + " nodes, "
          + workers
          + " workers, "
          + sessions
          + " sessions each, packets of "
          + packetBytesMax
          + " bytes";
    }
  }

  /** A greeting that makes no sense. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  void write(ByteBuf out) {
    out.writeInt(MAGIC).writeShort(version).writeByte(kind.code);
    byte[] name = gridName.getBytes(StandardCharsets.UTF_8);
    out.writeShort(name.length).writeBytes(name);
    out.writeShort(from).writeShort(to).writeShort(worker).writeLong(grid);
    out.writeInt(shape.nodes()).writeInt(shape.workers());
    out.writeInt(shape.sessions()).writeInt(shape.packetBytesMax());
  }

  /** Writes what follows a greeting: whether its sender proves a secret, with which number. */
  static void writeProves(ByteBuf out, byte[] nonce) {
    out.writeBoolean(nonce != null);
    if (nonce != null) {
      out.writeBytes(nonce);
    }
  }

  /** Reads what follows a greeting; the number itself is of use as part of the whole only. */
  static boolean readProves(ByteBuf in) throws MalformedException {
    if (!in.isReadable()) {
      throw new MalformedException("its greeting is too short");
    }
    boolean proves = in.readBoolean();
    if (in.readableBytes() != (proves ? GridSecret.NONCE_BYTES : 0)) {
      throw new MalformedException("its greeting is too short or too long");
    }
    return proves;
  }

  /** Why nobody here talks to one of that version; null if it is this one's. */
  String versionRefusal() {
    return version == VERSION
        ? null
        : "it speaks version "
            + version
            + " of the grid's protocol, and this node version "
            + VERSION
            + "; run the same release on both";
  }

  /** Reads a whole greeting. Of another version only that much is read. */
  static Hello read(ByteBuf in) throws MalformedException {
    try {
      if (in.readInt() != MAGIC) {
        throw new MalformedException("what connects is no node or client of Orca Grid");
      }
      int version = in.readUnsignedShort();
      Shape none = new Shape(0, 0, 0, 0);
      if (version != VERSION) {
        return new Hello(version, Kind.NODE, "", -1, -1, 0, 0, none);
      }
      Kind kind = Kind.of(in.readUnsignedByte());
      if (kind == null) {
        throw new MalformedException("it says that it is neither a node nor a client");
      }
      byte[] name = new byte[Math.min(in.readUnsignedShort(), in.readableBytes())];
      in.readBytes(name);
      String gridName = new String(name, StandardCharsets.UTF_8);
      if (gridName.length() > NAME_LENGTH_MAX) {
        throw new MalformedException(
            "the name of its grid is longer than " + NAME_LENGTH_MAX + " characters");
      }
      int from = in.readShort();
      int to = in.readShort();
      int worker = in.readShort();
      long grid = in.readLong();
      Shape shape = new Shape(in.readInt(), in.readInt(), in.readInt(), in.readInt());
      return new Hello(version, kind, gridName, from, to, worker, grid, shape);
    } catch (IndexOutOfBoundsException e) {
      throw new MalformedException("its greeting is too short");
    }
  }

  /** Why a node does not take what this one, which forwards, has for it; null if it does. */
  String forwarderRefusal(int place, long ofGrid) {
    if (grid != ofGrid) {
      return ANOTHER_GRID;
    }
    return to == place ? null : "it looks for node " + to + " here, and this is node " + place;
  }

  /** Why this node does not talk to {@code other}, another one of its grid; null if it does. */
  String refusal(Hello other) {
    if (other.grid != grid) {
      return ANOTHER_GRID;
    }
    if (other.to != from) {
      return "it looks for node " + other.to + " here, and this is node " + from;
    }
    if (other.from < 0 || other.from >= shape.nodes() || other.from == from) {
      return "it says that it is node " + other.from + ", which it cannot be here";
    }
    if (!other.shape.equals(shape)) {
      return "it has " + other.shape + ", and this node " + shape + "; start both with the same";
    }
    // The one behind the last is beside the workers.
    if (other.worker < 0 || other.worker > shape.workers()) {
      return "it looks for worker " + other.worker + ", and this node has " + shape.workers();
    }
    return null;
  }
}
