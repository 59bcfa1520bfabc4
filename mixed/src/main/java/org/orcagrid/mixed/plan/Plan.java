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
package org.orcagrid.mixed.plan;

import java.util.List;
import java.util.Set;
import org.orcagrid.mixed.level.Level;

/**
 * A transaction, checked and split into a phase for each level, strongest first (MyriaStore,
 * section 3.5). It does not change, and may be evaluated again, by any thread.
 */
public final class Plan {
  private final List<Class<? extends Level>> levels;
  private final Split split;

  private Plan(List<Class<? extends Level>> levels, Split split) {
    this.levels = levels;
    this.split = split;
  }

  /**
   * Checks a transaction, and splits it.
   *
   * @throws IllegalTransactionException if something weak would decide something strong, a variable
   *     is used where it is not bound, or it is too long
   */
  public static Plan of(Command program) {
    return of(program, PlanRule.all());
  }

  static Plan of(Command program, Set<PlanRule> rules) {
    Checker checker = new Checker(rules);
    checker.check(program);
    List<Class<? extends Level>> levels = Phases.of(program);
    Splitter splitter = new Splitter(levels);
    Step step = splitter.split(program);
    List<Site> endorsed = List.copyOf(splitter.endorsed());
    return new Plan(levels, new Split(step, endorsed, splitter.loops(), checker.stores(), rules));
  }

  /** The levels of its phases, in their order. */
  public List<Class<? extends Level>> levels() {
    return levels;
  }

  /** What is endorsed, and why. */
  public List<Endorsement> endorsements() {
    return split.endorsed().stream()
        .map(each -> (Term.Endorsed) each.term())
        .map(each -> new Endorsement(each.level(), each.reason()))
        .toList();
  }

  /**
   * What is taken for more consistent than it is.
   *
   * @param level what it is taken for
   */
  public record Endorsement(Class<? extends Level> level, String reason) {}

  /**
   * Evaluates all phases. Nothing is committed here: when this throws, the caller aborts what the
   * access has begun.
   *
   * @return what the transaction's results are
   * @throws FunctionFailedException if one of its functions fails whose value is used
   * @throws IllegalTransactionException if a reference leads to another level than it should
   * @throws MissingException if the access lacks something; it has been asked for all that can be
   *     known to be needed by now
   */
  public Results evaluate(Access access) {
    Values values = new Values(split.rules().contains(PlanRule.FOUND_BY_ITERATION));
    Results results = new Results();
    Phase before = new Phase(Phases.BEFORE_ALL, split, values, access, results);
    split.endorsed().forEach(before::endorse);
    before.end();
    for (int i = 0; i < levels.size(); i++) {
      Phase phase = new Phase(i, split, values, access, results);
      phase.run(split.program());
      phase.end();
    }
    return results;
  }
}
