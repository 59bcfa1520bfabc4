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
package org.orcagrid.geo.client;

import java.time.Duration;

/** What a request asked for did not come in its time. Nothing was written. */
public final class GuaranteeNotMetException extends GeoException {
  private static final long serialVersionUID = 1;

  private final String datacenter;
  private final long entries;
  private final Duration age;
  private final boolean isLost;

  /** Writes of a datacenter are missing at the node that was asked. */
  GuaranteeNotMetException(String datacenter, long entries, Duration age) {
    super(
        "The node that was asked lacks some "
            + entries
            + " writes of "
            + datacenter
            + " and has all that are older than "
            + age.toMillis()
            + " ms; wait longer, take orOlder(), or ask another datacenter");
    this.datacenter = datacenter;
    this.entries = entries;
    this.age = age;
    this.isLost = false;
  }

  /** Writes of a datacenter are lost, which was removed. */
  GuaranteeNotMetException(String datacenter, long entries) {
    super(
        "Datacenter "
            + datacenter
            + " was removed, and with it "
            + (entries > 0 ? "some " + entries + " writes" : "perhaps writes")
            + " that this session has seen; it goes on without them, so ask again");
    this.datacenter = datacenter;
    this.entries = entries;
    this.age = Duration.ZERO;
    this.isLost = true;
  }

  /** Whether they will not come: the datacenter was removed. The session is told that once. */
  public boolean isLost() {
    return isLost;
  }

  /** Whose writes are missing. */
  public String datacenter() {
    return datacenter;
  }

  /** About how many entries of its log. */
  public long entries() {
    return entries;
  }

  /** All writes that are older are there; zero if it is not for time to mend. */
  public Duration age() {
    return age;
  }
}
