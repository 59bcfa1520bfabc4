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
package org.orcagrid.examples.groups;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What has happened with one way of doing it. Any thread may call it. */
final class Tally {
  private static final int LINES_MAX = 8;

  private final Way way;
  private final Deque<String> lines = new ArrayDeque<>();
  private final Map<String, Way.Sight> last = new LinkedHashMap<>();
  private long posts;
  private long reads;
  private long half;
  private long doubled;
  private long notYet;

  Tally(Way way) {
    this.way = way;
  }

  Way way() {
    return way;
  }

  void post(String region, String text, boolean dies) {
    String told = way.post(region, text, dies);
    synchronized (this) {
      posts++;
      say(region + " posts" + (dies ? ", and dies: " : ": ") + told);
    }
  }

  Way.Sight read(String region) {
    Way.Sight sight = way.read(region);
    synchronized (this) {
      reads++;
      if (!sight.isThere()) {
        notYet++;
        say(region + " reads: not yet");
      } else {
        half += sight.missing() > 0 ? 1 : 0;
        doubled = Math.max(doubled, sight.doubled());
        say(
            region
                + " reads: "
                + sight.count()
                + " counted, "
                + (sight.missing() > 0 ? sight.missing() + " of them not there" : "all there")
                + (sight.doubled() > 0 ? ", " + sight.doubled() + " twice" : ""));
      }
      last.put(region, sight);
    }
    return sight;
  }

  private void say(String line) {
    lines.addFirst(line);
    if (lines.size() > LINES_MAX) {
      lines.removeLast();
    }
  }

  /** Reads that saw a number without its post. */
  synchronized long half() {
    return half;
  }

  /** Posts that are there more than once. */
  synchronized long doubled() {
    return doubled;
  }

  /** Reads that had to wait for too long. */
  synchronized long notYet() {
    return notYet;
  }

  synchronized Map<String, Object> state() {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("id", way.id());
    state.put("posts", posts);
    state.put("reads", reads);
    state.put("half", half);
    state.put("doubled", doubled);
    state.put("notYet", notYet);
    state.put("lines", List.copyOf(lines));
    Map<String, Object> regions = new LinkedHashMap<>();
    last.forEach(
        (region, sight) ->
            regions.put(
                region,
                Map.of(
                    "shown", sight.isThere(),
                    "count", sight.count(),
                    "missing", sight.missing(),
                    "doubled", sight.doubled(),
                    "inbox", lastOf(sight.inbox()))));
    state.put("regions", regions);
    return state;
  }

  private static List<String> lastOf(List<String> inbox) {
    return inbox.subList(Math.max(0, inbox.size() - 5), inbox.size());
  }

  @Override
  public synchronized String toString() {
    return String.format(
        "%-6s %6d %6d %24d %14d %8d", way.id(), posts, reads, half, doubled, notYet);
  }

  /** What the columns of {@link #toString} are. */
  static String heading() {
    return String.format(
        "%-6s %6s %6s %24s %14s %8s",
        "way", "posts", "reads", "number without its post", "posts twice", "not yet");
  }
}
