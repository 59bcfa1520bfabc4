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
package org.orcagrid.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.orcagrid.geo.Version;
import org.orcagrid.processes.GeoLedger.Found;
import org.orcagrid.processes.GeoOperation.Asked;
import org.orcagrid.processes.GeoOperation.Kind;
import org.orcagrid.processes.GeoOperation.Outcome;
import org.orcagrid.processes.GeoOperation.Wish;

/** What a geo store must not do, and that its judge sees it. */
class GeoLedgerTest {
  private static final Wish ALL = new Wish(true, true, true);
  private static final Found NOTHING = new Found(Version.NONE, null);

  private final List<GeoOperation> history = new ArrayList<>();

  private static Version at(long time) {
    return new Version(time, 0, 0);
  }

  private void did(long session, Asked asked, Outcome outcome, Version version, String value) {
    history.add(new GeoOperation(session, asked, outcome, version, value));
  }

  private void wrote(long session, Kind kind, String value, long time) {
    Outcome outcome = time == 0 ? Outcome.UNKNOWN : Outcome.DONE;
    did(session, new Asked(kind, "k", value, null, 0, ALL), outcome, at(time), null);
  }

  private void replaced(String value, long expected, long time) {
    Asked asked = new Asked(Kind.REPLACE, "k", value, at(expected), 0, ALL);
    did(9, asked, Outcome.DONE, at(time), null);
  }

  private void saw(long session, Wish wish, long time, String value) {
    did(session, new Asked(Kind.READ, "k", null, null, 0, wish), Outcome.DONE, at(time), value);
  }

  private void sound(Found end) {
    assertEquals(List.of(), GeoLedger.judge(history, Map.of("k", end)));
  }

  private void wrong(Found end, String what) {
    List<String> wrong = GeoLedger.judge(history, Map.of("k", end));
    assertTrue(wrong.stream().anyMatch(each -> each.contains(what)), wrong::toString);
  }

  @Test
  void aWriteIsThereOrALaterOneHasWon() {
    wrote(1, Kind.PUT, "a", 10);
    wrote(2, Kind.PUT, "b", 20);
    sound(new Found(at(20), "b"));
    wrong(new Found(at(10), "a"), "is lost");
    wrong(NOTHING, "is lost");
    wrong(new Found(at(20), "a"), "another version");
    wrong(new Found(at(20), null), "another value");
  }

  @Test
  void aDeletionMayBeForgottenAndThenNothingIsThere() {
    wrote(1, Kind.PUT, "a", 10);
    wrote(1, Kind.DELETE, null, 20);
    sound(NOTHING);
    sound(new Found(at(20), null));
    wrong(new Found(at(10), "a"), "is lost");
  }

  @Test
  void aWriteWithoutAnAnswerIsDoneOnceOrNever() {
    wrote(1, Kind.PUT, "a", 0);
    sound(NOTHING);
    sound(new Found(at(10), "a"));
    saw(2, ALL, 10, "a");
    wrong(NOTHING, "is lost");
    wrong(new Found(at(20), "a"), "done twice");
  }

  @Test
  void whatWasRefusedIsNowhere() {
    did(1, new Asked(Kind.ABSENT, "k", "a", null, 0, ALL), Outcome.NOT_HELD, at(5), null);
    sound(NOTHING);
    wrong(new Found(at(10), "a"), "refused");
    wrong(new Found(at(10), "b"), "nobody has written");
  }

  @Test
  void sessionsGetWhatTheyAskFor() {
    wrote(1, Kind.PUT, "a", 10);
    wrote(1, Kind.PUT, "b", 20);
    saw(1, new Wish(false, false, true), 10, "a");
    saw(2, new Wish(true, false, true), 10, "a");
    sound(new Found(at(20), "b"));
    saw(1, new Wish(false, true, true), 10, "a");
    wrong(new Found(at(20), "b"), "read your writes");
  }

  @Test
  void whoAsksForNothingIsAControl() {
    saw(3, new Wish(true, true, false), 20, "b");
    saw(3, new Wish(true, true, false), 10, "a");
    wrote(1, Kind.PUT, "a", 10);
    wrote(1, Kind.PUT, "b", 20);
    sound(new Found(at(20), "b"));
    assertTrue(GeoLedger.judgeControls(history).orElseThrow().contains("monotonic reads"));
  }

  @Test
  void ofTwoThatReplaceTheSameOneIsDone() {
    wrote(1, Kind.PUT, "a", 10);
    replaced("b", 10, 20);
    sound(new Found(at(20), "b"));
    replaced("c", 10, 30);
    wrong(new Found(at(30), "c"), "was done over");
  }

  @Test
  void nothingIsReplacedThatWasDeleted() {
    wrote(1, Kind.PUT, "a", 10);
    wrote(1, Kind.DELETE, null, 15);
    replaced("b", 10, 20);
    wrong(new Found(at(20), "b"), "over the deletion");
  }

  @Test
  void whatIsThereIsNotAbsent() {
    wrote(1, Kind.ABSENT, "a", 10);
    wrote(2, Kind.ABSENT, "b", 30);
    wrong(new Found(at(30), "b"), "was done though");
    wrote(3, Kind.DELETE, null, 40);
    wrong(new Found(at(40), null), "was done though");
    wrote(4, Kind.DELETE, null, 20);
    sound(new Found(at(40), null));
  }

  @Test
  void aDeletionOfAnotherDatacenterMayComeBeforeAWriteThatLosesToIt() {
    wrote(1, Kind.ABSENT, "a", 10);
    wrote(2, Kind.ABSENT, "b", 30);
    Version elsewhere = new Version(40, 1, 0);
    Asked asked = new Asked(Kind.DELETE, "k", null, null, 1, ALL);
    did(3, asked, Outcome.DONE, elsewhere, null);
    sound(new Found(elsewhere, null));
  }
}
