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
package org.orcagrid.bench.nukv;

import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.WriteGuarantee;

/** A line of the figures: the paper's Table 1. */
public enum NukvCase {
  E("E", false, false, true),
  M_E("M/E", true, false, false),
  E_M("E/M", false, true, false),
  M_M("M/M", true, true, false),
  M_E_HLC("M/E HLC", true, false, true),
  E_M_HLC("E/M HLC", false, true, true),
  M_M_HLC("M/M HLC", true, true, true);

  private final String title;
  private final boolean writes;
  private final boolean reads;
  private final boolean hybrid;

  NukvCase(String title, boolean writes, boolean reads, boolean hybrid) {
    this.title = title;
    this.writes = writes;
    this.reads = reads;
    this.hybrid = hybrid;
  }

  /** Returns the paper's name. */
  public String title() {
    return title;
  }

  ReadGuarantee reads() {
    return reads ? ReadGuarantee.MONOTONIC_READ_YOUR_WRITE : ReadGuarantee.EVENTUAL;
  }

  WriteGuarantee writes() {
    return writes ? WriteGuarantee.MONOTONIC_WRITE_FOLLOWS_READS : WriteGuarantee.EVENTUAL;
  }

  /** Whether clocks are hybrid, so that writes need not wait. */
  boolean isHybrid() {
    return hybrid;
  }
}
