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
package org.orcagrid.simulator.timing;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.orcagrid.ddp.replica.log.LogCodec;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/**
 * A server's NVM: banks that write one line after the other. A replica is told how far it is
 * durable without a gap, so a record is durable when it and all before it that somebody waits for
 * are.
 *
 * <p>Only time is kept, no content; so nothing is said of how several records are made durable
 * together.
 */
final class TimedNvm {
  private final NvmTiming timing;

  /** Which place a record has. */
  private final ToIntFunction<Key> places;

  private final long[] freeNanos;

  /** When the bank begins with the last write of a line, by line; those of the past are stale. */
  private final Map<Long, Long> beginNanos = new HashMap<>();

  private int nextBank;
  private long durableNanos;
  private long lines;

  TimedNvm(NvmTiming timing, ToIntFunction<Key> places) {
    this.timing = timing;
    this.places = places;
    this.freeNanos = new long[timing.banks()];
  }

  /** Writes a record that somebody waits for; returns when it and all such before are durable. */
  long persist(LogRecord record, long nowNanos) {
    durableNanos = Math.max(durableNanos, write(record, nowNanos));
    return durableNanos;
  }

  /** Writes a record; returns when all its lines are written. */
  long write(LogRecord record, long nowNanos) {
    if (timing.placement() == NvmTiming.Placement.IN_PLACE) {
      if (record instanceof LogRecord.Version version) {
        return replace(version.write(), nowNanos);
      }
      if (record instanceof LogRecord.Batch batch) {
        long until = nowNanos;
        for (Write write : batch.writes()) {
          until = Math.max(until, replace(write, nowNanos));
        }
        return until;
      }
    }
    return append(timing.lines(LogCodec.bytes(record)), nowNanos);
  }

  private long replace(Write write, long nowNanos) {
    int count = timing.lines(LogCodec.bytes(new LogRecord.Version(write)));
    long first = (long) places.applyAsInt(write.key()) * count;
    long until = nowNanos;
    for (long line = first; line < first + count; line++) {
      Long waiting = timing.combines() ? beginNanos.get(line) : null;
      if (waiting != null && waiting > nowNanos) {
        until = Math.max(until, waiting + timing.writeNanos());
      } else {
        int bank = (int) (line % freeNanos.length);
        beginNanos.put(line, Math.max(nowNanos, freeNanos[bank]));
        until = Math.max(until, writeLine(bank, nowNanos));
      }
    }
    return until;
  }

  private long append(int count, long nowNanos) {
    long until = nowNanos;
    for (int i = 0; i < count; i++) {
      until = Math.max(until, writeLine(nextBank, nowNanos));
      nextBank = (nextBank + 1) % freeNanos.length;
    }
    return until;
  }

  private long writeLine(int bank, long nowNanos) {
    lines++;
    freeNanos[bank] = Math.max(nowNanos, freeNanos[bank]) + timing.writeNanos();
    return freeNanos[bank];
  }

  /** How many lines the banks were given. */
  long lines() {
    return lines;
  }
}
