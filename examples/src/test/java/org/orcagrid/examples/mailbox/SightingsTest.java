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
package org.orcagrid.examples.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What vanishes and what is not seen is counted, once each time, and nothing else is. */
class SightingsTest {
  private final Sightings sightings = new Sightings();

  private static Mail mail(String datacenter, int number) {
    return new Mail(datacenter, number, number, "Bob", "Hello");
  }

  private void assertCounts(int vanished, int ownNotSeen) {
    assertEquals(new Sightings.Counts(vanished, ownNotSeen), sightings.counts());
  }

  @Test
  void whatIsShownAgainIsNotMissing() {
    sightings.shown(List.of(mail("west", 1)), false);
    assertEquals(List.of(), sightings.shown(List.of(mail("west", 2), mail("west", 1)), false));
    assertTrue(sightings.counts().areZero());
  }

  @Test
  void whatVanishesIsCountedOnceUntilItIsThereAgain() {
    sightings.shown(List.of(mail("west", 1), mail("east", 1)), false);
    assertEquals(List.of(mail("west", 1)), sightings.shown(List.of(mail("east", 1)), false));
    sightings.shown(List.of(mail("east", 1)), false);
    assertCounts(1, 0);
    sightings.shown(List.of(mail("west", 1), mail("east", 1)), false);
    sightings.shown(List.of(mail("east", 1)), false);
    assertCounts(2, 0);
  }

  @Test
  void ownNotesThatAreNotShownAreCountedApart() {
    sightings.wrote(mail("west", 1));
    assertEquals(List.of(mail("west", 1)), sightings.shown(List.of(), false));
    assertCounts(0, 1);
    sightings.shown(List.of(mail("west", 1)), false);
    sightings.shown(List.of(), false);
    assertCounts(1, 1);
  }

  @Test
  void whatTheUserIsToldOfIsNotCounted() {
    sightings.shown(List.of(mail("west", 1)), false);
    sightings.wrote(mail("west", 2));
    assertEquals(List.of(mail("west", 2), mail("west", 1)), sightings.shown(List.of(), true));
    assertCounts(0, 0);
    sightings.shown(List.of(), false);
    assertCounts(1, 1);
  }

  @Test
  void whatIsDroppedAsTheOldestHasNotVanished() {
    sightings.wrote(mail("west", 1));
    sightings.shown(List.of(mail("west", 2)), false);
    sightings.shown(List.of(mail("west", 3 + Mailbox.KEPT)), false);
    assertEquals(List.of(mail("west", 3 + Mailbox.KEPT)), sightings.shown(List.of(), true));
    assertCounts(0, 0);
  }

  @Test
  void whoBeginsAnewHasSeenNothing() {
    sightings.shown(List.of(mail("west", 1)), false);
    sightings.forget();
    assertEquals(List.of(), sightings.shown(List.of(), false));
    assertCounts(0, 0);
  }
}
