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
package org.orcagrid.ddp.replica.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * Reads a log that maps share, once: hands each map's records to a {@link Recovery} of its own, and
 * keeps that until the map is opened or known to be gone. So a map that nobody has told this node
 * of yet loses nothing. For one thread.
 */
public final class SharedLogReader {
  private final SharedLog log;
  private final IntPredicate isGone;
  private final Map<Integer, Recovery> recoveries = new TreeMap<>();
  private final Marks marks = new Marks();

  /** A log of which nothing was read; what is read counts in it. */
  public SharedLogReader(SharedLog log) {
    this(log, map -> false);
  }

  /**
   * The same of a log with records of maps that are gone.
   *
   * @param isGone whether a map is known to be: nothing of it is kept, nor does the log keep it
   */
  public SharedLogReader(SharedLog log, IntPredicate isGone) {
    this.log = log;
    this.isGone = isGone;
  }

  /**
   * The next record, the oldest first: the number of its map, and what {@link LogCodec} reads.
   *
   * @throws org.orcagrid.ddp.transport.MalformedPacketException if it is not one
   */
  public void add(long position, ByteBuffer bytes) {
    ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    int length = in.remaining();
    int map = in.remaining() < LogCodec.MAP_BYTES ? LogCodec.NO_MAP : in.getInt();
    add(map, position, LogCodec.decode(in), length);
  }

  /** The same of a record that was read already. */
  public void add(int map, long position, LogRecord record, int length) {
    marks.add(record);
    if (map == LogCodec.NO_MAP || isGone.test(map)) {
      log.grow(length);
    } else {
      log.part(map).appended(position, record, length);
      recoveries.computeIfAbsent(map, unused -> new Recovery()).add(record);
    }
  }

  /** The log's last mark, null if there was none. */
  public LogRecord.Mark mark() {
    return marks.last();
  }

  /** What the log says of a map, once; nothing of a map that it does not know. */
  public Recovery take(int map) {
    Recovery found = recoveries.remove(map);
    return found == null ? new Recovery() : found;
  }

  /** Forgets maps that are gone, of those that were not taken. */
  public void drop(IntPredicate isGone) {
    recoveries.keySet().removeIf(isGone::test);
  }
}
