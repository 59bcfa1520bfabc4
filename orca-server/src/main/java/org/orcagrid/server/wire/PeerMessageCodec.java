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
package org.orcagrid.server.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.orcagrid.server.settings.Durability;
import org.orcagrid.server.settings.Readers;
import org.orcagrid.server.settings.Replication;

/**
 * The bytes of a {@link PeerMessage}: a version, a kind, then the fields as eight bytes each.
 *
 * <p>A later version may add fields behind those that are known here; they are ignored.
 */
public final class PeerMessageCodec {

  private static final byte VERSION = 4;

  private static final byte HELLO = 1;
  private static final byte WELCOME = 2;
  private static final byte FLUSH = 3;
  private static final byte DURABLE = 4;
  private static final byte PROGRESS = 5;
  private static final byte DEMAND = 6;
  private static final byte ANNOUNCEMENT = 7;
  private static final byte ASK_APPLIED = 8;
  private static final byte HEARTBEAT = 9;
  private static final byte BEAT = 10;
  private static final byte GRANT = 11;
  private static final byte MARK_OUT = 12;
  private static final byte MARKED_OUT = 13;
  private static final byte WITHHELD = 14;
  private static final byte CONFIRMED = 15;

  private PeerMessageCodec() {}

  /** Encodes a message. */
  public static byte[] encode(PeerMessage message) {
    if (message instanceof PeerMessage.Hello hello) {
      return bytes(HELLO, hello.persisted(), hello.applied());
    } else if (message instanceof PeerMessage.Welcome welcome) {
      return bytes(
          WELCOME,
          welcome.durability().wireCode(),
          welcome.replication().wireCode(),
          welcome.readers().wireCode(),
          welcome.durable(),
          welcome.applied());
    } else if (message instanceof PeerMessage.Flush flush) {
      return bytes(FLUSH, flush.target());
    } else if (message instanceof PeerMessage.Durable durable) {
      return bytes(DURABLE, durable.durable(), durable.applied());
    } else if (message instanceof PeerMessage.Progress progress) {
      return bytes(PROGRESS, progress.persisted(), progress.applied());
    } else if (message instanceof PeerMessage.Demand demand) {
      return bytes(DEMAND, demand.durable(), demand.applied());
    } else if (message instanceof PeerMessage.Announcement) {
      return bytes(ANNOUNCEMENT);
    }
    return encodeLease(message);
  }

  private static byte[] encodeLease(PeerMessage message) {
    if (message instanceof PeerMessage.AskApplied ask) {
      return bytes(ASK_APPLIED, ask.target());
    } else if (message instanceof PeerMessage.Heartbeat heartbeat) {
      return bytes(HEARTBEAT, heartbeat.sentNanos(), heartbeat.promiseNanos());
    } else if (message instanceof PeerMessage.Beat beat) {
      return bytes(
          BEAT,
          beat.heartbeat(),
          beat.stampNanos(),
          beat.persisted(),
          beat.applied(),
          beat.held(),
          beat.heldNanos(),
          beat.reads());
    } else if (message instanceof PeerMessage.Grant grant) {
      return bytes(GRANT, grant.stampNanos(), grant.grantNanos());
    } else if (message instanceof PeerMessage.MarkOut) {
      return bytes(MARK_OUT);
    } else if (message instanceof PeerMessage.MarkedOut) {
      return bytes(MARKED_OUT);
    } else if (message instanceof PeerMessage.Withheld withheld) {
      return bytes(WITHHELD, withheld.number());
    } else if (message instanceof PeerMessage.Confirmed confirmed) {
      return bytes(CONFIRMED, confirmed.number());
    }
    throw new IllegalArgumentException("No encoding for " + message);
  }

  /**
   * Decodes a message.
   *
   * @throws IOException if the bytes are not a message of this protocol
   */
  public static PeerMessage decode(byte[] bytes) throws IOException {
    if (bytes == null || bytes.length < 2) {
      throw new IOException("A peer message of " + (bytes == null ? 0 : bytes.length) + " bytes");
    }
    if (bytes[0] < VERSION) {
      throw new IOException("A peer message of version " + bytes[0]);
    }
    ByteBuffer fields = ByteBuffer.wrap(bytes, 2, bytes.length - 2);
    return switch (bytes[1]) {
      case HELLO -> new PeerMessage.Hello(next(fields), next(fields));
      case WELCOME ->
          new PeerMessage.Welcome(
              durability(next(fields)),
              replication(next(fields)),
              readers(next(fields)),
              next(fields),
              next(fields));
      case FLUSH -> new PeerMessage.Flush(next(fields));
      case DURABLE -> new PeerMessage.Durable(next(fields), next(fields));
      case PROGRESS -> new PeerMessage.Progress(next(fields), next(fields));
      case ASK_APPLIED -> new PeerMessage.AskApplied(next(fields));
      case HEARTBEAT -> new PeerMessage.Heartbeat(next(fields), next(fields));
      case BEAT ->
          new PeerMessage.Beat(
              next(fields),
              next(fields),
              next(fields),
              next(fields),
              next(fields),
              next(fields),
              next(fields));
      case GRANT -> new PeerMessage.Grant(next(fields), next(fields));
      case MARK_OUT -> new PeerMessage.MarkOut();
      case MARKED_OUT -> new PeerMessage.MarkedOut();
      case WITHHELD -> new PeerMessage.Withheld(next(fields));
      case CONFIRMED -> new PeerMessage.Confirmed(next(fields));
      case ANNOUNCEMENT -> new PeerMessage.Announcement();
      case DEMAND -> new PeerMessage.Demand(next(fields), next(fields));
      default -> throw new IOException("A peer message of unknown kind " + bytes[1]);
    };
  }

  private static byte[] bytes(byte kind, long... fields) {
    ByteBuffer bytes = ByteBuffer.allocate(2 + fields.length * Long.BYTES);
    bytes.put(VERSION).put(kind);
    for (long field : fields) {
      bytes.putLong(field);
    }
    return bytes.array();
  }

  private static long next(ByteBuffer fields) throws IOException {
    if (fields.remaining() < Long.BYTES) {
      throw new IOException("A peer message that ends within a field");
    }
    return fields.getLong();
  }

  private static Durability durability(long code) throws IOException {
    for (Durability each : Durability.values()) {
      if (each.wireCode() == code) {
        return each;
      }
    }
    throw new IOException("A peer message with durability " + code + ", unknown to this version");
  }

  private static Replication replication(long code) throws IOException {
    for (Replication each : Replication.values()) {
      if (each.wireCode() == code) {
        return each;
      }
    }
    throw new IOException("A peer message with replication " + code + ", unknown to this version");
  }

  private static Readers readers(long code) throws IOException {
    for (Readers each : Readers.values()) {
      if (each.wireCode() == code) {
        return each;
      }
    }
    throw new IOException("A peer message with readers " + code + ", unknown to this version");
  }
}
