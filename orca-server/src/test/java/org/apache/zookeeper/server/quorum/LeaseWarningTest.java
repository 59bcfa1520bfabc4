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
package org.apache.zookeeper.server.quorum;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LeaseWarningTest {
  private static final long FIRST = LeaseWarning.FIRST_NANOS;
  private static final long AGAIN = LeaseWarning.AGAIN_NANOS;

  private final LeaseWarning warning = new LeaseWarning();

  @Test
  void aLeaseThatComesSoonIsNothingToTalkAbout() {
    assertFalse(warning.look(false, 0));
    assertFalse(warning.look(false, FIRST - 1));
    assertFalse(warning.look(true, FIRST));
    assertFalse(warning.look(false, 2 * FIRST - 1));
  }

  @Test
  void oneThatDoesNotComeIsSaidOnceAMinute() {
    assertTrue(warning.look(false, FIRST));
    assertFalse(warning.look(false, FIRST + AGAIN - 1));
    assertTrue(warning.look(false, FIRST + AGAIN));
  }

  @Test
  void afterALeaseItBeginsAnew() {
    assertTrue(warning.look(false, FIRST));
    assertFalse(warning.look(true, FIRST + 1));
    assertFalse(warning.look(false, 2 * FIRST));
    assertTrue(warning.look(false, 2 * FIRST + 1));
  }
}
