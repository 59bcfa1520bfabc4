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
package org.orcagrid.mixed.store.postgres;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.orcagrid.mixed.track.VectorClock;

/** Clocks as the database has them: {@code {"east": 7, "west": 9}}. */
final class ClockText {
  private ClockText() {}

  static VectorClock clock(String text) {
    Map<String, Long> counts = new HashMap<>();
    for (String each : text.replaceAll("[{}\" ]", "").split(",")) {
      int colon = each.lastIndexOf(':');
      if (colon > 0) {
        counts.put(each.substring(0, colon), Long.parseLong(each.substring(colon + 1)));
      }
    }
    return positive(counts);
  }

  static VectorClock positive(Map<String, Long> counts) {
    Map<String, Long> some = new HashMap<>(counts);
    some.values().removeIf(each -> each == 0);
    return new VectorClock(some);
  }

  static String text(VectorClock clock) {
    StringBuilder text = new StringBuilder("{");
    new TreeMap<>(clock.counts())
        .forEach(
            (group, count) ->
                text.append(text.length() == 1 ? "" : ",")
                    .append('"')
                    .append(group)
                    .append("\":")
                    .append(count));
    return text.append('}').toString();
  }
}
