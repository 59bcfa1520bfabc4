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
package org.orcagrid.simulator.checker.znode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Judges watches: the first change behind the state that a read has shown fires the watch that it
 * has set, and the session is told before it is told anything of the state after that change.
 *
 * <p>ZooKeeper's manual names one exception: a watch on a node that is not there misses a node that
 * comes and goes while the session has no connection.
 */
final class ZnodeWatches {
  private final ZnodeTimelines timelines;
  private final List<String> violations = new ArrayList<>();

  /** By session, its answers by their time. */
  private final Map<Integer, TreeMap<Long, ZnodeCall>> answers = new HashMap<>();

  /** By session, when it lost its connection. */
  private final Map<Integer, TreeSet<Long>> losses = new HashMap<>();

  private ZnodeWatches(ZnodeTimelines timelines) {
    this.timelines = timelines;
  }

  /** Which events are lost, late or of nothing. */
  static List<String> judge(ZnodeHistory history, ZnodeTimelines timelines) {
    ZnodeWatches judge = new ZnodeWatches(timelines);
    for (ZnodeCall call : history.calls()) {
      if (call.ended() && call.zxid() > 0) {
        judge
            .answers
            .computeIfAbsent(call.session(), any -> new TreeMap<>())
            .put(call.endNanos(), call);
      }
    }
    for (ZnodeHistory.Loss loss : history.losses()) {
      judge.losses.computeIfAbsent(loss.session(), any -> new TreeSet<>()).add(loss.nanos());
    }
    history.watches().forEach(judge::judge);
    return judge.violations;
  }

  private void judge(ZnodeWatch watch) {
    ZnodeChange first = timelines.firstFiring(watch.path(), watch.ofChildren(), watch.zxid());
    if (watch.fired() && watch.eventZxid() > 0) {
      if (watch.eventZxid() <= watch.zxid()) {
        violations.add("An event of what the session had seen: " + watch);
      }
      if (first != null
          && first.zxid() < watch.eventZxid()
          && !mayMiss(watch, first, watch.eventNanos())) {
        violations.add("An event skips " + first + ": " + watch);
      }
    }
    if (first == null) {
      return;
    }
    TreeMap<Long, ZnodeCall> session = answers.getOrDefault(watch.session(), new TreeMap<>());
    for (ZnodeCall answer : session.tailMap(watch.setNanos(), false).values()) {
      if (answer.endNanos() >= watch.eventNanos()) {
        return;
      }
      if (mayMiss(watch, first, answer.endNanos())) {
        return;
      }
      if (answer.zxid() >= first.zxid()) {
        violations.add("%s of %s was not told before this: %s".formatted(watch, first, answer));
        return;
      }
    }
  }

  private boolean mayMiss(ZnodeWatch watch, ZnodeChange first, long untilNanos) {
    Long loss = losses.getOrDefault(watch.session(), new TreeSet<>()).higher(watch.setNanos());
    return first.creates() && loss != null && loss <= untilNanos;
  }
}
