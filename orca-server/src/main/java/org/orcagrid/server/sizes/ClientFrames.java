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
package org.orcagrid.server.sizes;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Finds the frames in the bytes of one client of the Netty factory, and has those that are too long
 * replaced. All others go on as they come. Of the channel's thread.
 */
public final class ClientFrames {

  /** The connection that reads the frames. */
  public interface Connection {

    /** Reads bytes; may keep a part of them by counting references. */
    void read(ByteBuf bytes);

    /**
     * A request is too long. What is left of it is dropped.
     *
     * @return false if the connection was closed
     */
    boolean onLong(LongFrame frame);
  }

  private final Connection connection;
  private final ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);

  /** What the current frame still lacks. */
  private int left;

  private LongFrame tooLong;
  private boolean reported;
  private boolean connected;

  /** What comes next is no frame, or one that the connection refuses: it gets all as it is. */
  private boolean passesAll;

  /** Frames from the first byte of the connection on. */
  public ClientFrames(Connection connection) {
    this.connection = connection;
  }

  /** Bytes have come. The caller keeps its reference to them. */
  public void read(ByteBuf bytes) {
    while (bytes.isReadable()) {
      if (passesAll) {
        connection.read(bytes.readSlice(bytes.readableBytes()));
      } else if (tooLong != null) {
        drop(bytes);
      } else {
        pass(bytes);
      }
    }
  }

  /** Passes on whole frames, and the beginning of the last one if its length is known. */
  private void pass(ByteBuf bytes) {
    int begin = bytes.readerIndex();
    int end = bytes.writerIndex();
    int at = begin;
    while (at < end && !passesAll && tooLong == null && length.position() == 0) {
      int known = Math.min(left, end - at);
      at += known;
      left -= known;
      if (at == end) {
        break;
      }
      if (end - at < Integer.BYTES) {
        break;
      }
      begins(bytes.getInt(at));
      // The length of one that is too long is nobody's.
      at += tooLong == null ? Integer.BYTES : 0;
    }
    if (at > begin) {
      connection.read(bytes.readSlice(at - begin));
    }
    if (tooLong != null) {
      bytes.skipBytes(Integer.BYTES);
    } else if (!passesAll && left == 0 && bytes.isReadable()) {
      takeLength(bytes);
    }
  }

  /** Collects a length that comes in parts. */
  private void takeLength(ByteBuf bytes) {
    length.limit(Math.min(Integer.BYTES, length.position() + bytes.readableBytes()));
    bytes.readBytes(length);
    length.limit(Integer.BYTES);
    if (length.hasRemaining()) {
      return;
    }
    length.flip();
    begins(length.getInt());
    length.clear();
    if (tooLong == null) {
      passOn(out -> out.writeInt(left));
    }
  }

  private void begins(int bytes) {
    if (bytes < 0 || (!connected && LongFrame.isTooLong(bytes))) {
      // A four-letter word, or what is no client of ours.
      passesAll = true;
      left = bytes;
    } else if (LongFrame.isTooLong(bytes)) {
      tooLong = new LongFrame(bytes);
      reported = false;
    } else {
      left = bytes;
    }
    connected = true;
  }

  private void drop(ByteBuf bytes) {
    int count = Math.min(tooLong.left(), bytes.readableBytes());
    tooLong.take(bytes.nioBuffer(bytes.readerIndex(), count));
    bytes.skipBytes(count);
    if (!reported && tooLong.isKnown()) {
      reported = true;
      if (!connection.onLong(tooLong)) {
        bytes.skipBytes(bytes.readableBytes());
        return;
      }
    }
    if (tooLong.left() == 0) {
      ByteBuffer content = tooLong.substitute().flip();
      tooLong = null;
      passOn(out -> out.writeInt(content.remaining()).writeBytes(content));
    }
  }

  private void passOn(Consumer<ByteBuf> writer) {
    ByteBuf bytes = Unpooled.buffer();
    try {
      writer.accept(bytes);
      connection.read(bytes);
    } finally {
      bytes.release();
    }
  }
}
