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

import java.nio.file.Path;
import org.orcagrid.ddp.durable.segment.SegmentLimits;

/**
 * Where a log is and how large it may become.
 *
 * @param folder of its own; made if there is none
 * @param limits which may be others at each start
 */
public record LogSettings(Path folder, SegmentLimits limits) {

  /** A log with the usual limits. */
  public static LogSettings of(Path folder) {
    return new LogSettings(folder, SegmentLimits.DEFAULT);
  }

  /** Refuses settings without a folder or limits. */
  public LogSettings {
    if (folder == null || limits == null) {
      throw new IllegalArgumentException("A log has a folder and limits");
    }
  }
}
