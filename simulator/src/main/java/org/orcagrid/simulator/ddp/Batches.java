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
package org.orcagrid.simulator.ddp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.replica.consistency.Operation;

/**
 * Whether batches are such: whoever sees one write of a batch at a moment sees all of them, or
 * later versions; what has held is what was found; and no write of the same node's life came
 * between what a batch has found and what it has written.
 */
final class Batches {
  private final List<BatchEvent> batches;
  private final List<String> broken = new ArrayList<>();

  Batches(List<BatchEvent> batches) {
    this.batches = batches;
  }

  /**
   * Judges them.
   *
   * @param history reads and writes; reads of one moment have a unit of their own
   * @param states what all keys had at moments at which somebody has looked at all of them
   */
  List<String> judge(List<DdpEvent> history, List<Map<Integer, Long>> states) {
    for (BatchEvent batch : batches) {
      expectations(batch);
      updates(batch, history);
    }
    Map<Long, BatchEvent> byClock = new HashMap<>();
    batches.stream().filter(each -> each.clock() != 0).forEach(b -> byClock.put(b.clock(), b));
    moments(history, byClock);
    for (Map<Integer, Long> state : states) {
      state.forEach((key, clock) -> whole(byClock.get(clock), key, state));
    }
    return broken;
  }

  private void expectations(BatchEvent batch) {
    if (batch.found() != null && batch.held() != batch.isAsExpected()) {
      broken.add("not compared with what was there: " + batch);
    }
    if (batch.found() != null && !batch.held() && batch.clock() != 0) {
      broken.add("written though an expectation did not hold: " + batch);
    }
  }

  /** Of one writer's versions the later one has come later: it must not have replaced unseen. */
  private void updates(BatchEvent batch, List<DdpEvent> history) {
    if (batch.clock() == 0 || batch.found() == null) {
      return;
    }
    for (DdpEvent write : history) {
      if (write.kind() == Operation.Kind.WRITE
          && batch.expected().containsKey(write.key())
          && Timestamp.writer(write.clock()) == Timestamp.writer(batch.clock())
          && write.clock() < batch.clock()
          && write.clock() > batch.least().get(write.key())) {
        broken.add("a batch has lost an update: " + write + " came into " + batch);
      }
    }
  }

  private void moments(List<DdpEvent> history, Map<Long, BatchEvent> byClock) {
    Map<Integer, Map<Integer, Long>> moments = new TreeMap<>();
    List<DdpEvent> found = new ArrayList<>();
    for (DdpEvent event : history) {
      if (event.kind() == Operation.Kind.READ && event.isDone() && event.transaction() >= 0) {
        moments
            .computeIfAbsent(event.transaction(), unit -> new TreeMap<>())
            .put(event.key(), event.clock());
        if (event.values().base() != 0) {
          // Not what was found out later of a key that had no version.
          found.add(event);
        }
      }
    }
    for (DdpEvent read : found) {
      whole(byClock.get(read.clock()), read.key(), moments.get(read.transaction()));
    }
  }

  /** Somebody has seen a version of this key; null if it is of no batch. */
  private void whole(BatchEvent batch, int key, Map<Integer, Long> moment) {
    if (batch == null || !batch.written().contains(key)) {
      return;
    }
    for (int other : batch.written()) {
      if (moment.containsKey(other) && moment.get(other) < batch.clock()) {
        broken.add("only a part of a batch was seen: " + moment + " of " + batch);
      }
    }
  }
}
