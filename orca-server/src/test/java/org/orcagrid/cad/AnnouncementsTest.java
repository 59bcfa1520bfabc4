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

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AnnouncementsTest {

  private final Announcements announcements = new Announcements();

  @Test
  void nobodyIsToldWhileNobodyReads() {
    assertFalse(announcements.onAdvance());
  }

  @Test
  void aLearnerThatReadsIsToldOfTheAdvancesThatFollow() {
    announcements.onDemand();
    for (int i = 0; i < Announcements.ADVANCES_AFTER_DEMAND; i++) {
      assertTrue(announcements.onAdvance(), "advance " + i);
    }
    assertFalse(announcements.onAdvance());
  }

  @Test
  void eachDemandStartsTheCountAnew() {
    announcements.onDemand();
    assertTrue(announcements.onAdvance());
    announcements.onDemand();
    for (int i = 0; i < Announcements.ADVANCES_AFTER_DEMAND; i++) {
      assertTrue(announcements.onAdvance(), "advance " + i);
    }
    assertFalse(announcements.onAdvance());
  }
}
