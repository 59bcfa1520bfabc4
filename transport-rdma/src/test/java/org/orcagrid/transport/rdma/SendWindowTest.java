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
package org.orcagrid.transport.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SendWindowTest {
  private static final long MS = 1_000_000;

  private static SendWindow full(int most) {
    SendWindow window = new SendWindow(false);
    window.begin(most, 0);
    for (int i = 1; i <= most; i++) {
      assertTrue(window.hasRoom(1));
      assertEquals(i, window.next(0));
    }
    assertFalse(window.hasRoom(1));
    return window;
  }

  @Test
  void whatWasLostIsMadeGoodByALaterCount() {
    SendWindow window = full(16);
    // The answers for 1 to 11 have not come, nor have some of the datagrams: 12 tells of all.
    window.onReturned(12, 0);
    assertTrue(window.hasRoom(12));
    assertFalse(window.hasRoom(13));
  }

  @Test
  void olderCountsAndThoseOfWhatWasNeverSentChangeNothing() {
    SendWindow window = full(16);
    window.onReturned(12, 0);
    window.onReturned(3, 0);
    assertTrue(window.hasRoom(12));
    window.onReturned(Long.MAX_VALUE, 0);
    assertTrue(window.hasRoom(16));
    assertFalse(window.hasRoom(17));
    window.onReturned(-1, 0);
    assertTrue(window.hasRoom(16));
  }

  @Test
  void thePeerIsAskedWhenNothingComesBackAndNotMoreOftenThanItCanAnswer() {
    SendWindow window = full(16);
    assertFalse(window.isToBeAsked(9 * MS));
    assertTrue(window.isToBeAsked(10 * MS));
    assertFalse(window.isToBeAsked(11 * MS));
    assertTrue(window.isToBeAsked(20 * MS));
    window.onReturned(16, 21 * MS);
    assertFalse(window.isToBeAsked(100 * MS));
  }

  @Test
  void whereNothingIsLostNobodyIsAskedAndSilenceCountsAllTheSame() {
    SendWindow window = new SendWindow(true);
    window.begin(16, 0);
    for (int i = 0; i < 16; i++) {
      window.next(0);
    }
    assertFalse(window.isToBeAsked(1000 * MS));
    assertTrue(window.isSilent(2001 * MS));
  }

  @Test
  void silenceCountsFromWhenAnAnswerIsOwed() {
    SendWindow window = new SendWindow(false);
    window.begin(16, 0);
    long late = 60_000 * MS;
    for (int i = 0; i < 9; i++) {
      window.next(late);
    }
    assertFalse(window.isSilent(late + 1));
    assertTrue(window.isSilent(late + 2001 * MS));
    window.onReturned(9, late + 2002 * MS);
    assertFalse(window.isSilent(late + 9000 * MS));
  }

  @Test
  void aNewConnectionHasItsWindowForItself() {
    SendWindow window = full(16);
    window.begin(8, 0);
    assertTrue(window.hasRoom(8));
    assertFalse(window.hasRoom(9));
    assertEquals(1, window.next(0));
  }
}
