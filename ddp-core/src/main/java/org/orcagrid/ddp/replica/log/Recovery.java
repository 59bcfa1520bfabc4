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
import java.util.HashMap;
import java.util.Map;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ValueTime;
import org.orcagrid.ddp.replica.state.Write;

/**
 * What a log says of a map: the latest version of each key. Takes the map's records one after the
 * other, the oldest first and each of them once, and holds at most three versions of a key. For one
 * thread.
 */
public final class Recovery {
  /** What counts unless {@link #open} ends. */
  private Map<Key, Write> before = new HashMap<>();

  /** What counts in any case: of records since {@link #open}, or since the last that has ended. */
  private Map<Key, Write> since = new HashMap<>();

  /** What counts when the end of its transfer is there. */
  private final Map<Key, Write> learned = new HashMap<>();

  private int transfer;
  private long clock;

  /** The last record that, once it has its end, makes all before it not count; null for none. */
  private LogRecord open;

  /** The next record. */
  public void add(LogRecord record) {
    if (record instanceof LogRecord.Version version) {
      put(since, version.write());
    } else if (record instanceof LogRecord.Batch batch) {
      batch.writes().forEach(write -> put(since, write));
    } else if (record instanceof LogRecord.Learned page) {
      learn(page);
    } else if (record instanceof LogRecord.AdoptionBegin) {
      open(record);
    } else if (record instanceof LogRecord.AdoptionEnd end) {
      if (end.transfer() == transfer) {
        learned.values().forEach(write -> put(since, write));
        learned.clear();
      }
      close(new LogRecord.AdoptionBegin(end.view()));
    } else if (record instanceof LogRecord.OrphansDropped) {
      before.values().removeIf(Write::isConditional);
      since.values().removeIf(Write::isConditional);
      learned.values().removeIf(Write::isConditional);
    } else if (record instanceof LogRecord.CheckpointBegin begin) {
      clock = Math.max(clock, begin.clock());
      open(begin);
    } else if (record instanceof LogRecord.CheckpointEnd end) {
      close(new LogRecord.CheckpointBegin(end.clock()));
    }
  }

  private void learn(LogRecord.Learned page) {
    if (page.transfer() != transfer) {
      learned.clear();
      transfer = page.transfer();
    }
    page.writes().forEach(write -> put(learned, write));
  }

  private void open(LogRecord begin) {
    if (before.isEmpty()) {
      before = since;
    } else {
      since.values().forEach(write -> put(before, write));
    }
    since = new HashMap<>();
    open = begin;
  }

  private void close(LogRecord begin) {
    if (begin.equals(open)) {
      before = new HashMap<>();
      open = null;
    }
  }

  private static boolean isOver(ValueTime time, Write write) {
    ByteBuffer value = ByteBuffer.wrap(write.value()).order(ByteOrder.LITTLE_ENDIAN);
    return time.isOver(write.clock(), value);
  }

  /** The latest clock that the log names beside those of versions. */
  public long clock() {
    return clock;
  }

  /**
   * The latest version of each key; there are no more records.
   *
   * @param time says whether the time of a value is over: its version is a removal then, as it may
   *     have been before
   */
  public Map<Key, Write> latest(ValueTime time) {
    open(null);
    before.replaceAll(
        (key, write) ->
            write.value() != null && isOver(time, write) ? write.withoutValue() : write);
    return before;
  }

  private static void put(Map<Key, Write> latest, Write write) {
    latest.merge(write.key(), write, (one, other) -> one.clock() < other.clock() ? other : one);
  }
}
