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

/** Finds out when a log was last there, from all of its records in their order. */
final class Marks {
  private LogRecord.Mark latest;
  private boolean isLast;

  /** The next record, whatever it is. */
  void add(LogRecord record) {
    isLast = false;
    if (record instanceof LogRecord.Mark mark) {
      latest = latest == null || latest.number() < mark.number() ? mark : latest;
      isLast = latest.equals(mark);
    }
  }

  /** The last mark, null if there was none; it is of the end only if nothing is behind it. */
  LogRecord.Mark last() {
    // Otherwise another life has gone on with the log, and was not closed.
    return latest == null || isLast
        ? latest
        : new LogRecord.Mark(latest.number(), latest.millis(), false);
  }
}
