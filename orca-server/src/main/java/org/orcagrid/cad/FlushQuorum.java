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
package org.orcagrid.cad;

import java.util.ArrayList;
import java.util.List;

/**
 * Which learners are asked to force their logs in a flush round: with the leader the fewest that
 * are a quorum, the fastest first.
 *
 * <p>The paper has the whole active set flush (R1, section 4.4.1). What is shown has to be
 * persisted by a quorum and applied by the whole set, and no more ({@link ActiveSet} says why). The
 * others force in the background, so that a round ends all the same if one of those asked does not
 * answer.
 *
 * <p>Now and then everybody is asked, to see who is fastest.
 *
 * <p>Not thread-safe; the owner guards it.
 */
public final class FlushQuorum {

  /** Everybody is asked once in so many rounds. */
  static final int ROUNDS_TO_MEASURE = 64;

  private final long selfId;
  private final List<Long> fastestFirst = new ArrayList<>();

  /** The round that everybody was asked to take part in, and how many have answered it. */
  private long measured = Long.MAX_VALUE;

  private int answers;

  private boolean asksEverybody = true;
  private int rounds;

  /** No learner is known yet. */
  public FlushQuorum(long selfId) {
    this.selfId = selfId;
  }

  /**
   * A round begins.
   *
   * @param target what is to be forced
   * @return the learners that are to force, null for all of them
   */
  public long[] choose(long target, QuorumRule rule) {
    rounds++;
    if (!asksEverybody && rounds % ROUNDS_TO_MEASURE != 0) {
      long[] asked = new long[fastestFirst.size() + 1];
      asked[0] = selfId;
      for (int count = 1; count < asked.length; count++) {
        asked[count] = fastestFirst.get(count - 1);
        if (rule.isQuorum(asked, count + 1)) {
          long[] learners = new long[count];
          System.arraycopy(asked, 1, learners, 0, count);
          return learners;
        }
      }
    }
    asksEverybody = false;
    measured = target;
    answers = 0;
    return null;
  }

  /** A learner that votes has persisted its log up to {@code index}. */
  public void onPersisted(long serverId, long index) {
    int place = fastestFirst.indexOf(serverId);
    if (place < 0) {
      place = fastestFirst.size();
      fastestFirst.add(serverId);
    }
    if (index >= measured && place >= answers) {
      fastestFirst.remove(place);
      fastestFirst.add(answers, serverId);
      answers++;
    }
  }

  /** A learner has come: it may be the fastest. */
  public void onJoined() {
    asksEverybody = true;
  }

  /** A learner is gone. */
  public void onLeft(long serverId) {
    int place = fastestFirst.indexOf(serverId);
    if (place >= 0) {
      fastestFirst.remove(place);
      answers -= place < answers ? 1 : 0;
    }
    asksEverybody = true;
  }

  /** A round has not ended for too long: everybody is asked, and in the next one, too. */
  public void onOverdue(long target) {
    measured = target;
    answers = 0;
    asksEverybody = true;
  }
}
