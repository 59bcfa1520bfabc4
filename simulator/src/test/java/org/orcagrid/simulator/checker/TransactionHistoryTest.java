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
package org.orcagrid.simulator.checker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.orcagrid.simulator.checker.TransactionHistory.Attempt;
import org.orcagrid.simulator.checker.TransactionHistory.Kind;
import org.orcagrid.simulator.checker.TransactionHistory.Place;
import org.orcagrid.simulator.checker.TransactionHistory.Session;

class TransactionHistoryTest {
  private static final Place X = new Place("orca", "x", Kind.STRONG);
  private static final Place Y = new Place("orca", "y", Kind.STRONG);
  private static final Place INBOX = new Place("inboxes", "ann", Kind.CAUSAL);

  private static final Place ONE = new Place("likes", "one", Kind.SESSION);
  private static final Place OTHER = new Place("likes", "other", Kind.SESSION);

  private final List<String> wrong = new ArrayList<>();
  private final TransactionHistory history = new TransactionHistory(wrong::add);
  private final Session ann = history.session();
  private final Session bob = history.session();

  private Attempt write(Session session, Map<Place, List<Integer>> read, Place... places) {
    Attempt attempt = history.begin(session, List.of(places));
    attempt.onCommitting(read);
    attempt.onCommitted(read);
    return attempt;
  }

  private void read(Session session, Map<Place, List<Integer>> values) {
    write(session, values);
  }

  private void assertWrong(String words) {
    assertEquals(1, wrong.size(), wrong.toString());
    assertTrue(wrong.get(0).contains(words), wrong.get(0));
  }

  @Test
  void aRightHistoryIsRight() {
    write(ann, Map.of(), X, INBOX);
    write(bob, Map.of(X, List.of(0), INBOX, List.of(0)), X);
    read(ann, Map.of(X, List.of(0, 1), INBOX, List.of(0)));
    history.onLast(X, List.of(0, 1));
    history.onLast(INBOX, List.of(0));
    history.onLast(INBOX, List.of(0));
    history.judge();
    assertEquals(List.of(), wrong);
  }

  @Test
  void anEffectWithoutItsCauseIsWrong() {
    write(ann, Map.of(), INBOX);
    write(ann, Map.of(), X);
    read(bob, Map.of(X, List.of(1)));
    read(bob, Map.of(INBOX, List.of()));
    assertWrong("inboxes/ann is read without 0");
  }

  @Test
  void causesCountWithinATransactionToo() {
    write(ann, Map.of(), INBOX);
    write(ann, Map.of(), X);
    read(bob, Map.of(X, List.of(1), INBOX, List.of()));
    assertWrong("inboxes/ann is read without 0");
  }

  @Test
  void goingBackIsWrong() {
    write(ann, Map.of(), X);
    read(ann, Map.of(X, List.of()));
    assertWrong("orca/x is read without 0");
  }

  @Test
  void halfIsWrong() {
    write(ann, Map.of(), X, INBOX);
    read(bob, Map.of(INBOX, List.of(0), X, List.of()));
    assertWrong("0 is seen in inboxes/ann, and not in orca/x");
  }

  @Test
  void whoReadsSessionsStoresOnlyMaySeeHalf() {
    write(ann, Map.of(), ONE, OTHER);
    read(bob, Map.of(ONE, List.of(0), OTHER, List.of()));
    assertEquals(List.of(), wrong);
    read(bob, Map.of(ONE, List.of()));
    assertWrong("likes/one is read without 0");
  }

  @Test
  void aSessionSeesItsOwnWrites() {
    write(ann, Map.of(), ONE, OTHER);
    read(ann, Map.of(OTHER, List.of()));
    assertWrong("likes/other is read without 0");
  }

  @Test
  void whatWasMetElsewhereCountsInSessionsStores() {
    write(ann, Map.of(), ONE);
    write(ann, Map.of(), X);
    read(bob, Map.of(X, List.of(1)));
    read(bob, Map.of(ONE, List.of()));
    assertWrong("likes/one is read without 0");
  }

  @Test
  void twiceIsWrong() {
    write(ann, Map.of(), INBOX);
    history.onLast(INBOX, List.of(0, 0));
    history.judge();
    assertWrong("0 is 2 times in inboxes/ann");
  }

  @Test
  void whatIsLostIsWrong() {
    write(ann, Map.of(), X, INBOX);
    history.onLast(X, List.of(0));
    history.onLast(INBOX, List.of());
    history.judge();
    assertWrong("0 is COMMITTED, and in 1 of 2 places");
  }

  @Test
  void whatIsAbortedAndThereIsWrong() {
    Attempt attempt = history.begin(ann, List.of(X));
    attempt.onCommitting(Map.of());
    attempt.onAborted();
    history.onLast(X, List.of(0));
    history.judge();
    assertWrong("0 is ABORTED, and in 1 of 1 places");
  }

  @Test
  void whatIsUnknownIsThereOrNot() {
    history.begin(ann, List.of(X, INBOX)).onCommitting(Map.of());
    history.onLast(X, List.of(0));
    history.onLast(INBOX, List.of(0));
    history.judge();
    assertEquals(List.of(), wrong);
    history.onLast(INBOX, List.of());
    history.judge();
    assertWrong("0 is OPEN, and in 2 of 3 places");
  }

  @Test
  void writesThatDoNotKnowOfEachOtherAreWrong() {
    write(ann, Map.of(Y, List.of()), X);
    write(bob, Map.of(X, List.of()), Y);
    history.onLast(X, List.of(0));
    history.onLast(Y, List.of(1));
    history.judge();
    assertWrong("orca has no order of transactions");
  }

  @Test
  void whatNeverWasIsWrong() {
    write(ann, Map.of(), X);
    write(bob, Map.of(), X);
    read(history.session(), Map.of(X, List.of(1)));
    history.onLast(X, List.of(0, 1));
    history.judge();
    assertWrong("orca/x was read as [1], and is [0, 1]");
  }
}
