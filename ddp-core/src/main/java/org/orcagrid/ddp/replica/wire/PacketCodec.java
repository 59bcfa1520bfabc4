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
package org.orcagrid.ddp.replica.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.orcagrid.ddp.replica.state.Encoding;
import org.orcagrid.ddp.transport.MalformedPacketException;

/**
 * Packets between replicas as bytes. The numbers of the messages are the wire format; they never
 * change their meaning.
 */
public final class PacketCodec {
  private static final int HEADER_BYTES = 3 * Integer.BYTES + 3 * Long.BYTES + 1 + Short.BYTES;
  private static final int ONE_BYTE_AND_MORE = 1;

  private static final int INV = 1;
  private static final int ACK = 2;
  private static final int VAL = 3;
  private static final int UPD = 4;
  private static final int UPD_PERSISTED = 5;
  private static final int PROGRESS = 6;
  private static final int TX_BEGIN = 7;
  private static final int TX_WRITE = 8;
  private static final int TX_END = 9;
  private static final int TX_ACK = 10;
  private static final int TX_CONFLICT = 11;
  private static final int TX_VAL = 12;
  private static final int TX_ABORT = 13;
  private static final int SCOPE_PERSIST = 14;
  private static final int SCOPE_ACK = 15;
  private static final int HELLO = 16;
  private static final int STATE = 17;
  private static final int STATE_END = 18;
  private static final int RECOVERED = 19;
  private static final int STATE_ASK = 30;
  private static final int FORGET_ASK = 31;
  private static final int FORGET_READY = 32;
  private static final int FORGET = 33;
  private static final int LANDED = 34;
  private static final int KEPT = 35;
  private static final int TAKEN = 36;

  private PacketCodec() {}

  /** How many bytes a packet will have at most. */
  public static int bytes(Packet packet) {
    int bytes = HEADER_BYTES;
    for (ReplicaMessage message : packet.messages()) {
      bytes += 1 + bytes(message);
    }
    return bytes;
  }

  /** How many bytes a message will have at most, but for its number. */
  public static int bytes(ReplicaMessage message) {
    if (message instanceof ReplicaMessage.Inv inv) {
      return Encoding.bytes(inv.write());
    } else if (message instanceof ReplicaMessage.Ack ack) {
      return Short.BYTES + ack.key().length() + Long.BYTES + 1;
    } else if (message instanceof ReplicaMessage.Val val) {
      return Short.BYTES + val.key().length() + Long.BYTES + 1;
    } else if (message instanceof ReplicaMessage.Upd upd) {
      return 2
          + 2 * Long.BYTES
          + Encoding.bytes(upd.update().history())
          + Encoding.bytes(upd.update().writes());
    } else if (message instanceof ReplicaMessage.Progress progress) {
      return Encoding.bytes(progress.visible());
    } else if (message instanceof ReplicaMessage.TxWrite write) {
      return Long.BYTES + Encoding.bytes(write.write());
    } else if (message instanceof ReplicaMessage.TxEnd end) {
      return Long.BYTES + Encoding.bytes(end.writes());
    } else if (message instanceof ReplicaMessage.TxAck) {
      return 2 * Long.BYTES + 1;
    } else if (message instanceof ReplicaMessage.ScopePersist scope) {
      return Long.BYTES + Encoding.bytes(scope.writes());
    } else if (message instanceof ReplicaMessage.State state) {
      int bytes = 3 * Integer.BYTES;
      for (ReplicaMessage.Known known : state.versions()) {
        bytes += 1 + Encoding.bytes(known.write());
      }
      return bytes + Encoding.bytes(state.scoped());
    } else if (message instanceof ReplicaMessage.StateEnd end) {
      return Integer.BYTES
          + 2 * Long.BYTES
          + Encoding.bytes(end.since())
          + Encoding.bytes(end.visible());
    } else if (message instanceof ReplicaMessage.Landed landed) {
      return Long.BYTES + 1 + bytes(landed.message());
    } else if (message instanceof ReplicaMessage.ForgetAsk ask) {
      return Long.BYTES + Encoding.bytes(ask.removals());
    } else if (message instanceof ReplicaMessage.ForgetReady ready) {
      return Long.BYTES + Encoding.bytes(ready.removals());
    } else if (message instanceof ReplicaMessage.Forget forget) {
      return Long.BYTES + Encoding.bytes(forget.removals());
    }
    // A number, and perhaps what it is about.
    return Long.BYTES + 1;
  }

  /** Writes a packet from the position of {@code out} on, which is little-endian. */
  public static void encode(Packet packet, ByteBuffer out) {
    out.putInt(packet.view()).putInt(packet.sender()).putInt(packet.receiver());
    out.putLong(packet.first()).putLong(packet.received()).putLong(packet.behind());
    out.put((byte) (packet.hurries() ? 1 : 0)).putShort((short) packet.messages().size());
    packet.messages().forEach(message -> encode(message, out));
  }

  private static void encode(ReplicaMessage message, ByteBuffer out) {
    if (message instanceof ReplicaMessage.Inv inv) {
      Encoding.put(out.put((byte) INV), inv.write());
    } else if (message instanceof ReplicaMessage.Ack ack) {
      Encoding.putKey(out.put((byte) ACK), ack.key());
      out.putLong(ack.clock()).put((byte) ack.what());
    } else if (message instanceof ReplicaMessage.Val val) {
      Encoding.putKey(out.put((byte) VAL), val.key());
      out.putLong(val.clock()).put((byte) val.what());
    } else if (message instanceof ReplicaMessage.Upd upd) {
      encode(upd.update(), out.put((byte) UPD));
    } else if (message instanceof ReplicaMessage.UpdPersisted persisted) {
      out.put((byte) UPD_PERSISTED).putLong(persisted.sequence());
    } else if (message instanceof ReplicaMessage.Progress progress) {
      Encoding.put(out.put((byte) PROGRESS), progress.visible());
    } else if (message instanceof ReplicaMessage.ScopePersist scope) {
      Encoding.put(out.put((byte) SCOPE_PERSIST).putLong(scope.scope()), scope.writes());
    } else if (message instanceof ReplicaMessage.ScopeAck ack) {
      out.put((byte) SCOPE_ACK).putLong(ack.scope());
    } else if (!encodeTransaction(message, out)
        && !encodeForgetting(message, out)
        && !encodeOfZones(message, out)) {
      encodeView(message, out);
    }
  }

  private static boolean encodeForgetting(ReplicaMessage message, ByteBuffer out) {
    if (message instanceof ReplicaMessage.ForgetAsk ask) {
      Encoding.put(out.put((byte) FORGET_ASK).putLong(ask.round()), ask.removals());
    } else if (message instanceof ReplicaMessage.ForgetReady ready) {
      Encoding.put(out.put((byte) FORGET_READY).putLong(ready.round()), ready.removals());
    } else if (message instanceof ReplicaMessage.Forget forget) {
      Encoding.put(out.put((byte) FORGET).putLong(forget.round()), forget.removals());
    } else {
      return false;
    }
    return true;
  }

  private static boolean encodeOfZones(ReplicaMessage message, ByteBuffer out) {
    if (message instanceof ReplicaMessage.Landed landed) {
      encode(landed.message(), out.put((byte) LANDED).putLong(landed.position()));
    } else if (message instanceof ReplicaMessage.Kept kept) {
      out.put((byte) KEPT).putLong(kept.position());
    } else if (message instanceof ReplicaMessage.Taken taken) {
      out.put((byte) TAKEN).putLong(taken.position());
    } else {
      return false;
    }
    return true;
  }

  private static void encode(Update update, ByteBuffer out) {
    out.put((byte) update.origin()).putLong(update.sequence()).putLong(update.previous());
    Encoding.put(out, update.history());
    out.put((byte) (update.more() ? 1 : 0));
    Encoding.put(out, update.writes());
  }

  private static boolean encodeTransaction(ReplicaMessage message, ByteBuffer out) {
    if (message instanceof ReplicaMessage.TxBegin begin) {
      out.put((byte) TX_BEGIN).putLong(begin.tx());
    } else if (message instanceof ReplicaMessage.TxWrite write) {
      Encoding.put(out.put((byte) TX_WRITE).putLong(write.tx()), write.write());
    } else if (message instanceof ReplicaMessage.TxEnd end) {
      Encoding.put(out.put((byte) TX_END).putLong(end.tx()), end.writes());
    } else if (message instanceof ReplicaMessage.TxAck ack) {
      out.put((byte) TX_ACK).putLong(ack.tx()).put((byte) ack.step().code()).putLong(ack.clock());
    } else if (message instanceof ReplicaMessage.TxConflict conflict) {
      out.put((byte) TX_CONFLICT).putLong(conflict.tx());
    } else if (message instanceof ReplicaMessage.TxVal val) {
      out.put((byte) TX_VAL).putLong(val.tx()).put((byte) val.what());
    } else if (message instanceof ReplicaMessage.TxAbort abort) {
      out.put((byte) TX_ABORT).putLong(abort.tx());
    } else {
      return false;
    }
    return true;
  }

  private static void encodeView(ReplicaMessage message, ByteBuffer out) {
    if (message instanceof ReplicaMessage.Hello hello) {
      out.put((byte) HELLO).putInt(hello.view());
    } else if (message instanceof ReplicaMessage.State state) {
      out.put((byte) STATE).putInt(state.transfer()).putInt(state.entriesThere());
      out.putInt(state.versions().size());
      for (ReplicaMessage.Known known : state.versions()) {
        Encoding.put(out.put((byte) known.what()), known.write());
      }
      Encoding.put(out, state.scoped());
    } else if (message instanceof ReplicaMessage.StateEnd end) {
      out.put((byte) STATE_END).putInt(end.transfer());
      out.putLong(end.clock()).putLong(end.forgotten());
      Encoding.put(out, end.since());
      Encoding.put(out, end.visible());
    } else if (message instanceof ReplicaMessage.StateAsk ask) {
      out.put((byte) STATE_ASK).putInt(ask.transfer()).putInt(ask.pages());
    } else if (message instanceof ReplicaMessage.Recovered all) {
      out.put((byte) RECOVERED).putInt(all.view());
    } else {
      throw new IllegalStateException("It has no number: " + message);
    }
  }

  /**
   * Reads a packet from the position of {@code in} to its limit.
   *
   * @throws MalformedPacketException if it is not one
   */
  public static Packet decode(ByteBuffer in) {
    if (in.order() != ByteOrder.LITTLE_ENDIAN) {
      throw new IllegalArgumentException("Packets are little-endian");
    }
    int view = Encoding.getInt(in);
    int sender = Encoding.getInt(in);
    int receiver = Encoding.getInt(in);
    long first = Encoding.getLong(in);
    long received = Encoding.getLong(in);
    long behind = Encoding.getLong(in);
    boolean hurries = Encoding.getByte(in) != 0;
    int count = Encoding.count(in, Encoding.getShort(in), ONE_BYTE_AND_MORE);
    List<ReplicaMessage> messages = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      messages.add(message(in));
    }
    if (in.hasRemaining()) {
      throw new MalformedPacketException(in.remaining() + " bytes are left behind the messages");
    }
    return new Packet(view, sender, receiver, first, received, behind, hurries, messages);
  }

  private static ReplicaMessage message(ByteBuffer in) {
    int code = Encoding.getByte(in);
    return switch (code) {
      case INV -> new ReplicaMessage.Inv(Encoding.getWrite(in));
      case ACK -> new ReplicaMessage.Ack(Encoding.getKey(in), Encoding.getLong(in), what(in));
      case VAL -> new ReplicaMessage.Val(Encoding.getKey(in), Encoding.getLong(in), what(in));
      case UPD -> new ReplicaMessage.Upd(update(in));
      case UPD_PERSISTED -> new ReplicaMessage.UpdPersisted(Encoding.getLong(in));
      case PROGRESS -> new ReplicaMessage.Progress(Encoding.getLongs(in));
      case TX_BEGIN -> new ReplicaMessage.TxBegin(Encoding.getLong(in));
      case TX_WRITE -> new ReplicaMessage.TxWrite(Encoding.getLong(in), Encoding.getWrite(in));
      case TX_END -> new ReplicaMessage.TxEnd(Encoding.getLong(in), Encoding.getWrites(in));
      case TX_ACK ->
          new ReplicaMessage.TxAck(
              Encoding.getLong(in),
              ReplicaMessage.TxStep.of(Encoding.getByte(in)),
              Encoding.getLong(in));
      case TX_CONFLICT -> new ReplicaMessage.TxConflict(Encoding.getLong(in));
      case TX_VAL -> new ReplicaMessage.TxVal(Encoding.getLong(in), what(in));
      case TX_ABORT -> new ReplicaMessage.TxAbort(Encoding.getLong(in));
      case SCOPE_PERSIST ->
          new ReplicaMessage.ScopePersist(Encoding.getLong(in), Encoding.getWrites(in));
      case SCOPE_ACK -> new ReplicaMessage.ScopeAck(Encoding.getLong(in));
      case HELLO -> new ReplicaMessage.Hello(Encoding.getInt(in));
      case STATE -> state(in);
      case FORGET_ASK -> new ReplicaMessage.ForgetAsk(Encoding.getLong(in), Encoding.getWrites(in));
      case FORGET_READY ->
          new ReplicaMessage.ForgetReady(Encoding.getLong(in), Encoding.getWrites(in));
      case FORGET -> new ReplicaMessage.Forget(Encoding.getLong(in), Encoding.getWrites(in));
      case LANDED -> landed(in);
      case KEPT -> new ReplicaMessage.Kept(Encoding.getLong(in));
      case TAKEN -> new ReplicaMessage.Taken(Encoding.getLong(in));
      case STATE_ASK -> new ReplicaMessage.StateAsk(Encoding.getInt(in), Encoding.getInt(in));
      case STATE_END -> stateEnd(in);
      case RECOVERED -> new ReplicaMessage.Recovered(Encoding.getInt(in));
      default -> throw new MalformedPacketException("There is no message " + code);
    };
  }

  private static ReplicaMessage stateEnd(ByteBuffer in) {
    int transfer = Encoding.getInt(in);
    long clock = Encoding.getLong(in);
    long forgotten = Encoding.getLong(in);
    if (forgotten < 0 || forgotten > clock) {
      throw new MalformedPacketException("Clock " + forgotten + " was forgotten before " + clock);
    }
    return new ReplicaMessage.StateEnd(
        transfer, clock, forgotten, Encoding.getLongs(in), Encoding.getLongs(in));
  }

  private static ReplicaMessage landed(ByteBuffer in) {
    long position = Encoding.getLong(in);
    int code = Encoding.getByte(in);
    return switch (code) {
      case INV ->
          new ReplicaMessage.Landed(position, new ReplicaMessage.Inv(Encoding.getWrite(in)));
      case UPD -> new ReplicaMessage.Landed(position, new ReplicaMessage.Upd(update(in)));
      default -> throw new MalformedPacketException("No record belongs to message " + code);
    };
  }

  private static int what(ByteBuffer in) {
    int what = Encoding.getByte(in);
    int all = ReplicaMessage.CONSISTENCY | ReplicaMessage.PERSISTENCY;
    if ((what & ~all) != 0) {
      throw new MalformedPacketException("Nothing is meant by " + what);
    }
    return what;
  }

  private static Update update(ByteBuffer in) {
    return new Update(
        Encoding.getByte(in),
        Encoding.getLong(in),
        Encoding.getLong(in),
        Encoding.getLongs(in),
        Encoding.getByte(in) != 0,
        Encoding.getWrites(in));
  }

  private static ReplicaMessage state(ByteBuffer in) {
    int transfer = Encoding.getInt(in);
    int entriesThere = Encoding.getInt(in);
    int count = Encoding.count(in, Encoding.getInt(in), ONE_BYTE_AND_MORE);
    List<ReplicaMessage.Known> versions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int what = what(in);
      versions.add(new ReplicaMessage.Known(Encoding.getWrite(in), what));
    }
    return new ReplicaMessage.State(
        transfer, entriesThere, List.copyOf(versions), Encoding.getWrites(in));
  }
}
