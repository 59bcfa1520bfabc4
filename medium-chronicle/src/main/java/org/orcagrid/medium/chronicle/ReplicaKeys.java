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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import org.orcagrid.ddp.replica.log.LogCodec;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Write;

/**
 * The keys of what the maps of a journal log: of each key of a map the version with the greatest
 * clock is kept. A batch, whose versions are there together or not at all, is kept as single
 * versions, since the medium keeps all of a record at once. What a transaction has logged before
 * its batch is not kept: nothing follows from it.
 *
 * <p>Versions from before and after a node has begun to take over what the others have of a map do
 * not replace each other, as the ones may count and the others not. Who has taken over trims. The
 * same holds for versions before and after what orphans are dropped by, and for versions of
 * read-modify-writes and others: those may be dropped, and what they stood for counts again.
 */
public final class ReplicaKeys implements RecordKeys {
  /** The key of no version: those have a map. */
  private static final ByteBuffer MARK =
      ByteBuffer.allocate(Integer.BYTES).putInt(LogCodec.NO_MAP).flip();

  /** In which view each map has last given up what it had, for those that have. */
  private final Map<Integer, Integer> views = new HashMap<>();

  @Override
  public void sort(ByteBuffer record, Kept kept) {
    ByteBuffer in = record.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    int map = in.getInt();
    LogRecord decoded = LogCodec.decode(in);
    if (decoded instanceof LogRecord.Version version) {
      kept.latest(key(map, version.write()), version.write().clock(), record);
    } else if (decoded instanceof LogRecord.Batch batch) {
      batch.writes().forEach(each -> kept.latest(key(map, each), each.clock(), version(map, each)));
    } else if (decoded instanceof LogRecord.AdoptionBegin begin) {
      views.put(map, begin.view());
      kept.untilTrimmed(record);
    } else if (decoded instanceof LogRecord.OrphansDropped dropped) {
      views.put(map, dropped.view());
      kept.untilTrimmed(record);
    } else if (decoded instanceof LogRecord.Mark mark) {
      kept.latest(MARK.duplicate(), mark.number(), record);
    } else if (!isOfOpenTransaction(decoded)) {
      kept.untilTrimmed(record);
    }
  }

  private static boolean isOfOpenTransaction(LogRecord record) {
    return record instanceof LogRecord.Begun || record instanceof LogRecord.Tentative;
  }

  private ByteBuffer key(int map, Write write) {
    ByteBuffer bytes = ByteBuffer.allocate(2 * Integer.BYTES + 1 + write.key().length());
    bytes.putInt(map).putInt(views.getOrDefault(map, 0));
    write.key().copyTo(bytes.put((byte) (write.isConditional() ? 1 : 0)));
    return bytes.flip();
  }

  private static ByteBuffer version(int map, Write write) {
    LogRecord version = new LogRecord.Version(write);
    ByteBuffer bytes =
        ByteBuffer.allocate(LogCodec.MAP_BYTES + LogCodec.bytes(version))
            .order(ByteOrder.LITTLE_ENDIAN);
    LogCodec.encode(map, version, bytes);
    return bytes.flip();
  }
}
