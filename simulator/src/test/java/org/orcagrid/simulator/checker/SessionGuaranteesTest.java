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

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SessionGuaranteesTest {
  private static SessionAccess read(String key, long time, boolean afterReads, boolean own) {
    return new SessionAccess(1, false, key, time, 0, time > 0, afterReads, own);
  }

  private static SessionAccess wrote(String key, long time, boolean afterReads, boolean afterOwn) {
    return new SessionAccess(1, true, key, time, 0, true, afterReads, afterOwn);
  }

  private static void fails(String guarantee, SessionAccess... history) {
    Optional<String> wrong = SessionGuarantees.check(List.of(history), any -> false);
    assertTrue(wrong.orElse("").startsWith(guarantee), wrong::toString);
  }

  private static void holds(SessionAccess... history) {
    assertEquals(Optional.empty(), SessionGuarantees.check(List.of(history), any -> false));
  }

  @Test
  void eachGuaranteeIsJudgedWhereItWasAskedFor() {
    fails("monotonic reads", read("k", 2, false, false), read("k", 1, true, false));
    holds(read("k", 2, false, false), read("k", 1, false, true));
    fails("read your writes", wrote("k", 2, false, false), read("k", 1, false, true));
    holds(wrote("k", 2, false, false), read("k", 1, true, false));
    fails("monotonic writes", wrote("k", 2, false, false), wrote("k", 2, false, true));
    holds(wrote("k", 2, false, false), wrote("k", 1, true, false));
    fails("writes follow reads", read("k", 2, false, false), wrote("k", 1, true, false));
    holds(read("k", 2, false, false), wrote("k", 1, false, true));
  }

  @Test
  void keysAndSessionsAreJudgedApart() {
    holds(read("k", 2, true, true), read("other", 1, true, true));
    SessionAccess another = new SessionAccess(2, false, "k", 1, 0, true, true, true);
    holds(read("k", 2, true, true), another);
  }

  @Test
  void ofTheSameTimeTheDatacenterDecides() {
    SessionAccess later = new SessionAccess(1, false, "k", 2, 1, true, true, true);
    fails("monotonic reads", later, read("k", 2, true, true));
    holds(read("k", 2, true, true), later);
  }

  @Test
  void whatIsMissingIsOlderUnlessItWasDeleted() {
    fails("monotonic reads", read("k", 2, true, true), read("k", 0, true, true));
    SessionAccess deleted = new SessionAccess(1, false, "k", 2, 0, false, true, true);
    holds(deleted, read("k", 0, true, true));
    fails("monotonic reads", deleted, read("k", 1, true, true));
    List<SessionAccess> gone = List.of(read("k", 2, true, true), read("k", 0, true, true));
    assertEquals(Optional.empty(), SessionGuarantees.check(gone, each -> each.time() == 2));
  }
}
