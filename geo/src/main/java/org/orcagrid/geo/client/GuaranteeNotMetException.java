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
  }

  /** Whose writes are missing. */
  public String datacenter() {
    return datacenter;
  }

  /** About how many entries of its log. */
  public long entries() {
    return entries;
  }

  /** All writes that are older are there. */
  public Duration age() {
    return age;
  }
}
