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
package org.orcagrid.mixed.run;

import java.util.Map;
import java.util.Set;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Ask;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.commit.Sweep;
import org.orcagrid.mixed.store.Reply;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;

/** Asks stores what state machines want to know. */
public final class Votes {
  private Votes() {}

  /**
   * Asks about a commit.
   *
   * @param part that is prepared, decided or applied; null for the ask's own
   * @throws StoreException if there is no answer
   */
  public static Reply ask(Store store, Ask ask, Part part) throws StoreException {
    if (ask instanceof Ask.Prepare) {
      return store.prepare(ask.id(), part);
    } else if (ask instanceof Ask.Decide decide) {
      return store.decide(ask.id(), part, decide.intent());
    } else if (ask instanceof Ask.Fence) {
      return store.fence(ask.id());
    } else if (ask instanceof Ask.CommitPrepared) {
      return store.commitPrepared(ask.id());
    } else if (ask instanceof Ask.AbortPrepared) {
      return store.abortPrepared(ask.id());
    } else if (ask instanceof Ask.Apply apply) {
      return store.apply(ask.id(), part == null ? apply.part() : part);
    }
    store.close(Set.of(ask.id()));
    return Reply.of(Answer.DONE);
  }

  /** Does a step of forgetting; whether it is done. */
  public static boolean sweep(Map<String, Store> byGroup, Sweep.Step step) throws StoreException {
    if (step instanceof Sweep.Step.Refuse refuse) {
      byGroup.get(refuse.store()).refuse(refuse.millis());
    } else if (step instanceof Sweep.Step.AwaitDone await) {
      for (Store each : byGroup.values()) {
        if (!each.isDone(await.millis())) {
          return false;
        }
      }
    } else if (step instanceof Sweep.Step.RefuseAtGroup at) {
      byGroup.get(at.group()).forgetParts(at.millis());
    } else if (step instanceof Sweep.Step.Forget forget) {
      byGroup.get(forget.store()).forget(forget.millis());
    }
    return true;
  }
}
