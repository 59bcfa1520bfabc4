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

import java.util.List;

/**
 * What was found in a folder.
 *
 * @param live the segments that are needed, the oldest first
 * @param free the other files, in the order of the segments that were in them
 * @param highestNumber the highest number in the name of a file
 * @param next the position of the next record
 * @param oldest the sequence number of the oldest segment that is needed, as the log knows durably
 * @param recordBytes bytes of the records that were read
 * @param tail where the log ends; null if there is no segment
 */
record Recovered(
    List<Segments.Segment> live,
    List<Segments.Segment> free,
    int highestNumber,
    long next,
    int oldest,
    long recordBytes,
    Tail tail) {

  /** The end of the last segment, whose file is open. */
  record Tail(SegmentFile file, int sequence, int fileBytes, int end) {}
}
