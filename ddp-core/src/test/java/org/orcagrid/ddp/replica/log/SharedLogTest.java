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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.orcagrid.ddp.replica.Alone.KEY;
import static org.orcagrid.ddp.replica.Alone.VALUE;
import static org.orcagrid.ddp.replica.Alone.assertBroken;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ValueTime;
import org.orcagrid.ddp.replica.state.Write;

/** What maps need of a log that they share. */
class SharedLogTest {
  private static final LogRecord VERSION = new LogRecord.Version(VALUE);
  private static final LogRecord BEGIN = new LogRecord.CheckpointBegin(1);
  private static final int LENGTH = 100;
  private static final SharedLog.Limits LIMITS = new SharedLog.Limits(100 * LENGTH, 2);

  private final SharedLog log = new SharedLog(LIMITS, ReplicaRule.all());
  private long position;

  private long append(int map, LogRecord record) {
    log.part(map).appended(++position, record, LENGTH);
    return position;
  }

  private void checkpoint(int map, int liveRecords) {
    long begin = append(map, BEGIN);
    for (int i = 0; i < liveRecords; i++) {
      append(map, VERSION);
    }
    log.part(map).trim(begin, (long) liveRecords * LENGTH);
    log.checkInvariants();
  }

  @Test
  void itIsTrimmedUpToWhatTheMapNeedsThatNeedsTheOldest() {
    append(1, VERSION);
    append(2, VERSION);
    append(3, VERSION);
    checkpoint(1, 1);
    assertEquals(2, log.trimTo(position));
    checkpoint(3, 1);
    assertEquals(0, log.trimTo(position), "there is nothing new");
    log.remove(2);
    assertEquals(4, log.trimTo(position));
    log.checkInvariants();
  }

  @Test
  void whatIsNotDurableIsNotTrimmed() {
    append(1, VERSION);
    append(2, VERSION);
    log.remove(1);
    assertEquals(1, log.trimTo(1));
    assertEquals(2, log.trimTo(2));
  }

  @Test
  void aLogThatIsTrimmedOfWhatAMapNeedsIsSeen() {
    SharedLog broken = new SharedLog(LIMITS, ReplicaRule.allBut(ReplicaRule.TRIM_SPARES_OTHERS));
    broken.part(1).appended(1, VERSION, LENGTH);
    broken.part(2).appended(2, VERSION, LENGTH);
    assertEquals(2, broken.trimTo(2));
    assertBroken(broken::checkInvariants, "nothing is trimmed that a map needs");
  }

  /** A thousand maps that are idle do not hold up the log that another one fills. */
  @Test
  void idleMapsDoNotHoldUpABusyOne() {
    int idle = 1000;
    int liveOfEach = 3;
    for (int map = 1; map <= idle; map++) {
      for (int i = 0; i < liveOfEach; i++) {
        append(map, VERSION);
      }
    }
    int busy = idle + 1;
    // What is live, three times, and what is written while checkpoints are under way.
    long bound = 4L * (idle + 1) * (liveOfEach + 1) * LENGTH;
    Deque<Integer> asked = new ArrayDeque<>();
    Map<Integer, Integer> times = new HashMap<>();
    for (int i = 0; i < 100_000; i++) {
      append(busy, VERSION);
      log.ask(false, map -> asked.add(map));
      if (i % 10 == 0 && !asked.isEmpty()) {
        int map = asked.poll();
        times.merge(map, 1, Integer::sum);
        checkpoint(map, liveOfEach);
      }
      assertTrue(log.length() <= bound, log.length() + " bytes of " + bound);
    }
    assertTrue(asked.size() <= 64, "so many at once: " + asked.size());
    assertEquals(idle + 1, times.size(), "each of them was asked some time");
  }

  @Test
  void oneThatCannotBeAskedIsAskedLater() {
    append(1, VERSION);
    for (int i = 0; i < 200; i++) {
      append(2, VERSION);
    }
    log.ask(false, map -> false);
    Deque<Integer> asked = new ArrayDeque<>();
    log.ask(false, map -> asked.add(map));
    log.ask(false, map -> asked.add(map));
    assertEquals(List.of(1, 2), List.copyOf(asked), "both begin in the older half, once");
  }

  /** There is to be room to write once more what is live, and not all the time. */
  @Test
  void onAMediumThatIsHalfFullItIsHardlyLongerThanWhatIsLive() {
    int live = 1000;
    checkpoint(1, live);
    Deque<Integer> asked = new ArrayDeque<>();
    log.ask(true, map -> asked.add(map));
    assertEquals(List.of(), List.copyOf(asked), "a checkpoint would make no room");
    for (int i = 0; i < live / 4; i++) {
      append(1, VERSION);
    }
    log.ask(false, map -> asked.add(map));
    assertEquals(List.of(), List.copyOf(asked), "there is room for more");
    log.ask(true, map -> asked.add(map));
    assertEquals(List.of(1), List.copyOf(asked));
  }

  private static ByteBuffer bytes(int map, LogRecord record) {
    ByteBuffer out =
        ByteBuffer.allocate(LogCodec.MAP_BYTES + LogCodec.bytes(record))
            .order(ByteOrder.LITTLE_ENDIAN);
    LogCodec.encode(map, record, out);
    return out.flip();
  }

  /** One that was removed while the node was away. */
  @Test
  void nothingIsKeptOfAMapThatIsKnownToBeGone() {
    SharedLogReader reader = new SharedLogReader(log, map -> map == 4);
    reader.add(1, bytes(4, VERSION));
    reader.add(2, bytes(6, VERSION));
    assertEquals(2, log.trimTo(2), "nobody needs the first record");
    assertEquals(Map.of(), reader.take(4).latest(ValueTime.NEVER));
    assertEquals(Set.of(VALUE), Set.copyOf(reader.take(6).latest(ValueTime.NEVER).values()));
  }

  @Test
  void eachMapHasItsOwnRecordsAndTheMarkIsOfAll() {
    SharedLogReader reader = new SharedLogReader(log);
    Write other = new Write(KEY, 7 << 16, new byte[] {7});
    reader.add(1, bytes(4, VERSION));
    reader.add(2, bytes(6, new LogRecord.Version(other)));
    reader.add(3, bytes(LogCodec.NO_MAP, new LogRecord.Mark(1, 1000, true)));
    assertTrue(reader.mark().closed());
    reader.add(4, bytes(8, VERSION));
    assertEquals(new LogRecord.Mark(1, 1000, false), reader.mark(), "another life went on");
    reader.drop(map -> map == 8);
    assertEquals(Set.of(VALUE), Set.copyOf(reader.take(4).latest(ValueTime.NEVER).values()));
    assertEquals(Set.of(other), Set.copyOf(reader.take(6).latest(ValueTime.NEVER).values()));
    assertEquals(Map.of(), reader.take(8).latest(ValueTime.NEVER), "it was dropped");
    assertEquals(Map.of(), reader.take(9).latest(ValueTime.NEVER), "it was never there");
  }
}
