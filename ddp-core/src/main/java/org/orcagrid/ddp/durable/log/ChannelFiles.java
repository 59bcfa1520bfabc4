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
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.orcagrid.ddp.durable.segment.SegmentFile;
import org.orcagrid.ddp.durable.segment.SegmentFolder;

/** Segments in files that are written by position. */
final class ChannelFiles extends SegmentFolder {

  ChannelFiles(Path folder) throws IOException {
    super(folder);
  }

  @Override
  protected SegmentFile file(Path path, FileChannel channel) {
    return new ChannelFile(path, channel);
  }
}
