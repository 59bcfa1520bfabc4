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

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import org.apache.jute.BinaryInputArchive;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;

/**
 * A client's request that is longer than {@code jute.maxbuffer}, while its bytes come and are
 * dropped. Its beginning is kept, for what the request is. Of one thread.
 *
 * <p>{@link #substitute} is what the connection reads in its place: a request with the same number,
 * which every server refuses without asking another one, where the answers of the session have come
 * to it. So the client gets an error for this request, and keeps its session.
 */
public final class LongFrame {

  /** Longer ones are not waited for. */
  static final int SKIPPED_BYTES_MAX = 64 << 20;

  private static final int HEAD_BYTES_MAX = 1024;
  private static final int HEADER_BYTES = 2 * Integer.BYTES;

  /** In a {@code multi}, before the first operation: its type, whether it ends here, an error. */
  private static final int MULTI_HEADER_BYTES = 2 * Integer.BYTES + 1;

  private static final int PATH_SHOWN_MAX = 200;
  private static final String UNKNOWN = "?";

  /** A path that no node has, since servers refuse it. */
  private static final byte[] NO_PATH = {0};

  private final int bytes;
  private final ByteBuffer head;
  private int left;

  /**
   * A frame of which nothing has come but the length.
   *
   * @param bytes its length
   */
  public LongFrame(int bytes) {
    this.bytes = bytes;
    this.left = bytes;
    this.head = ByteBuffer.allocate(Math.min(bytes, HEAD_BYTES_MAX));
  }

  /** Whether a frame of this length is too long. */
  public static boolean isTooLong(int bytes) {
    return bytes > BinaryInputArchive.maxBuffer;
  }

  /** Takes what belongs to the frame out of {@code from}. */
  public void take(ByteBuffer from) {
    int count = Math.min(left, from.remaining());
    int kept = Math.min(count, head.remaining());
    head.put(from.slice().limit(kept));
    from.position(from.position() + count);
    left -= count;
  }

  /** How long the frame is, without its length. */
  public int bytes() {
    return bytes;
  }

  /** How much of it is still to come. */
  public int left() {
    return left;
  }

  /** Whether what the request is has come. */
  public boolean isKnown() {
    return !head.hasRemaining();
  }

  /**
   * Whether an answer is of use: not for what a client does not number, or would not take for a
   * failure, and not if it would take too long to come. Asked once the frame is {@link #isKnown}.
   */
  public boolean isAnswered() {
    return bytes <= SKIPPED_BYTES_MAX
        && xid() > 0
        && switch (type()) {
          case OpCode.auth,
              OpCode.sasl,
              OpCode.setWatches,
              OpCode.setWatches2,
              OpCode.createSession,
              OpCode.closeSession ->
              false;
          default -> true;
        };
  }

  /** The content of the frame that is read instead; its position is at its end. */
  public ByteBuffer substitute() {
    return ByteBuffer.allocate(HEADER_BYTES + Integer.BYTES + NO_PATH.length + 1)
        .putInt(xid())
        .putInt(OpCode.exists)
        .putInt(NO_PATH.length)
        .put(NO_PATH)
        .put((byte) 0);
  }

  private int xid() {
    return head.getInt(0);
  }

  private int type() {
    return head.getInt(Integer.BYTES);
  }

  /** The operation, as ZooKeeper names it. */
  public String operation() {
    return Request.op2String(type());
  }

  /** The first path of the request as far as it has come, printable; a question mark for none. */
  public String path() {
    int at = HEADER_BYTES + (type() == OpCode.multi ? MULTI_HEADER_BYTES : 0);
    int length = at + Integer.BYTES <= head.position() ? head.getInt(at) : 0;
    int from = at + Integer.BYTES;
    if (length <= 0 || from >= head.position() || head.get(from) != '/') {
      return UNKNOWN;
    }
    int known = Math.min(length, head.position() - from);
    return printable(new String(head.array(), from, known, UTF_8));
  }

  /** A path as a log may have it: a client has chosen it. */
  static String printable(String path) {
    StringBuilder text = new StringBuilder();
    path.codePoints()
        .limit(PATH_SHOWN_MAX)
        .forEach(each -> text.appendCodePoint(Character.isISOControl(each) ? '?' : each));
    return path.length() > PATH_SHOWN_MAX ? text.append("...").toString() : text.toString();
  }
}
