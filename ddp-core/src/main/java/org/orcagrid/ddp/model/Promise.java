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
package org.orcagrid.ddp.model;

import static org.orcagrid.ddp.model.Consistency.CAUSAL;
import static org.orcagrid.ddp.model.Consistency.EVENTUAL;
import static org.orcagrid.ddp.model.Consistency.LINEARIZABLE;
import static org.orcagrid.ddp.model.Consistency.READ_ENFORCED;
import static org.orcagrid.ddp.model.Consistency.RELEASE;
import static org.orcagrid.ddp.model.Consistency.TRANSACTIONAL;

import java.util.EnumSet;
import java.util.Set;

/**
 * What a model may promise, whatever crashes: one node, or all at once (DDP, Table 4). A promise
 * assumes that the nodes which served last come back with their durable media. Where nothing is
 * durable, no promise is made: the loss of all nodes takes all.
 */
public enum Promise {
  /**
   * Whatever has completed survives: writes, transactions; persisted scopes where there are some.
   */
  COMPLETED_SURVIVES("what has completed survives", "what has completed may be lost"),
  /** What was read survives. */
  READ_SURVIVES("what was read survives", "what was read may be lost"),
  /** A client never reads an older version of a key than one that it, or whom it has read, knew. */
  MONOTONIC_READS("a client's reads never go back", "a client's reads may go back"),
  /** Nobody reads an older version of a key than anybody has read before. */
  MONOTONIC_FOR_ALL(
      "nobody's reads go back behind anybody's",
      "a read may show less than somebody else has read before"),
  /** Nobody reads an older version of a key than one that was completed before. */
  NON_STALE_READS(
      "a read shows what was completed before it", "a read may miss what was completed before it");

  private final String sentence;
  private final String otherwise;

  Promise(String sentence, String otherwise) {
    this.sentence = sentence;
    this.otherwise = otherwise;
  }

  /** The promise in words. */
  public String sentence() {
    return sentence;
  }

  /** What is to be reckoned with where the promise is not made, in words. */
  public String otherwise() {
    return otherwise;
  }

  /** The promises that a model makes. */
  public static Set<Promise> of(Ddp model) {
    Set<Promise> made = EnumSet.noneOf(Promise.class);
    for (Promise promise : values()) {
      if (promise.isMadeBy(model)) {
        made.add(promise);
      }
    }
    return made;
  }

  /**
   * Whether a model makes this promise, for all reads and writes; of acquires and releases more can
   * be said, see {@link Explanation}.
   */
  public boolean isMadeBy(Ddp model) {
    Consistency consistency = model.consistency();
    Persistency persistency = model.persistency();
    boolean together = consistency == LINEARIZABLE || consistency == TRANSACTIONAL;
    boolean completed =
        persistency == Persistency.STRICT
            || persistency == Persistency.SCOPE
            || (persistency == Persistency.SYNCHRONOUS && together);
    boolean read = persistency.isBeforeVisible() || persistency.isBeforeRead();
    boolean showsWhatItHas = consistency == EVENTUAL || consistency == RELEASE;
    boolean forAll = together || consistency == READ_ENFORCED;
    return switch (this) {
      case COMPLETED_SURVIVES -> completed;
      case READ_SURVIVES -> read;
      case MONOTONIC_READS -> read && (forAll || consistency == CAUSAL);
      case MONOTONIC_FOR_ALL -> read && forAll;
      case NON_STALE_READS -> read && completed && (forAll || showsWhatItHas);
    };
  }
}
