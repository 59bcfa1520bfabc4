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
package org.orcagrid.ddp.wire;

import java.nio.ByteBuffer;
import org.orcagrid.ddp.Timestamp;

/**
 * A message in the buffer that holds its packet: a header of fixed layout, the key, the value. One
 * object is wrapped round message after message; it holds no memory and allocates none.
 *
 * <p>Those of Paxos and of a transfer have a longer header than the others. What a field does not
 * mean in a type of message is zero.
 */
public final class Message {
  /** The round is part of an acquire: tell the sender if it is delinquent, and note its id. */
  public static final int ACQUIRE = 1;

  /** The node that this message goes to is delinquent. */
  public static final int DELINQUENT = 1 << 1;

  /** The asker wants the timestamp, not the value. */
  public static final int CLOCK_ONLY = 1 << 2;

  /** The sender has no room for the key or the value: this is no acknowledgement. */
  public static final int FULL = 1 << 3;

  /** A key is not to be marked any more, or is not. */
  public static final int UNMARK = 1 << 4;

  /** A key cannot be marked now. */
  public static final int REFUSED = 1 << 5;

  /** The length of a value that is not there. */
  public static final int NO_VALUE = -1;

  /** The highest {@link #count()}. */
  public static final int COUNT_MAX = 0xFFFF;

  /** Bytes of the header of most messages. */
  public static final int HEADER_BYTES = 40;

  /** Bytes of the header of those of Paxos. */
  public static final int PAXOS_HEADER_BYTES = 88;

  private static final int TYPE = 0;
  private static final int FLAGS = 1;
  private static final int SESSION = 2;
  private static final int KEY_LENGTH = 4;
  private static final int COUNT = 6;
  private static final int VALUE_LENGTH = 8;
  private static final int VIEW = 12;
  private static final int ID = 16;
  private static final int CLOCK = 24;
  private static final int RMW = 32;
  private static final int LOG = 40;
  private static final int BALLOT = 48;
  private static final int COMMAND_ID = 56;
  private static final int ACCEPTED_BALLOT = 64;
  private static final int LAST_LOG = 72;
  private static final int COMMAND_SESSION = 80;
  private static final int VERDICT = 84;

  /** A proposal has no verdict. */
  private static final int ROOM = VERDICT;

  private ByteBuffer buffer;
  private int at;
  private int header;

  /** The buffer that the message is in. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /** Where in the buffer it begins. */
  public int offset() {
    return at;
  }

  /** Turns to the message at {@code offset}, which may not be written yet. */
  public Message wrap(ByteBuffer in, int offset) {
    this.buffer = in;
    this.at = offset;
    return this;
  }

  /** Begins a message of a type: everything in its header is zero and it has no value. */
  public Message begin(MessageType type, int headerBytes) {
    for (int i = 0; i < headerBytes; i += Long.BYTES) {
      buffer.putLong(at + i, 0);
    }
    header = headerBytes;
    buffer.put(at + TYPE, (byte) type.code());
    buffer.putInt(at + VALUE_LENGTH, NO_VALUE);
    return this;
  }

  /** The length of the header of a type of message. */
  public static int headerBytes(MessageType type) {
    return switch (type) {
      case PROPOSE, PROPOSE_REPLY, ACCEPT, ACCEPT_REPLY, COMMIT, WITHDRAW -> PAXOS_HEADER_BYTES;
      case STATE_VERSION, STATE_ACCEPTED, STATE_COMMAND, STATE_END -> PAXOS_HEADER_BYTES;
      case PURGE_MARK -> PAXOS_HEADER_BYTES;
      default -> HEADER_BYTES;
    };
  }

  /** Bytes of a message with such a header, key and value, rounded up to 8. */
  public static int bytes(int headerBytes, int keyLength, int valueLength) {
    return (headerBytes + keyLength + Math.max(0, valueLength) + 7) & -8;
  }

  /** What this message is; null if this version knows no such type. */
  public MessageType type() {
    return MessageType.of(buffer.get(at + TYPE) & 0xFF);
  }

  /** Where the key begins. */
  public int keyAt() {
    return at + header;
  }

  /** Where the value begins. */
  public int valueAt() {
    return keyAt() + keyLength();
  }

  /** Bytes of the whole message. */
  public int bytes() {
    return bytes(header, keyLength(), valueLength());
  }

  /**
   * Whether this is a whole message of a known type that ends before {@code end}: to be asked
   * before anything else of what came from outside.
   */
  public boolean isWhole(int end) {
    if (at + HEADER_BYTES > end) {
      return false;
    }
    MessageType type = type();
    if (type == null || at + headerBytes(type) > end) {
      return false;
    }
    header = headerBytes(type);
    int valueLength = valueLength();
    return valueLength >= NO_VALUE && valueLength <= end && at + bytes() <= end;
  }

  /** For traces. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(type()).append(" id=").append(id()).append(" session=").append(session());
    text.append(" clock=")
        .append(new Timestamp(clock(), rmw()))
        .append(" flags=")
        .append(flags())
        .append(" count=");
    text.append(count());
    if (header == PAXOS_HEADER_BYTES) {
      text.append(" verdict=").append(verdict());
      text.append(" log=").append(log()).append(" ballot=").append(Long.toHexString(ballot()));
      text.append(" command=").append(commandSession()).append('/').append(commandId());
      text.append(" last=").append(lastLog());
    }
    if (keyLength() == Long.BYTES) {
      text.append(" key=").append(buffer.getLong(keyAt()));
    }
    if (valueLength() == Long.BYTES) {
      text.append(" value=").append(buffer.getLong(valueAt()));
    }
    return text.toString();
  }

  /** Whether a flag is set. */
  public boolean has(int flag) {
    return (flags() & flag) != 0;
  }

  /**
   * {@link #ACQUIRE}, {@link #DELINQUENT}, {@link #CLOCK_ONLY}, {@link #FULL}, {@link #UNMARK},
   * {@link #REFUSED}.
   */
  public int flags() {
    return buffer.get(at + FLAGS) & 0xFF;
  }

  /** Sets {@link #flags()}. */
  public Message flags(int flags) {
    buffer.put(at + FLAGS, (byte) flags);
    return this;
  }

  /** The slot of the session, in its worker, whose round this is part of. */
  public int session() {
    return buffer.getShort(at + SESSION) & 0xFFFF;
  }

  /** Sets {@link #session()}. */
  public Message session(int session) {
    buffer.putShort(at + SESSION, (short) session);
    return this;
  }

  /** Bytes of the key, which follows the header. */
  public int keyLength() {
    return buffer.getShort(at + KEY_LENGTH) & 0xFFFF;
  }

  /** Sets {@link #keyLength()}. */
  public Message keyLength(int keyLength) {
    buffer.putShort(at + KEY_LENGTH, (short) keyLength);
    return this;
  }

  /** The number of the view that the sender was in. */
  public int view() {
    return buffer.getInt(at + VIEW);
  }

  /** Sets {@link #view()}. */
  public Message view(int view) {
    buffer.putInt(at + VIEW, view);
    return this;
  }

  /** An acceptor's verdict. */
  public int verdict() {
    return buffer.getInt(at + VERDICT);
  }

  /** Sets {@link #verdict()}. */
  public Message verdict(int verdict) {
    buffer.putInt(at + VERDICT, verdict);
    return this;
  }

  /** Bytes that the command of a proposal needs. */
  public int room() {
    return buffer.getInt(at + ROOM);
  }

  /** Sets {@link #room()}. */
  public Message room(int bytes) {
    buffer.putInt(at + ROOM, bytes);
    return this;
  }

  /** Bytes of the value, which follows the key; -1 for none. */
  public int valueLength() {
    return buffer.getInt(at + VALUE_LENGTH);
  }

  /** Sets {@link #valueLength()}. */
  public Message valueLength(int valueLength) {
    buffer.putInt(at + VALUE_LENGTH, valueLength);
    return this;
  }

  /**
   * How many writes in a run; a set of nodes in a slow-release; what a message of another protocol
   * is. At most {@link #COUNT_MAX}.
   */
  public int count() {
    return buffer.getShort(at + COUNT) & COUNT_MAX;
  }

  /** Sets {@link #count()}. */
  public Message count(int count) {
    buffer.putShort(at + COUNT, (short) count);
    return this;
  }

  /** The operation that this is a round of, or the sequence number of a write. */
  public long id() {
    return buffer.getLong(at + ID);
  }

  /** Sets {@link #id()}. */
  public Message id(long id) {
    buffer.putLong(at + ID, id);
    return this;
  }

  /** The clock of a version. */
  public long clock() {
    return buffer.getLong(at + CLOCK);
  }

  /** Sets {@link #clock()}. */
  public Message clock(long clock) {
    buffer.putLong(at + CLOCK, clock);
    return this;
  }

  /** The read-modify-writes since that clock. */
  public long rmw() {
    return buffer.getLong(at + RMW);
  }

  /** Sets {@link #rmw()}. */
  public Message rmw(long rmw) {
    buffer.putLong(at + RMW, rmw);
    return this;
  }

  /** The log of a key's read-modify-writes. */
  public long log() {
    return buffer.getLong(at + LOG);
  }

  /** Sets {@link #log()}. */
  public Message log(long log) {
    buffer.putLong(at + LOG, log);
    return this;
  }

  /** The proposal's ballot. */
  public long ballot() {
    return buffer.getLong(at + BALLOT);
  }

  /** Sets {@link #ballot()}. */
  public Message ballot(long ballot) {
    buffer.putLong(at + BALLOT, ballot);
    return this;
  }

  /** A command: its number in its session. */
  public long commandId() {
    return buffer.getLong(at + COMMAND_ID);
  }

  /** Sets {@link #commandId()}. */
  public Message commandId(long commandId) {
    buffer.putLong(at + COMMAND_ID, commandId);
    return this;
  }

  /** The ballot of what was accepted earlier. */
  public long acceptedBallot() {
    return buffer.getLong(at + ACCEPTED_BALLOT);
  }

  /** Sets {@link #acceptedBallot()}. */
  public Message acceptedBallot(long acceptedBallot) {
    buffer.putLong(at + ACCEPTED_BALLOT, acceptedBallot);
    return this;
  }

  /** The last log that the sender has committed. */
  public long lastLog() {
    return buffer.getLong(at + LAST_LOG);
  }

  /** Sets {@link #lastLog()}. */
  public Message lastLog(long lastLog) {
    buffer.putLong(at + LAST_LOG, lastLog);
    return this;
  }

  /** A command: its session, numbered over all nodes. */
  public int commandSession() {
    return buffer.getInt(at + COMMAND_SESSION);
  }

  /** Sets {@link #commandSession()}. */
  public Message commandSession(int commandSession) {
    buffer.putInt(at + COMMAND_SESSION, commandSession);
    return this;
  }
}
