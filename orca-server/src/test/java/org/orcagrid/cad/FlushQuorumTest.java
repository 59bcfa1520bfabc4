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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Server 1 leads 2 to 5. */
class FlushQuorumTest {
  private static final QuorumRule THREE = (ids, count) -> count >= 3;

  private final FlushQuorum quorum = new FlushQuorum(1, THREE);

  private void measure(long target, long... inOrder) {
    quorum.onJoined();
    assertNull(quorum.choose(target, 0));
    quorum.onPersisted(1, target);
    for (long id : inOrder) {
      quorum.onPersisted(id, target);
    }
  }

  /** A round is overdue, and all but the leader answer when everybody is asked. */
  private void hang(long target) {
    quorum.choose(target, 0);
    quorum.onOverdue(target, 0);
    for (long id = 5; id > 1; id--) {
      quorum.onPersisted(id, target);
    }
  }

  @Test
  void everybodyIsAskedUntilItIsKnownWhoIsFast() {
    assertNull(quorum.choose(1, 0));
    assertNull(quorum.choose(2, 0), "nobody has answered");
  }

  @Test
  void theFastestThatAreAQuorumWithTheLeaderAreAsked() {
    measure(10, 4, 2, 5, 3);
    assertArrayEquals(new long[] {1, 4, 2}, quorum.choose(11, 0));
  }

  @Test
  void reportsOfBeforeTheRoundSayNothing() {
    measure(10, 4, 2, 5, 3);
    quorum.onJoined();
    assertNull(quorum.choose(20, 0));
    quorum.onPersisted(1, 20);
    quorum.onPersisted(4, 19);
    quorum.onPersisted(3, 20);
    quorum.onPersisted(5, 21);
    quorum.onPersisted(4, 22);
    assertArrayEquals(new long[] {1, 3, 5}, quorum.choose(23, 0));
  }

  @Test
  void whoIsGoneIsNotAsked() {
    measure(10, 4, 2, 5, 3);
    quorum.onLeft(4);
    assertNull(quorum.choose(11, 0), "the others may be as fast as they like");
    quorum.onPersisted(5, 11);
    assertArrayEquals(new long[] {1, 5, 2}, quorum.choose(12, 0));
  }

  @Test
  void everybodyIsAskedNowAndThen() {
    measure(10, 4, 2, 5, 3);
    int asked = 1;
    while (quorum.choose(10 + asked, 0) != null) {
      asked++;
    }
    assertArrayEquals(new long[] {1, 4, 2}, quorum.choose(1_000, 0));
    assertTrue(asked < FlushQuorum.ROUNDS_TO_MEASURE);
  }

  @Test
  void everybodyIsAskedWhenThoseAskedDoNotAnswer() {
    measure(10, 4, 2, 5, 3);
    assertNotNull(quorum.choose(11, 0));
    quorum.onOverdue(11, 0);
    quorum.onPersisted(3, 11);
    quorum.onPersisted(5, 11);
    assertNull(quorum.choose(12, 0));
    quorum.onPersisted(3, 12);
    quorum.onPersisted(5, 12);
    assertArrayEquals(new long[] {1, 3, 5}, quorum.choose(13, 0));
  }

  @Test
  void aLeaderThatIsLastStaysOneOfTheAsked() {
    for (int i = 1; i <= 10; i++) {
      quorum.onJoined();
      assertNull(quorum.choose(i, 0));
      for (long id = 5; id > 0; id--) {
        quorum.onPersisted(id, i);
      }
    }
    assertArrayEquals(new long[] {1, 5, 4}, quorum.choose(20, 10));
  }

  @Test
  void aLeaderWhoseDiskHangsIsNotAsked() {
    hang(1);
    assertNull(quorum.choose(2, 0), "it is measured again");
    for (long id = 5; id > 1; id--) {
      quorum.onPersisted(id, 2);
    }
    assertArrayEquals(new long[] {5, 4, 3}, quorum.choose(3, 0));
  }

  @Test
  void aLeaderThatAnswersTheOverdueRoundIsNotToBlame() {
    hang(1);
    quorum.onPersisted(1, 1);
    assertNull(quorum.choose(2, 1));
    assertArrayEquals(new long[] {1, 5, 4}, quorum.choose(3, 1));
  }

  @Test
  void aLeaderThatAnswersTheOverdueRoundWhileTheNextIsMeasuredIsNotToBlame() {
    quorum.choose(1, 0);
    quorum.onOverdue(1, 0);
    assertNull(quorum.choose(2, 0));
    quorum.onPersisted(1, 1);
    for (long id = 5; id > 1; id--) {
      quorum.onPersisted(id, 2);
    }
    assertArrayEquals(new long[] {1, 5, 4}, quorum.choose(3, 1));
  }

  @Test
  void aLeaderThatHadForcedTheOverdueRoundIsNotToBlame() {
    quorum.choose(1, 0);
    quorum.onOverdue(1, 1);
    for (long id = 5; id > 1; id--) {
      quorum.onPersisted(id, 1);
    }
    assertNull(quorum.choose(2, 1));
    assertArrayEquals(new long[] {1, 5, 4}, quorum.choose(3, 1));
  }

  @Test
  void aLeaderThatHasRecoveredIsAskedAgain() {
    aLeaderWhoseDiskHangsIsNotAsked();
    long target = 1_000;
    while (quorum.choose(target, 0) != null) {
      target++;
    }
    quorum.onPersisted(1, target);
    assertArrayEquals(new long[] {1, 5, 4}, quorum.choose(target + 1, target));
  }

  @Test
  void withoutTheLeaderTheOthersHaveToBeAQuorum() {
    aLeaderWhoseDiskHangsIsNotAsked();
    quorum.onLeft(2);
    quorum.onLeft(3);
    assertNull(quorum.choose(30, 0));
    assertNull(quorum.choose(31, 0));
  }
}
