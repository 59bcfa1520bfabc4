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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.Replica;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/**
 * What a node has told of what becomes visible there, in one of its lives, held against what its
 * clients read: every version of a key follows the one that was told before, and nobody reads what
 * was not told. That nothing follows nothing is not told.
 */
final class Watched {
  private final Ddp model;

  /** What was there when the node had begun to serve, visible or not. */
  private final Map<Key, Long> first = new HashMap<>();

  private boolean serves;

  private final Map<Key, Write> told = new HashMap<>();

  Watched(Ddp model) {
    this.model = model;
  }

  /** The node has done something. */
  void afterStep(Replica replica, List<Key> keys) {
    if (!serves) {
      for (Key key : keys) {
        Write there = replica.peek(key);
        first.put(key, there == null ? 0 : there.clock());
      }
      serves = replica.isServing();
    }
  }

  void shown(Key key, Write earlier, Write now) {
    Write last = told.get(key);
    boolean follows =
        last == null
            || (isNothing(earlier) && isNothing(last))
            || (earlier != null && earlier.clock() == last.clock());
    Invariant.check(follows, "what was told is followed: " + last + " by " + earlier);
    boolean over = now != null && now.value() == null;
    boolean later =
        now == null
            || earlier == null
            || now.clock() > earlier.clock()
            || (over && now.clock() == earlier.clock());
    Invariant.check(later, "what is told is later: " + now + " after " + earlier);
    // Of a removal that is forgotten nobody knows the clock.
    told.put(key, now == null ? new Write(key, earlier.clock(), null) : now);
  }

  void ended(Operation operation) {
    boolean reads =
        operation.kind() == Operation.Kind.READ || operation.kind() == Operation.Kind.ACQUIRE;
    // Transactions read what they have written themselves.
    if (reads
        && operation.status() == Operation.Status.DONE
        && operation.read() != null
        && model.consistency() != Consistency.TRANSACTIONAL) {
      Write last = told.get(operation.key());
      boolean known = isKnown(operation.key(), operation.read(), last);
      Invariant.check(known, "what is read was told: " + operation.read() + " after " + last);
    }
  }

  private boolean isKnown(Key key, Write version, Write last) {
    return version.clock() <= first.get(key)
        || (last != null && version.clock() <= last.clock())
        || (isNothing(version) && isNothing(last));
  }

  private static boolean isNothing(Write version) {
    return version == null || version.value() == null;
  }

  /** Nothing is under way any more. */
  void requireAllTold(Replica replica) {
    for (Map.Entry<Key, Long> each : first.entrySet()) {
      Write there = replica.peek(each.getKey());
      Write last = told.get(each.getKey());
      boolean known = there == null || isKnown(each.getKey(), there, last);
      Invariant.check(known, "what is there was told: " + there + " after " + last);
    }
  }
}
