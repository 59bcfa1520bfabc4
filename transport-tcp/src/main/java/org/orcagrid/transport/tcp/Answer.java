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
import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;

/**
 * What whoever is connected to answers to a greeting: a byte that says which answer it is, and what
 * belongs to it.
 *
 * @param kind which answer
 * @param reason why there will be no connection, printable; empty if there will
 * @param grid of who accepts; 0 if nobody does
 * @param rest the number of a challenge, or the proof of who accepts; part of what was read
 */
record Answer(Kind kind, String reason, long grid, ByteBuf rest) {

  /** Which answer. */
  enum Kind {
    /** There will be no connection. */
    REFUSED(0),
    /** What follows is for the owner of the connection. */
    ACCEPTED(1),
    /** There will be no connection now; a later one may be accepted. */
    NOT_YET(2),
    /** A proof of the secret is asked for, over this number. */
    CHALLENGE(3);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  static ByteBuf refused(ChannelHandlerContext context, String reason) {
    return withText(context, Kind.REFUSED, reason);
  }

  static ByteBuf notYet(ChannelHandlerContext context, String reason) {
    return withText(context, Kind.NOT_YET, reason);
  }

  static ByteBuf accepted(ChannelHandlerContext context, long grid, byte[] proof) {
    return begun(context, Kind.ACCEPTED).writeLong(grid).writeBytes(proof);
  }

  static ByteBuf challenge(ChannelHandlerContext context, byte[] nonce) {
    return begun(context, Kind.CHALLENGE).writeBytes(nonce);
  }

  private static ByteBuf withText(ChannelHandlerContext context, Kind kind, String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    return begun(context, kind).writeBytes(text, 0, Math.min(text.length, Hello.BYTES_MAX - 1));
  }

  private static ByteBuf begun(ChannelHandlerContext context, Kind kind) {
    return context.alloc().directBuffer().writeByte(kind.code);
  }

  /** Reads a whole answer. */
  static Answer read(ByteBuf in) throws Hello.MalformedException {
    if (!in.isReadable()) {
      throw new Hello.MalformedException("its answer is empty");
    }
    int code = in.readUnsignedByte();
    if (code == Kind.ACCEPTED.code) {
      if (in.readableBytes() < Long.BYTES) {
        throw new Hello.MalformedException("its answer is too short");
      }
      return new Answer(Kind.ACCEPTED, "", in.readLong(), in);
    }
    if (code == Kind.CHALLENGE.code) {
      if (in.readableBytes() != GridSecret.NONCE_BYTES) {
        throw new Hello.MalformedException("it asks for a proof over what is none of its numbers");
      }
      return new Answer(Kind.CHALLENGE, "", 0, in);
    }
    if (code != Kind.REFUSED.code && code != Kind.NOT_YET.code) {
      throw new Hello.MalformedException("its answer is none of Orca Grid");
    }
    Kind kind = code == Kind.REFUSED.code ? Kind.REFUSED : Kind.NOT_YET;
    return new Answer(kind, PrintableText.of(in.toString(StandardCharsets.UTF_8)), 0, in);
  }
}
