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
package org.orcagrid.ddp.durable.log;

import java.io.IOException;
import java.util.concurrent.ThreadFactory;
import org.orcagrid.ddp.durable.DurableMedium;
import org.orcagrid.ddp.durable.segment.PoweredDevice;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.map.MapMedia;

/** A log for each worker of a node, all on a device whose power can be cut: for tests. */
public final class PoweredMedia implements MapMedia {
  /** Small ones, so that a log soon has many segments; a scope of many transactions fits. */
  private static final SegmentLimits LIMITS =
      new SegmentLimits(1 << 16, 28 << 10, 1 << 16, 1L << 24);

  private final PoweredDevice device;
  private final ThreadFactory threads;

  /** Logs on a device; each has a thread. */
  public PoweredMedia(PoweredDevice device, ThreadFactory threads) {
    this.device = device;
    this.threads = threads;
  }

  @Override
  public void use(long grid, int workers) {
    // A device is of one grid, by the test.
  }

  @Override
  public DurableMedium open(int worker) throws IOException {
    return LogMedium.open(device.folder("journal-" + worker), LIMITS, threads);
  }
}
