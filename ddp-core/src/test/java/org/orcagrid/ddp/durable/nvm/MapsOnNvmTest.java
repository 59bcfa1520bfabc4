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
package org.orcagrid.ddp.durable.nvm;

import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.map.MapsOnMediumContract;

class MapsOnNvmTest extends MapsOnMediumContract {
  private static final SegmentLimits LIMITS =
      new SegmentLimits(1 << 20, 64 << 10, 256 << 10, 16 << 20);

  @Override
  protected MediumKind kind() {
    return NvmMediumTest.DAX
        ? NvmMedium.kind(LIMITS)
        : MediumKind.of(
            "nvm",
            (folder, threads) ->
                NvmMedium.open(new MappedFiles(folder, NvmMediumTest.MODE), LIMITS));
  }
}
