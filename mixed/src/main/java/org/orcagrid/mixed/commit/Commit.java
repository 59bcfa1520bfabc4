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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Commits a transaction that was evaluated. Of the stores that can refuse, all but one prepare;
 * that one decides, and keeps an intent; then the rest follows, whoever does it.
 *
 * <p>Who runs this asks stores what {@link #begin} and {@link #onAnswer} return, and hands back
 * each answer, {@link Answer#UNKNOWN} after a while. It may end at any time: {@link Recovery} goes
 * on.
 */
public final class Commit {
  private final Intent intent;
  private final Set<CommitRule> rules;
  private final Finish finish;

  private final Set<String> left;
  private Stage stage = Stage.PREPARING;
  private Outcome outcome;

  private enum Stage {
    PREPARING,
    DECIDING,
    FENCING,
    FINISHING,
    OVER
  }

  /** A transaction whose parts are in open transactions of their stores. */
  public Commit(Intent intent) {
    this(intent, CommitRule.all());
  }

  /** One with a rule missing, for tests. */
  public Commit(Intent intent, Set<CommitRule> rules) {
    this.intent = intent;
    this.rules = rules;
    this.finish = new Finish(intent, rules);
    this.left = new HashSet<>(intent.prepared());
  }

  /** What is known; null while it is not over. */
  public Outcome outcome() {
    return outcome;
  }

  /** What to ask first. */
  public List<Ask> begin() {
    if (left.isEmpty() || !rules.contains(CommitRule.PREPARED_BEFORE_DECIDED)) {
      return decide();
    }
    return intent.prepared().stream()
        .map(store -> (Ask) new Ask.Prepare(intent.id(), store))
        .toList();
  }

  private List<Ask> decide() {
    stage = Stage.DECIDING;
    return List.of(new Ask.Decide(intent.id(), intent));
  }

  /** What to ask next. An answer that comes late, or again, changes nothing. */
  public List<Ask> onAnswer(Ask ask, Answer answer) {
    if (ask instanceof Ask.Prepare prepare && stage == Stage.PREPARING) {
      return onPrepared(prepare, answer);
    } else if (ask instanceof Ask.Decide && stage == Stage.DECIDING) {
      return onDecided(answer);
    } else if (ask instanceof Ask.Fence && stage == Stage.FENCING) {
      return onFenced(answer);
    } else if (stage == Stage.FINISHING) {
      return onFinishing(ask, answer);
    }
    return List.of();
  }

  private List<Ask> onPrepared(Ask.Prepare ask, Answer answer) {
    if (answer != Answer.DONE) {
      return left.contains(ask.store()) ? abort(answer == Answer.CONFLICT) : List.of();
    }
    left.remove(ask.store());
    return left.isEmpty() ? decide() : List.of();
  }

  private List<Ask> onDecided(Answer answer) {
    if (answer == Answer.DONE) {
      return finish();
    } else if (answer == Answer.CONFLICT || answer == Answer.NEVER) {
      return abort(answer == Answer.CONFLICT);
    } else if (!rules.contains(CommitRule.FENCED_BEFORE_ABORTED)) {
      return abort(false);
    }
    stage = Stage.FENCING;
    return List.of(new Ask.Fence(intent.id()));
  }

  private List<Ask> onFenced(Answer answer) {
    if (answer == Answer.DONE) {
      return finish();
    } else if (answer == Answer.NEVER) {
      return abort(false);
    }
    end(new Outcome.Unknown(intent.id()));
    return List.of();
  }

  private List<Ask> finish() {
    stage = Stage.FINISHING;
    List<Ask> asks = finish.begin();
    look();
    return asks;
  }

  private List<Ask> onFinishing(Ask ask, Answer answer) {
    List<Ask> asks = finish.onAnswer(ask, answer);
    look();
    return asks;
  }

  /** The intent is still to be closed then. */
  private void look() {
    if (finish.isDone()) {
      outcome = new Outcome.Committed();
    }
  }

  private void end(Outcome last) {
    stage = Stage.OVER;
    outcome = last;
  }

  /** Nobody has decided: all give up, the store that would have decided, too. */
  private List<Ask> abort(boolean isConflict) {
    end(new Outcome.Aborted(isConflict));
    List<Ask> asks = new ArrayList<>();
    if (rules.contains(CommitRule.FENCED_BEFORE_ABORTED)) {
      asks.add(new Ask.Fence(intent.id()));
    }
    intent.prepared().forEach(store -> asks.add(new Ask.AbortPrepared(intent.id(), store)));
    return asks;
  }

  /** The caller waits no longer. What is decided stays so, and others finish it. */
  public List<Ask> onDeadline() {
    if (outcome != null) {
      return List.of();
    }
    if (!rules.contains(CommitRule.DECIDED_IS_FINISHED)) {
      end(new Outcome.Unknown(intent.id()));
      return List.of(new Ask.Close(intent.id()));
    }
    switch (stage) {
      case PREPARING -> {
        return abort(false);
      }
      case FINISHING -> end(new Outcome.CommittedPending(finish.missing()));
      default -> end(new Outcome.Unknown(intent.id()));
    }
    return List.of();
  }
}
