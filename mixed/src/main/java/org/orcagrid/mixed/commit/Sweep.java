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
import java.util.List;
import java.util.Set;

/**
 * Has stores forget transactions that began before some time. First nothing as old is decided any
 * more; then all that was decided is done; then groups refuse what is as old, and forget its ids;
 * and last the store that decides forgets them.
 */
public final class Sweep {
  private final List<Step> steps;
  private int next;

  /** What is to be done. */
  public sealed interface Step {
    /** A store decides nothing that began up to a time, and prepares nothing. */
    record Refuse(String store, long millis) implements Step {}

    /** Whether no store has an intent from up to a time, or anything prepared. */
    record AwaitDone(long millis) implements Step {}

    /** A group takes what began up to a time for done, and then forgets the ids. */
    record RefuseAtGroup(String group, long millis) implements Step {}

    /** A store does not know any more of what began up to a time. */
    record Forget(String store, long millis) implements Step {}
  }

  /**
   * One.
   *
   * @param stores all that decide or prepare
   * @param groups all that an intent may name
   */
  public Sweep(long millis, List<String> stores, List<String> groups) {
    this(millis, stores, groups, CommitRule.all());
  }

  Sweep(long millis, List<String> stores, List<String> groups, Set<CommitRule> rules) {
    List<Step> all = new ArrayList<>();
    if (rules.contains(CommitRule.DECIDER_REFUSES_FIRST)) {
      stores.forEach(store -> all.add(new Step.Refuse(store, millis)));
    }
    if (rules.contains(CommitRule.REFUSED_WHEN_CLOSED)) {
      all.add(new Step.AwaitDone(millis));
    }
    groups.forEach(group -> all.add(new Step.RefuseAtGroup(group, millis)));
    stores.forEach(store -> all.add(new Step.Forget(store, millis)));
    this.steps = List.copyOf(all);
  }

  /** Whether all have forgotten. */
  public boolean isOver() {
    return next == steps.size();
  }

  /** What to do next, while it is not over; again until it is done. */
  public Step next() {
    return steps.get(next);
  }

  /** What {@link #next} has said is done, as a store has answered. */
  public void onDone(Step step) {
    if (!isOver() && step.equals(next())) {
      next++;
    }
  }
}
