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
package org.orcagrid.ddp.replica.consistency;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.Update;

/**
 * The keys of updates that have had their turn at a node and are not visible there yet, since they
 * are not durable. A batch that expects something waits for them: its expectation is about a
 * version that is about to be replaced.
 *
 * <p>A batch that waits claims its keys, so that writes which have come later do not keep it
 * waiting for ever.
 */
final class KeysUnderWay {
  /** By key, how many updates. */
  private final Map<Key, Integer> updates = new HashMap<>();

  /** By key, the batch that goes first. */
  private final Map<Key, Operation> claims = new HashMap<>();

  void begins(Update update) {
    for (Write write : update.writes()) {
      updates.merge(write.key(), 1, Integer::sum);
    }
  }

  void ends(Update update) {
    for (Write write : update.writes()) {
      updates.computeIfPresent(write.key(), (key, count) -> count == 1 ? null : count - 1);
    }
  }

  /** Whether no earlier batch waits for a key. */
  boolean isFree(Key key, Operation by) {
    Operation first = claims.get(key);
    return first == null || first == by;
  }

  /** Whether a batch's turn has come; if not, it goes before what comes later. */
  boolean hasTurn(Operation batch, Collection<Key> keys) {
    if (!keys.stream().allMatch(key -> isFree(key, batch))) {
      return false;
    }
    if (keys.stream().noneMatch(updates::containsKey)) {
      claims.values().removeIf(each -> each == batch);
      return true;
    }
    keys.forEach(key -> claims.put(key, batch));
    return false;
  }

  /** A session has ended, with what it waited for. */
  void onClosed(ReplicaSession session) {
    claims.values().removeIf(each -> each.session() == session);
  }

  /** What is claimed is claimed by a batch that waits. */
  void checkInvariants() {
    for (Operation each : claims.values()) {
      Invariant.check(each.status() == Operation.Status.OPEN, "a claim is of what has not ended");
    }
  }

  boolean isEmpty() {
    return updates.isEmpty();
  }
}
