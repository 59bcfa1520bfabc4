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

import org.orcagrid.geo.Version;
import org.orcagrid.simulator.checker.SessionAccess;

/**
 * Something that a client has asked a geo store for, and what it was told.
 *
 * @param session whose it is
 * @param asked what for
 * @param outcome in a word
 * @param version what was read or written; where a condition did not hold, what was there instead
 * @param value what was read; null for nothing
 */
record GeoOperation(long session, Asked asked, Outcome outcome, Version version, String value) {

  enum Kind {
    READ,
    PUT,
    DELETE,
    /** Writes if nothing is there. */
    ABSENT,
    /** Writes if a version is still there. */
    REPLACE
  }

  enum Outcome {
    DONE,
    /** The condition did not hold. */
    NOT_HELD,
    /** It was not done. */
    REFUSED,
    /** A write may have been done once. */
    UNKNOWN
  }

  /**
   * What a client asks for.
   *
   * @param value to be written: of all writes only this one has it; null for none
   * @param expected what has to be there for {@link Kind#REPLACE}
   * @param datacenter that is asked
   */
  record Asked(Kind kind, String key, String value, Version expected, int datacenter, Wish wish) {}

  /**
   * What guarantees it asks for.
   *
   * @param isHeld false for those that are judged as if they had asked, and have not
   */
  record Wish(boolean afterReads, boolean afterWrites, boolean isHeld) {}

  String key() {
    return asked.key();
  }

  boolean isWrite() {
    return asked.kind() != Kind.READ;
  }

  boolean isDelete() {
    return asked.kind() == Kind.DELETE;
  }

  boolean isDone() {
    return outcome == Outcome.DONE;
  }

  /** As the judge of sessions wants it. */
  SessionAccess access() {
    boolean present = isWrite() ? !isDelete() : value != null;
    return new SessionAccess(
        session,
        isWrite(),
        key(),
        version.time(),
        version.datacenter(),
        present,
        asked.wish().afterReads(),
        asked.wish().afterWrites());
  }
}
