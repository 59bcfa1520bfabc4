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
package org.orcagrid.transport.tcp.remote;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.transfer.Progress;

/**
 * What goes over a client's connection: records, each after its length. Integers are little-endian,
 * as in the messages between nodes.
 *
 * <pre>
 * length int   of what follows
 * type   byte
 * number int   that of the client's session, or of its request
 * OPEN, CLOSE, PROGRESS of a client: nothing more; PROGRESS of a node: two int, four long
 * OPENED: the most bytes of a value, int; REFUSED: text
 * REQUEST: kind byte, delta long, key, value, expected
 * RESPONSE: outcome byte, result
 * ATTACH, ATTACHED, RECEIVED, PING, LEAVE: token long, position long; FORGOTTEN: text
 * those of maps: {@link MapWire}
 * a content: length int, -1 for none, and its bytes
 * </pre>
 *
 * <p>Those that are about the connection (ATTACH to LEAVE, and PING) are beside the {@link
 * RecordStream}, which counts all others.
 */
enum ClientRecord {
  /** The client wants a session. */
  OPEN(1),
  /** The client is done with a session. */
  CLOSE(2),
  /** An operation. */
  REQUEST(3),
  /** The client has its session. */
  OPENED(4),
  /** It has not, and why. */
  REFUSED(5),
  /** The end of an operation; in the order of the requests. */
  RESPONSE(6),
  /** The sender is still there, and has got so much; a node answers with the same. */
  PING(7),
  /** The client wants a map; the number is the request's, as in all that follows. */
  DEFINE_MAP(8),
  /** The client wants a map to be removed. */
  REMOVE_MAP(9),
  /** The client asks whether a map is served, and how it came back. */
  ASK_MAP(10),
  /** An operation of a map. */
  OPERATE(11),
  /** The client is done with the session of a map that has this number. */
  CLOSE_MAP_SESSION(12),
  /** The client wants to be told of what becomes visible in a map. */
  WATCH(13),
  /** It does not any more. */
  UNWATCH(14),
  /** The map that was wanted. */
  DEFINED(15),
  /** What was asked of a map. */
  MAP_STATE(16),
  /** A version that a read of several keys has found. */
  FOUND(17),
  /** The end of an operation of a map. */
  OPERATED(18),
  /** The end of what has no result. */
  DONE(19),
  /** A request on maps has failed, and why. */
  FAILED(20),
  /** A change that has become visible. */
  SHOWN(21),
  /** Nothing more becomes visible. */
  WATCH_ENDED(22),
  /** The client wants to know how far the node is with catching up; and the answer. */
  PROGRESS(23),
  /** The client is there, for the first time or again, and has got so much. */
  ATTACH(24),
  /** The node knows the client by this token, and has got so much. */
  ATTACHED(25),
  /** The node does not know the client any more, and why. */
  FORGOTTEN(26),
  /** The sender has got so much. */
  RECEIVED(27),
  /** The client will not come back. */
  LEAVE(28),
  /** The client wants to know which maps there are: one DEFINED for each, and DONE. */
  LIST_MAPS(29),
  /** The client wants to know what the node says of itself and of the grid. */
  ASK_NODE(30),
  /** That, as text. */
  NODE_STATE(31);

  private static final int TEXT_BYTES_MAX = 1024;

  static final int HEADER_BYTES = Integer.BYTES + 1 + Integer.BYTES;

  private static final ClientRecord[] ALL = values();

  private final int code;

  ClientRecord(int code) {
    this.code = code;
  }

  /** A record that the other side cannot have meant. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  /** The most bytes of a record where values have at most so many. */
  static int bytesMax(int valueBytesMax) {
    return TEXT_BYTES_MAX
        + ReplicaStore.KEY_BYTES_MAX
        + 2 * Math.max(valueBytesMax, MapWire.VALUE_BYTES_MAX);
  }

  // --- writing -----------------------------------------------------------------------------------

  /** Writes a record without a content. */
  void write(ByteBuf out, int session) {
    out.writeIntLE(HEADER_BYTES - Integer.BYTES).writeByte(code).writeIntLE(session);
  }

  static void writeOpened(ByteBuf out, int session, int valueBytesMax) {
    int at = begin(out, OPENED, session);
    out.writeIntLE(valueBytesMax);
    end(out, at);
  }

  static void writeRefusal(ByteBuf out, int session, String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    int at = begin(out, REFUSED, session);
    out.writeBytes(text, 0, Math.min(text.length, TEXT_BYTES_MAX));
    end(out, at);
  }

  /** Writes a record that is beside the stream. */
  static void writePosition(ByteBuf out, ClientRecord type, long token, long position) {
    int at = begin(out, type, 0);
    out.writeLongLE(token).writeLongLE(position);
    end(out, at);
  }

  /** Reads how much has come, of a record whose token nobody needs. */
  static long readPosition(ByteBuf in) {
    in.skipBytes(Long.BYTES);
    return in.readLongLE();
  }

  static void writeForgotten(ByteBuf out, String reason) {
    int at = begin(out, FORGOTTEN, 0);
    out.writeCharSequence(reason, StandardCharsets.UTF_8);
    end(out, at);
  }

  static void writeProgress(ByteBuf out, int session, Progress now) {
    int at = begin(out, PROGRESS, session);
    out.writeIntLE(now.parts()).writeIntLE(now.whole()).writeLongLE(now.pages());
    out.writeLongLE(now.entries()).writeLongLE(now.bytes()).writeLongLE(now.entriesMax());
    end(out, at);
  }

  static void writeRequest(ByteBuf out, int session, Request request) {
    int at = begin(out, REQUEST, session);
    out.writeByte(request.kind().code()).writeLongLE(request.delta());
    writeContent(out, request.key());
    writeContent(out, request.kind().writes() ? request.value() : null);
    writeContent(out, request.kind().compares() ? request.expected() : null);
    end(out, at);
  }

  static void writeResponse(ByteBuf out, int session, Outcome outcome, Bytes result) {
    int at = begin(out, RESPONSE, session);
    out.writeByte(outcome.code());
    writeContent(out, result);
    end(out, at);
  }

  static int begin(ByteBuf out, ClientRecord type, int session) {
    int at = out.writerIndex();
    out.writeIntLE(0).writeByte(type.code).writeIntLE(session);
    return at;
  }

  static void end(ByteBuf out, int at) {
    out.setIntLE(at, out.writerIndex() - at - Integer.BYTES);
  }

  private static void writeContent(ByteBuf out, Bytes content) {
    int length = content == null ? -1 : content.length();
    out.writeIntLE(length);
    if (length > 0) {
      out.ensureWritable(length);
      content.buffer().limit(length).position(0);
      out.writeBytes(content.buffer());
      content.buffer().clear();
    }
  }

  // --- reading -----------------------------------------------------------------------------------

  /** The type of the record that begins here; reads it. */
  static ClientRecord readType(ByteBuf in) throws MalformedException {
    int code = in.readUnsignedByte();
    if (code < 1 || code > ALL.length) {
      throw new MalformedException("a record of the unknown type " + code);
    }
    return ALL[code - 1];
  }

  static Progress readProgress(ByteBuf in) {
    return new Progress(
        in.readIntLE(),
        in.readIntLE(),
        in.readLongLE(),
        in.readLongLE(),
        in.readLongLE(),
        in.readLongLE());
  }

  static void readRequest(ByteBuf in, Request request, int keyBytesMax, int valueBytesMax)
      throws MalformedException {
    OperationKind kind = OperationKind.of(in.readUnsignedByte());
    if (kind == null) {
      throw new MalformedException("an operation of an unknown kind");
    }
    request.kind(kind);
    request.delta(in.readLongLE());
    readContent(in, request.key(), keyBytesMax);
    if (request.key().length() < 0) {
      throw new MalformedException("an operation without a key");
    }
    readContent(in, request.value(), valueBytesMax);
    readContent(in, request.expected(), valueBytesMax);
  }

  static void readResponse(ByteBuf in, Request request, int valueBytesMax)
      throws MalformedException {
    Outcome outcome = Outcome.of(in.readUnsignedByte());
    if (outcome == null) {
      throw new MalformedException("an unknown outcome");
    }
    readContent(in, request.result(), valueBytesMax);
    request.outcome(outcome);
  }

  private static void readContent(ByteBuf in, Bytes into, int bytesMax) throws MalformedException {
    int length = in.readIntLE();
    if (length < -1 || length > bytesMax) {
      throw new MalformedException(
          "a content of " + length + " bytes, where " + bytesMax + " are the most");
    }
    if (length > 0) {
      into.room(length).limit(length).position(0);
      in.readBytes(into.buffer());
      into.buffer().clear();
    }
    into.length(length);
  }
}
