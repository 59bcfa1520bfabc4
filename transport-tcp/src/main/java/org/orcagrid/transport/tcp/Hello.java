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
 * @param cluster the grid's name
 * @param from the sender's number; -1 for a client
 * @param to the node that it believes to talk to; -1 if it does not care
 * @param worker the worker, for links between nodes
 * @param incarnation a number that the sender's process has drawn when it began
 * @param shape what all nodes must have in common; ignored for clients
 */
record Hello(
    int version,
    Kind kind,
    String cluster,
    int from,
    int to,
    int worker,
    long incarnation,
    Shape shape) {
  /** The version of the protocol of this program; 2 since packets have checksums. */
  static final int VERSION = 3;

  static final int CLUSTER_LENGTH_MAX = 64;

  /** The most bytes of a greeting, and of an answer. */
  static final int BYTES_MAX = 1024;

  private static final int MAGIC = 0x4F524341;

  /** Who connects. */
  enum Kind {
    /** A worker of another node. */
    NODE(1),
    /** A program that has no copy of its own. */
    CLIENT(2);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    static Kind of(int code) {
      return code == NODE.code ? NODE : code == CLIENT.code ? CLIENT : null;
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
    byte[] name = cluster.getBytes(StandardCharsets.UTF_8);
    out.writeShort(name.length).writeBytes(name);
    out.writeShort(from).writeShort(to).writeShort(worker).writeLong(incarnation);
    out.writeInt(shape.nodes()).writeInt(shape.workers());
    out.writeInt(shape.sessions()).writeInt(shape.packetBytesMax());
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
      String cluster = new String(name, StandardCharsets.UTF_8);
      int from = in.readShort();
      int to = in.readShort();
      int worker = in.readShort();
      long incarnation = in.readLong();
      Shape shape = new Shape(in.readInt(), in.readInt(), in.readInt(), in.readInt());
      return new Hello(version, kind, cluster, from, to, worker, incarnation, shape);
    } catch (IndexOutOfBoundsException e) {
      throw new MalformedException("its greeting is too short");
    }
  }

  /** Why this one, who listens, does not talk to {@code other}; null if it does. */
  String refusal(Hello other) {
    if (other.version != version) {
      return "it speaks version "
          + other.version
          + " of the grid's protocol, and this node version "
          + version
          + "; run the same release on both";
    }
    if (!other.cluster.equals(cluster)) {
      return "it belongs to the grid \""
          + other.cluster
          + "\", and this node to \""
          + cluster
          + "\"";
    }
    if (other.kind != kind) {
      return kind == Kind.NODE
          ? "clients connect to another port: this one is for nodes"
          : "nodes connect to another port: this one is for clients";
    }
    if (kind == Kind.CLIENT) {
      return null;
    }
    if (other.to != from) {
      return "it looks for node " + other.to + " here, and this is node " + from;
    }
    if (other.from < 0 || other.from >= shape.nodes() || other.from == from) {
      return "it says that it is node " + other.from + ", which it cannot be here";
    }
    if (other.worker != worker) {
      return "its worker " + other.worker + " has reached worker " + worker;
    }
    if (!other.shape.equals(shape)) {
      return "it has " + other.shape + ", and this node " + shape + "; start both with the same";
    }
    return null;
  }
}
