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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Judges the four session guarantees for each key (NuKV, Definitions 3.4 to 3.7), where they were
 * asked for:
 *
 * <ul>
 *   <li>monotonic reads: no read shows an older version than a read before;
 *   <li>read your writes: no read shows an older version than a write before;
 *   <li>monotonic writes: a write is later than the writes before;
 *   <li>writes follow reads: a write is later than what was read before.
 * </ul>
 *
 * <p>A deletion may be forgotten: where it has won there is nothing then.
 */
public final class SessionGuarantees {
  private final Map<String, SessionAccess> latestRead = new HashMap<>();
  private final Map<String, SessionAccess> latestWrite = new HashMap<>();

  private final Predicate<SessionAccess> isDeleted;

  private SessionGuarantees(Predicate<SessionAccess> isDeleted) {
    this.isDeleted = isDeleted;
  }

  /**
   * What is wrong with what sessions did, in the order of each session; empty if nothing is.
   *
   * @param isDeleted whether the key was deleted by a version later than that of an access
   */
  public static Optional<String> check(
      List<SessionAccess> history, Predicate<SessionAccess> isDeleted) {
    SessionGuarantees judge = new SessionGuarantees(isDeleted);
    for (SessionAccess each : history) {
      Optional<String> wrong = judge.next(each);
      if (wrong.isPresent()) {
        return wrong;
      }
    }
    return Optional.empty();
  }

  private Optional<String> next(SessionAccess access) {
    String at = access.session() + "/" + access.key();
    SessionAccess read = access.afterReads() ? latestRead.get(at) : null;
    SessionAccess written = access.afterWrites() ? latestWrite.get(at) : null;
    if (isBehind(access, read)) {
      return wrong(access, read, access.write() ? "writes follow reads" : "monotonic reads");
    }
    if (isBehind(access, written)) {
      return wrong(access, written, access.write() ? "monotonic writes" : "read your writes");
    }
    (access.write() ? latestWrite : latestRead)
        .merge(at, access, (one, other) -> other.isLater(one) ? other : one);
    return Optional.empty();
  }

  private boolean isBehind(SessionAccess access, SessionAccess before) {
    if (before == null) {
      return false;
    }
    if (access.write()) {
      return !access.isLater(before);
    }
    boolean isForgotten = access.time() == 0 && (!before.present() || isDeleted.test(before));
    return before.isLater(access) && !isForgotten;
  }

  private static Optional<String> wrong(
      SessionAccess access, SessionAccess before, String guarantee) {
    return Optional.of(guarantee + ": " + access + " comes after " + before);
  }
}
