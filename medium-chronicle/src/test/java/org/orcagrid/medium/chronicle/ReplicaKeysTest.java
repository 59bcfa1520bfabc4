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
package org.orcagrid.medium.chronicle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.log.LogCodec;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

class ReplicaKeysTest {
  private static final int MAP = 5;

  private final ReplicaKeys keys = new ReplicaKeys();

  /** What is kept of a record of a map, as text. */
  private List<String> kept(LogRecord record) {
    return kept(MAP, record);
  }

  private List<String> kept(int map, LogRecord record) {
    ByteBuffer bytes =
        ByteBuffer.allocate(LogCodec.MAP_BYTES + LogCodec.bytes(record))
            .order(ByteOrder.LITTLE_ENDIAN);
    LogCodec.encode(map, record, bytes);
    List<String> kept = new ArrayList<>();
    keys.sort(
        bytes.flip().slice(),
        new RecordKeys.Kept() {
          @Override
          public void latest(ByteBuffer key, long order, ByteBuffer record) {
            LogRecord version = decoded(map, record);
            assertEquals(map, key.getInt(0));
            int beforeKey = 2 * Integer.BYTES + 1;
            byte[] letters = new byte[key.remaining() - beforeKey];
            key.get(beforeKey, letters);
            Key own = Key.of(letters);
            Write write = ((LogRecord.Version) version).write();
            assertEquals(own, write.key());
            assertEquals(order, write.clock());
            kept.add(own + "@" + order + " of view " + key.getInt(Integer.BYTES));
          }

          @Override
          public void untilTrimmed(ByteBuffer record) {
            kept.add(decoded(map, record).toString());
          }
        });
    return kept;
  }

  private static LogRecord decoded(int map, ByteBuffer record) {
    ByteBuffer in = record.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(map, in.getInt());
    return LogCodec.decode(in);
  }

  private static Write write(String key, long clock) {
    return new Write(Key.of(key), clock, new byte[] {1, 2, 3});
  }

  @Test
  void ofEachKeyTheGreatestClockIsKept() {
    assertEquals(List.of("a@7 of view 0"), kept(new LogRecord.Version(write("a", 7))));
    assertEquals(
        List.of("a@8 of view 0"),
        kept(new LogRecord.Version(new Write(Key.of("a"), 8, null))),
        "that it is removed is a version");
  }

  @Test
  void aBatchIsKeptAsVersions() {
    assertEquals(
        List.of("a@7 of view 0", "b@9 of view 0"),
        kept(new LogRecord.Batch(List.of(write("a", 7), write("b", 9)))));
  }

  @Test
  void nothingFollowsFromATransactionThatHasNotEnded() {
    assertEquals(List.of(), kept(new LogRecord.Begun(3)));
    assertEquals(List.of(), kept(new LogRecord.Tentative(3, write("a", 7))));
  }

  @Test
  void versionsFromBeforeATakeoverDoNotReplaceThoseBehindIt() {
    LogRecord begin = new LogRecord.AdoptionBegin(4);
    LogRecord end = new LogRecord.AdoptionEnd(4, 1);
    assertEquals(List.of(begin.toString()), kept(begin));
    assertEquals(List.of("a@7 of view 4"), kept(new LogRecord.Version(write("a", 7))));
    assertEquals(List.of(end.toString()), kept(end));
    assertEquals(List.of("a@8 of view 4"), kept(new LogRecord.Version(write("a", 8))));
    assertEquals(
        List.of("a@8 of view 0"),
        kept(MAP + 1, new LogRecord.Version(write("a", 8))),
        "another map has taken over nothing");
  }
}
