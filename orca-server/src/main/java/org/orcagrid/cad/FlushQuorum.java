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
import java.util.Arrays;
import java.util.List;

/**
 * Which servers are asked to force their logs in a flush round: the fewest that are a quorum, the
 * fastest first.
 *
 * <p>The paper has the whole active set flush (R1, section 4.4.1). What is shown has to be
 * persisted by a quorum and applied by the whole set, and no more ({@link ActiveSet} says why). The
 * others force in the background, so that a round ends all the same if one of those asked does not
 * answer.
 *
 * <p>Now and then everybody is asked, to see who is fastest. The leader is one of those chosen, as
 * asking it takes no message. It is left out once a round was overdue that a quorum of the others
 * then ended without it, until it answers a measured round.
 *
 * <p>Not thread-safe; the owner guards it.
 */
public final class FlushQuorum {

  /** Everybody is asked once in so many rounds. */
  static final int ROUNDS_TO_MEASURE = 64;

  private final long selfId;
  private final QuorumRule rule;

  /** The learners. */
  private final List<Long> fastestFirst = new ArrayList<>();

  /** The round that everybody was asked to take part in, and how many learners have answered it. */
  private long measured = Long.MAX_VALUE;

  private int answers;

  /** The overdue round that the leader has not answered, or {@link FlushRounds#NONE}. */
  private long overdue = FlushRounds.NONE;

  private boolean isLeaderOut;
  private boolean asksEverybody = true;
  private int rounds;

  /** No learner is known yet. */
  public FlushQuorum(long selfId, QuorumRule rule) {
    this.selfId = selfId;
    this.rule = rule;
  }

  /**
   * A round begins.
   *
   * @param target what is to be forced
   * @param ownPersisted what the leader has persisted
   * @return the servers that are to force, null for all of them
   */
  public long[] choose(long target, long ownPersisted) {
    judgeOwnDisk();
    rounds++;
    if (!asksEverybody && rounds % ROUNDS_TO_MEASURE != 0) {
      long[] chosen = fewest();
      if (chosen != null) {
        return chosen;
      }
    }
    asksEverybody = false;
    measure(target, ownPersisted);
    return null;
  }

  private long[] fewest() {
    long[] asked = new long[fastestFirst.size() + 1];
    int count = 0;
    if (!isLeaderOut) {
      asked[count++] = selfId;
    }
    for (long learner : fastestFirst) {
      asked[count++] = learner;
      if (rule.isQuorum(asked, count)) {
        return Arrays.copyOf(asked, count);
      }
    }
    return null;
  }

  private void measure(long target, long ownPersisted) {
    measured = target;
    answers = 0;
    onOwnPersisted(ownPersisted);
  }

  /** A leader that has persisted a target before it is asked for does not say so again. */
  private void onOwnPersisted(long index) {
    if (index >= overdue) {
      overdue = FlushRounds.NONE;
    }
    if (index >= measured) {
      isLeaderOut = false;
    }
  }

  /** The leader, or a learner that votes, has persisted its log up to {@code index}. */
  public void onPersisted(long serverId, long index) {
    if (serverId == selfId) {
      onOwnPersisted(index);
      return;
    }
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

  /** The leader has not answered the overdue round; its disk is to blame if a quorum has. */
  private void judgeOwnDisk() {
    if (overdue == FlushRounds.NONE) {
      return;
    }
    long[] others = new long[answers];
    for (int i = 0; i < answers; i++) {
      others[i] = fastestFirst.get(i);
    }
    if (rule.isQuorum(others, answers)) {
      overdue = FlushRounds.NONE;
      isLeaderOut = true;
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
  public void onOverdue(long target, long ownPersisted) {
    overdue = target;
    measure(target, ownPersisted);
    asksEverybody = true;
  }
}
