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
import java.nio.file.Path;
import org.orcagrid.ddp.durable.segment.FailingFiles;
import org.orcagrid.ddp.durable.segment.SegmentLimits;

/** Logs on devices that fail, for the tests of media that are built on a log. */
public final class FailingLog {
  private FailingLog() {}

  /** A log whose device fails after so many operations. */
  public static LogMedium open(Path folder, SegmentLimits limits, int operations)
      throws IOException {
    return LogMedium.open(
        new FailingFiles(new ChannelFiles(folder), operations), limits, Thread::new);
  }
}
