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
package org.orcagrid.bench.compare.sites;

import java.util.Locale;
import org.orcagrid.bench.compare.process.SiteLoad;

/** What happens in a turn. */
public enum SiteTurn {
  /** All threads write at home. */
  WRITES("writes", "", 100, false),
  /** Every other operation writes. */
  HALF("half writes, half reads", "", 50, false),
  /** All threads read at home. */
  READS("reads", "", 0, false),
  /** Nobody else does anything. */
  LAG_AT_REST("at rest", null, 100, true),
  /** All threads together write at a pace. */
  LAG_PACED("beside " + SiteLoad.PACE_PER_SECOND + " writes a second", SiteLoad.PACED, 100, true),
  /** All threads write as fast as they can. */
  LAG_FULL("beside writes at full speed", "", 100, true);

  private final String title;
  private final String prefix;
  private final double writePercent;
  private final boolean lags;

  SiteTurn(String title, String prefix, double writePercent, boolean lags) {
    this.title = title;
    this.prefix = prefix;
    this.writePercent = writePercent;
    this.lags = lags;
  }

  /** Its name for people. */
  String title() {
    return title;
  }

  /** Its name in files. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether there is a load beside the look at the other site. */
  boolean loads() {
    return prefix != null;
  }

  /** What stands before the variant in the order for the load. */
  String prefix() {
    return prefix;
  }

  double writePercent() {
    return writePercent;
  }

  /** Whether it is measured when writes are seen at the other site, and not how many there are. */
  boolean lags() {
    return lags;
  }
}
