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
package org.orcagrid.medium.chronicle;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.orcagrid.ddp.durable.segment.SegmentFiles;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.durable.segment.SegmentMedium;

/** A log without a thread, so that a run of one seed is always the same. */
final class SteppedLog extends SegmentMedium {

  SteppedLog(SegmentFiles files, SegmentLimits limits) throws IOException {
    super(files, limits);
  }

  @Override
  public long append(ByteBuffer record) {
    long position = super.append(record);
    return position == NOTHING && step() ? super.append(record) : position;
  }

  @Override
  public void force() {
    step();
    makeSpare();
  }
}
