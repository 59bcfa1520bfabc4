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

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a log says. */
final class Recovery {
  private Recovery() {}

  /**
   * The latest version of each key, in the order in which they were logged.
   *
   * @param adopting whether what a node had before it took over what others have does not count
   */
  static Collection<Write> latest(Iterable<LogRecord> log, boolean adopting) {
    int adopted = adopting ? lastAdoption(log) : 0;
    Map<Key, Write> latest = new LinkedHashMap<>();
    boolean counts = adopted == 0;
    for (LogRecord record : log) {
      if (record instanceof LogRecord.AdoptionBegin begin && begin.view() == adopted) {
        counts = true;
      } else if (counts && record instanceof LogRecord.Version version) {
        add(latest, version.write());
      } else if (counts && record instanceof LogRecord.Batch batch) {
        batch.writes().forEach(write -> add(latest, write));
      } else if (record instanceof LogRecord.OrphansDropped) {
        latest.values().removeIf(Write::isConditional);
      }
    }
    return latest.values();
  }

  private static int lastAdoption(Iterable<LogRecord> log) {
    Map<Integer, Boolean> begun = new HashMap<>();
    int last = 0;
    for (LogRecord record : log) {
      if (record instanceof LogRecord.AdoptionBegin begin) {
        begun.put(begin.view(), true);
      } else if (record instanceof LogRecord.AdoptionEnd end && begun.containsKey(end.view())) {
        last = end.view();
      }
    }
    return last;
  }

  private static void add(Map<Key, Write> latest, Write write) {
    Write before = latest.get(write.key());
    if (before == null || before.clock() < write.clock()) {
      latest.remove(write.key());
      latest.put(write.key(), write);
    }
  }
}
