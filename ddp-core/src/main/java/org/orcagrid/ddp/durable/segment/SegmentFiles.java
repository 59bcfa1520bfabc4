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
package org.orcagrid.ddp.durable.segment;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * All that a log does with the folder of its segments; tests put a folder in its place that loses
 * what was not forced.
 *
 * <p>A folder belongs to one log at a time. The thread that uses the log opens and replays, later
 * the thread that forces does the rest: never two at once.
 */
public interface SegmentFiles extends Closeable {

  /** The names of the segments' files, in no order. */
  List<String> list() throws IOException;

  /** Opens a file that is there. */
  SegmentFile open(String name) throws IOException;

  /**
   * Makes a file exactly so long and opens it. What it has held so far may stay, what is new is
   * zeros with room on the device for them. Not durable before {@link SegmentFile#force}, and its
   * name not before {@link #syncFolder}.
   */
  SegmentFile allocate(String name, int bytes) throws IOException;

  /** Returns when all files that were made so far will be found after a power cut. */
  void syncFolder() throws IOException;

  /** Where a file is, or the folder for an empty name: for messages. */
  String path(String name);
}
