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
package org.orcagrid.geo.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.Requirement;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

class SessionStateTest {
  private static final long STORE = 42;
  private static final long NOW = 1_700_000_000_000L << 16;
  private static final TokenKeys KEYS = TokenKeys.of(1, secret("first"));

  private final SessionState session = new SessionState();

  private static byte[] secret(String name) {
    return (name + " secret of the store").getBytes(StandardCharsets.UTF_8);
  }

  private static long at(long index) {
    return Positions.of(1, index);
  }

  private static PositionVector vector(long... indexes) {
    long[] positions = new long[indexes.length];
    for (int i = 0; i < indexes.length; i++) {
      positions[i] = indexes[i] == 0 ? 0 : at(indexes[i]);
    }
    return PositionVector.of(positions);
  }

  /** Algorithm 1, lines 3 to 13 and 21 to 28. */
  @Test
  void requestsAskForWhatTheirGuaranteesSay() {
    session.read(3, new Version(20, 1, at(5)), PositionVector.NONE);
    session.wrote(3, new Version(30, 0, at(7)), PositionVector.NONE);
    assertEquals(Requirement.NONE, session.requirement(3, ReadGuarantee.EVENTUAL));
    assertEquals(vector(0, 5), session.requirement(3, ReadGuarantee.MONOTONIC_READ).positions());
    assertEquals(vector(7), session.requirement(3, ReadGuarantee.READ_YOUR_WRITE).positions());
    assertEquals(
        vector(7, 5), session.requirement(3, ReadGuarantee.MONOTONIC_READ_YOUR_WRITE).positions());
    assertEquals(Requirement.NONE, session.requirement(4, ReadGuarantee.MONOTONIC_READ_YOUR_WRITE));
    assertEquals(0, session.dependency(WriteGuarantee.EVENTUAL));
    assertEquals(20, session.dependency(WriteGuarantee.WRITE_FOLLOWS_READS));
    assertEquals(30, session.dependency(WriteGuarantee.MONOTONIC_WRITE));
    assertEquals(30, session.dependency(WriteGuarantee.MONOTONIC_WRITE_FOLLOWS_READS));
  }

  @Test
  void whatIsEverywhereDropsOut() {
    session.read(3, new Version(20, 1, at(5)), vector(0, 4));
    assertEquals(1, session.size());
    session.read(3, new Version(21, 0, at(2)), vector(1, 5));
    assertEquals(vector(2), session.requirement(3, ReadGuarantee.MONOTONIC_READ).positions());
    session.read(3, Version.NONE, vector(2, 5));
    assertEquals(0, session.size());
    assertEquals(21, session.dependency(WriteGuarantee.WRITE_FOLLOWS_READS), "times stay");
  }

  @Test
  void whatIsLostIsNotAskedForAgain() {
    session.read(3, new Version(20, 1, at(5)), PositionVector.NONE);
    session.wrote(3, new Version(30, 0, at(7)), PositionVector.NONE);
    session.lost(3, 1, at(4));
    Requirement left = session.requirement(3, ReadGuarantee.MONOTONIC_READ_YOUR_WRITE);
    assertEquals(vector(7, 4), left.positions());
    assertEquals(0, left.told(), "it knew all that it had seen");
    assertEquals(30, session.dependency(WriteGuarantee.MONOTONIC_WRITE), "times stay");
    session.read(4, new Version(20, 1, at(5)), PositionVector.NONE);
    session.lost(4, 1, Positions.NONE);
    assertEquals(1, session.size(), "of partition 4 nothing is left");
  }

  @Test
  void aFloorIsToldOnceOfALoss() {
    session.read(3, new Version(NOW, 1, at(5)), PositionVector.NONE);
    Encoder out = new Encoder();
    session.write(out, 8);
    SessionState folded = SessionState.read(new Decoder(out.toBytes()));
    assertTrue(folded.floor() > 0 && folded.size() == 0, "there was no room");
    folded.lost(3, 1, at(4));
    Encoder again = new Encoder();
    folded.write(again, 1 << 10);
    Requirement asked =
        SessionState.read(new Decoder(again.toBytes()))
            .requirement(9, ReadGuarantee.MONOTONIC_READ);
    assertEquals(1 << 1, asked.told(), "a token tells it, too");
  }

  @Test
  void aTokenHasTheWholeSession() {
    for (int i = 0; i < 60; i++) {
      session.read(i, new Version(NOW + i, i % 2, at(1_000_000 + i)), PositionVector.NONE);
      if (i % 2 == 0) {
        session.wrote(i, new Version(NOW + i, 0, at(2_000_000 + i)), PositionVector.NONE);
      }
    }
    String token = SessionToken.write(session, KEYS, STORE);
    assertTrue(token.length() < 1024, "60 partitions take " + token.length() + " characters");
    SessionState again = SessionToken.read(token, KEYS, STORE);
    for (int i = 0; i < 60; i++) {
      assertEquals(
          session.requirement(i, ReadGuarantee.MONOTONIC_READ_YOUR_WRITE),
          again.requirement(i, ReadGuarantee.MONOTONIC_READ_YOUR_WRITE));
    }
    assertEquals(
        session.dependency(WriteGuarantee.MONOTONIC_WRITE_FOLLOWS_READS),
        again.dependency(WriteGuarantee.MONOTONIC_WRITE_FOLLOWS_READS));
  }

  @Test
  void aTokenThatWouldBeTooLongFoldsWhatWasUsedLeastRecently() {
    for (int i = 0; i < 1_000; i++) {
      session.read(i, new Version(NOW + i, 1, at(1_000_000 + i)), PositionVector.NONE);
    }
    String token = SessionToken.write(session, KEYS, STORE);
    assertTrue(token.length() <= SessionToken.LENGTH_MAX, "it has " + token.length());
    SessionState again = SessionToken.read(token, KEYS, STORE);
    Requirement folded = again.requirement(0, ReadGuarantee.MONOTONIC_READ);
    assertTrue(folded.floor() >= NOW && folded.positions().isNone(), folded::toString);
    Requirement kept = again.requirement(999, ReadGuarantee.MONOTONIC_READ);
    assertEquals(at(1_000_999), kept.positions().at(1));
    assertEquals(Requirement.NONE, again.requirement(999, ReadGuarantee.EVENTUAL));
  }

  @Test
  void tokensOfOtherStoresOrKeysOrChangedOnesAreRefused() {
    session.read(3, new Version(20, 1, at(5)), PositionVector.NONE);
    String token = SessionToken.write(session, KEYS, STORE);
    refused("of another store", token, KEYS, STORE + 1);
    refused("was changed", token, TokenKeys.of(1, secret("another")), STORE);
    refused("key 1, which is not there", token, TokenKeys.of(2, secret("second")), STORE);
    refused("no session token", "cookie", KEYS, STORE);
    refused("no session token", "?", KEYS, STORE);
    refused("no session token", "A".repeat(10_000), KEYS, STORE);
    for (int i = 0; i < token.length(); i++) {
      char other = token.charAt(i) == 'A' ? 'B' : 'A';
      String changed = token.substring(0, i) + other + token.substring(i + 1);
      assertThrows(
          SessionToken.RefusedException.class, () -> SessionToken.read(changed, KEYS, STORE));
    }
    TokenKeys rotated = TokenKeys.of(2, secret("second")).and(1, secret("first"));
    assertEquals(1, SessionToken.read(token, rotated, STORE).size());
    assertEquals(
        1, SessionToken.read(SessionToken.write(session, rotated, STORE), rotated, STORE).size());
  }

  private static void refused(String why, String token, TokenKeys keys, long store) {
    SessionToken.RefusedException refused =
        assertThrows(
            SessionToken.RefusedException.class, () -> SessionToken.read(token, keys, store));
    assertTrue(refused.getMessage().contains(why), refused.getMessage());
  }

  @Test
  void keysThatAreTooShortAreRefused() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> TokenKeys.of(1, new byte[3]));
    assertTrue(refused.getMessage().contains("16"), refused.getMessage());
    assertThrows(IllegalArgumentException.class, () -> KEYS.and(1, secret("other")));
    assertThrows(IllegalArgumentException.class, () -> KEYS.and(256, secret("other")));
  }

  @Test
  void whatOthersHaveSeenIsAskedForUntilItIsEverywhere() {
    SessionState state = new SessionState();
    state.see(3, PositionVector.of(0, 7), 1_000);
    assertEquals(
        PositionVector.of(0, 7), state.requirement(3, ReadGuarantee.MONOTONIC_READ).positions());
    assertEquals(
        PositionVector.of(0, 7), state.requirement(3, ReadGuarantee.READ_YOUR_WRITE).positions());
    state.read(3, new Version(900, 0, 4), PositionVector.of(1, 6));
    assertEquals(Map.of(3, PositionVector.of(4, 7)), state.positions());
    state.read(3, new Version(900, 0, 4), PositionVector.of(4, 7));
    assertEquals(Map.of(), state.positions());
  }
}
