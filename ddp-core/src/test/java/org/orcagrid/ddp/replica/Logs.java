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
package org.orcagrid.ddp.replica;

import java.util.List;
import java.util.Set;
import org.orcagrid.ddp.replica.log.LogCodec;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.log.SharedLog;
import org.orcagrid.ddp.replica.log.SharedLogReader;
import org.orcagrid.ddp.replica.state.ValueTime;

/** Logs of one map, as lists. */
final class Logs {
  private static final int MAP = 1;

  private Logs() {}

  /** A replica takes what a log says. */
  static void recover(Replica replica, List<LogRecord> log) {
    SharedLogReader reader = new SharedLogReader(new SharedLog(SharedLog.Limits.DEFAULT, Set.of()));
    long position = 0;
    for (LogRecord record : log) {
      boolean isMark = record instanceof LogRecord.Mark;
      reader.add(isMark ? LogCodec.NO_MAP : MAP, ++position, record, LogCodec.bytes(record));
    }
    replica.recover(reader.take(MAP), reader.mark(), ValueTime.NEVER);
  }
}
