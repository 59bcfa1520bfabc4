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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Does what a decided transaction has left to do, in any order, and closes its intent. */
final class Finish {
  private final Intent intent;
  private final Set<CommitRule> rules;
  private final Set<String> prepared;
  private final Set<Part> parts;
  private boolean closing;
  private boolean closed;

  Finish(Intent intent, Set<CommitRule> rules) {
    this.intent = intent;
    this.rules = rules;
    this.prepared = new LinkedHashSet<>(intent.prepared());
    this.parts = new LinkedHashSet<>(intent.parts());
    // Of nothing that is left to do, no intent is kept.
    this.closing = isDone();
    this.closed = closing;
  }

  List<Ask> begin() {
    List<Ask> asks = new ArrayList<>();
    prepared.forEach(store -> asks.add(new Ask.CommitPrepared(intent.id(), store)));
    parts.forEach(part -> asks.add(new Ask.Apply(intent.id(), part, 0)));
    closeIfDone(asks);
    return asks;
  }

  List<Ask> onAnswer(Ask ask, Answer answer) {
    List<Ask> asks = new ArrayList<>();
    if (answer != Answer.DONE) {
      if (isLeft(ask)) {
        asks.add(again(ask));
      }
    } else if (ask instanceof Ask.CommitPrepared commit) {
      prepared.remove(commit.store());
    } else if (ask instanceof Ask.Apply apply) {
      parts.remove(apply.part());
    } else if (ask instanceof Ask.Close) {
      closed = true;
    }
    closeIfDone(asks);
    return asks;
  }

  /** An answer may come after another one to the same. */
  private boolean isLeft(Ask ask) {
    if (ask instanceof Ask.CommitPrepared commit) {
      return prepared.contains(commit.store());
    }
    return ask instanceof Ask.Apply apply ? parts.contains(apply.part()) : !closed;
  }

  private static Ask again(Ask ask) {
    return ask instanceof Ask.Apply apply
        ? new Ask.Apply(apply.id(), apply.part(), apply.attempt() + 1)
        : ask;
  }

  private void closeIfDone(List<Ask> asks) {
    if (!closing && (isDone() || !rules.contains(CommitRule.CLOSED_WHEN_DONE))) {
      closing = true;
      asks.add(new Ask.Close(intent.id()));
    }
  }

  /** Whether all of it is committed. */
  boolean isDone() {
    return prepared.isEmpty() && parts.isEmpty();
  }

  boolean isClosed() {
    return closed && isDone();
  }

  /** Who has not answered. */
  List<String> missing() {
    List<String> missing = new ArrayList<>(prepared);
    parts.forEach(part -> missing.add(part.group()));
    return missing;
  }
}
