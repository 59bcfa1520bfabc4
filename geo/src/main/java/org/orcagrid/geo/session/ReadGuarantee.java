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

import java.time.Duration;

/**
 * What a read asks for (NuKV, section 3). Guarantees are for each key: a read shows the version
 * that the session has seen, or one that wins.
 *
 * @param monotonic nothing is older than what the session has read
 * @param ownWrites nothing is older than what the session has written
 * @param within how long the read may wait for that; null for the session's own limit
 * @param older whether an older version will do when that time is over
 */
public record ReadGuarantee(boolean monotonic, boolean ownWrites, Duration within, boolean older) {
  /** Whatever the replica has: it never waits. */
  public static final ReadGuarantee EVENTUAL = new ReadGuarantee(false, false, null, false);

  /** Nothing older than what the session has read (Definition 3.4). */
  public static final ReadGuarantee MONOTONIC_READ = new ReadGuarantee(true, false, null, false);

  /** Nothing older than what the session has written (Definition 3.5). */
  public static final ReadGuarantee READ_YOUR_WRITE = new ReadGuarantee(false, true, null, false);

  /** Both. */
  public static final ReadGuarantee MONOTONIC_READ_YOUR_WRITE =
      new ReadGuarantee(true, true, null, false);

  /** The same, and it waits so long at most. */
  public ReadGuarantee within(Duration limit) {
    if (limit.isNegative()) {
      throw new IllegalArgumentException("A read waits for no time at least, not " + limit);
    }
    return new ReadGuarantee(monotonic, ownWrites, limit, older);
  }

  /** The same, but what is there when the time is over will do, with its age. */
  public ReadGuarantee orOlder() {
    return new ReadGuarantee(monotonic, ownWrites, within, true);
  }
}
