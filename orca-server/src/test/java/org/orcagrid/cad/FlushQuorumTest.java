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

  private final FlushQuorum quorum = new FlushQuorum(1);

  private void measure(long target, long... inOrder) {
    quorum.onJoined();
    assertNull(quorum.choose(target, THREE));
    for (long id : inOrder) {
      quorum.onPersisted(id, target);
    }
  }

  @Test
  void everybodyIsAskedUntilItIsKnownWhoIsFast() {
    assertNull(quorum.choose(1, THREE));
    assertNull(quorum.choose(2, THREE), "nobody has answered");
  }

  @Test
  void theFastestThatAreAQuorumWithTheLeaderAreAsked() {
    measure(10, 4, 2, 5, 3);
    assertArrayEquals(new long[] {4, 2}, quorum.choose(11, THREE));
  }

  @Test
  void reportsOfBeforeTheRoundSayNothing() {
    measure(10, 4, 2, 5, 3);
    quorum.onJoined();
    assertNull(quorum.choose(20, THREE));
    quorum.onPersisted(4, 19);
    quorum.onPersisted(3, 20);
    quorum.onPersisted(5, 21);
    quorum.onPersisted(4, 22);
    assertArrayEquals(new long[] {3, 5}, quorum.choose(23, THREE));
  }

  @Test
  void whoIsGoneIsNotAsked() {
    measure(10, 4, 2, 5, 3);
    quorum.onLeft(4);
    assertNull(quorum.choose(11, THREE), "the others may be as fast as they like");
    quorum.onPersisted(5, 11);
    assertArrayEquals(new long[] {5, 2}, quorum.choose(12, THREE));
  }

  @Test
  void everybodyIsAskedNowAndThen() {
    measure(10, 4, 2, 5, 3);
    int asked = 1;
    while (quorum.choose(10 + asked, THREE) != null) {
      asked++;
    }
    assertArrayEquals(new long[] {4, 2}, quorum.choose(1_000, THREE));
    assertTrue(asked < FlushQuorum.ROUNDS_TO_MEASURE);
  }

  @Test
  void everybodyIsAskedWhenThoseAskedDoNotAnswer() {
    measure(10, 4, 2, 5, 3);
    assertNotNull(quorum.choose(11, THREE));
    quorum.onOverdue(11);
    quorum.onPersisted(3, 11);
    quorum.onPersisted(5, 11);
    assertNull(quorum.choose(12, THREE));
    quorum.onPersisted(3, 12);
    quorum.onPersisted(5, 12);
    assertArrayEquals(new long[] {3, 5}, quorum.choose(13, THREE));
  }
}
