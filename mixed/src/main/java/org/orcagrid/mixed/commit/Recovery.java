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
package org.orcagrid.mixed.commit;

import java.util.List;
import java.util.Set;
import org.orcagrid.mixed.plan.TransactionId;

/**
 * Finishes what somebody has left: an intent, or what a store has prepared and heard no more of.
 * Several may do so at once, and the one who has begun, too.
 */
public final class Recovery {
  private final TransactionId id;
  private final Set<CommitRule> rules;

  /** Of an intent; else null. */
  private final Finish finish;

  /** That has prepared; else null. */
  private final String store;

  private boolean over;

  private Recovery(TransactionId id, Finish finish, String store, Set<CommitRule> rules) {
    this.id = id;
    this.finish = finish;
    this.store = store;
    this.rules = rules;
  }

  /** Does what an intent says. */
  public static Recovery ofIntent(Intent intent) {
    return ofIntent(intent, CommitRule.all());
  }

  static Recovery ofIntent(Intent intent, Set<CommitRule> rules) {
    return new Recovery(intent.id(), new Finish(intent, rules), null, rules);
  }

  /** Asks whether what a store has prepared was decided, and has it never be if not. */
  public static Recovery ofPrepared(TransactionId id, String store) {
    return ofPrepared(id, store, CommitRule.all());
  }

  static Recovery ofPrepared(TransactionId id, String store, Set<CommitRule> rules) {
    return new Recovery(id, null, store, rules);
  }

  /** Of which transaction. */
  public TransactionId id() {
    return id;
  }

  /** Whether nothing is left to do. */
  public boolean isOver() {
    return finish == null ? over : finish.isClosed();
  }

  /** What to ask first. */
  public List<Ask> begin() {
    if (finish != null) {
      return finish.begin();
    }
    return rules.contains(CommitRule.PREPARED_FOLLOW_DECISION)
        ? List.of(new Ask.Fence(id))
        : List.of(new Ask.AbortPrepared(id, store));
  }

  /** What to ask next. */
  public List<Ask> onAnswer(Ask ask, Answer answer) {
    if (finish != null) {
      return finish.onAnswer(ask, answer);
    }
    if (!(ask instanceof Ask.Fence)) {
      over = answer == Answer.DONE;
      return over ? List.of() : List.of(ask);
    }
    return switch (answer) {
      case DONE -> List.of(new Ask.CommitPrepared(id, store));
      // What was decided was finished before it was forgotten, and this is not.
      case NEVER, FORGOTTEN -> List.of(new Ask.AbortPrepared(id, store));
      default -> List.of(ask);
    };
  }
}
