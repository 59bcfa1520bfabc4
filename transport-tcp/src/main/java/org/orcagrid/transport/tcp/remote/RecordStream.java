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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.orcagrid.ddp.Invariant;

/**
 * What one side says to the other over connections that may be lost, one after the other: each
 * record arrives once. What was said is kept until the other side has told that it came, and is
 * said again on the next connection from where that has come to. Positions count bytes.
 *
 * <p>Of one thread. Knows no connection.
 */
final class RecordStream {
  /** So much may come before the other side is told of it. */
  private static final int REPORT_BYTES = 8 << 10;

  private final Deque<ByteBuf> kept = new ArrayDeque<>();

  /** Where the first of those begins. */
  private long keptFrom;

  private long said;

  /** Up to where the other side has got everything, as far as it has told. */
  private long toldTo;

  private long received;
  private long reported;

  /**
   * Says whole records; what is returned is to be sent if there is a connection, and freed.
   *
   * @param records are the stream's from now on
   */
  ByteBuf say(ByteBuf records) {
    kept.add(records);
    said += records.readableBytes();
    return records.retainedDuplicate();
  }

  /** A record has come and was handled. */
  void received(int bytes) {
    received += bytes;
  }

  /** Up to where everything has come. */
  long received() {
    return received;
  }

  /** Whether the other side had better know what has come. */
  boolean isReportDue() {
    return received - reported >= REPORT_BYTES;
  }

  /** What to tell the other side of what has come. */
  long report() {
    reported = received;
    return received;
  }

  /**
   * The other side has got everything up to a position.
   *
   * @throws ClientRecord.MalformedException if it cannot have
   */
  void told(long position) throws ClientRecord.MalformedException {
    if (position < keptFrom || position > said) {
      throw new ClientRecord.MalformedException(
          "position " + position + " of what was said from " + keptFrom + " to " + said);
    }
    toldTo = Math.max(toldTo, position);
    while (!kept.isEmpty() && keptFrom + kept.peek().readableBytes() <= position) {
      ByteBuf first = kept.poll();
      keptFrom += first.readableBytes();
      first.release();
    }
  }

  /**
   * What the other side lacks that has got everything up to a position; each is to be freed.
   *
   * @throws ClientRecord.MalformedException if it cannot have
   */
  List<ByteBuf> from(long position) throws ClientRecord.MalformedException {
    told(position);
    List<ByteBuf> again = new ArrayList<>();
    int skipped = (int) (position - keptFrom);
    for (ByteBuf each : kept) {
      again.add(each.retainedSlice(each.readerIndex() + skipped, each.readableBytes() - skipped));
      skipped = 0;
    }
    return again;
  }

  /** Nobody will ask again. */
  void release() {
    kept.forEach(ByteBuf::release);
    kept.clear();
    keptFrom = said;
    toldTo = said;
  }

  /** Bytes that are kept. */
  long keptBytes() {
    return said - keptFrom;
  }

  /** Bytes that were said and not told to have come. */
  long untoldBytes() {
    return said - toldTo;
  }

  void checkInvariants() {
    long bytes = kept.stream().mapToLong(ByteBuf::readableBytes).sum();
    Invariant.check(
        keptFrom + bytes == said,
        "all that may be asked for is kept",
        "from",
        keptFrom,
        "to",
        said);
    Invariant.check(
        keptFrom <= toldTo && toldTo <= said,
        "what is kept was not told to have come, but in part");
    Invariant.check(reported <= received, "nothing is told that has not come");
  }
}
