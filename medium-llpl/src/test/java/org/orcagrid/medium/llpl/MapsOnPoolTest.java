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
package org.orcagrid.medium.llpl;

import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.map.MapsOnMediumContract;
import org.orcagrid.needs.Needs;

/** In pools on any file system, as tests have no DAX; in the lab they have. */
@Needs(Pmdk.class)
class MapsOnPoolTest extends MapsOnMediumContract {
  private static final SegmentLimits LIMITS =
      new SegmentLimits(1 << 20, 64 << 10, 256 << 10, 16 << 20);

  @Override
  protected MediumKind kind() {
    if (Pmdk.DAX) {
      return LlplMedium.kind(LIMITS);
    }
    return MediumKind.of(
        LlplMedium.kind(LIMITS).name(),
        (folder, threads) -> LlplMedium.open(PoolFolder.anywhere(folder, LIMITS), LIMITS));
  }
}
