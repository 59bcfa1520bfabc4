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
package org.orcagrid.ddp.raft;

/** How far a node has got with a snapshot of its leader, whose pieces it takes in their order. */
final class SnapshotIntake {
  private SnapshotMark receiving;
  private long writingTo;
  private long writtenTo;

  /** Whether a piece is the next one, and is to be written. */
  boolean isNext(SnapshotPart part) {
    if (part.offset() == 0 && !part.mark().equals(receiving)) {
      receiving = part.mark();
      writingTo = 0;
      writtenTo = 0;
    }
    boolean isNext = part.mark().equals(receiving) && part.offset() == writingTo;
    writingTo += isNext ? part.bytes().length : 0;
    return isNext;
  }

  /** A piece is on the disk; false if it is of another snapshot than the one that comes now. */
  boolean isWritten(SnapshotPart part) {
    if (!part.mark().equals(receiving)) {
      return false;
    }
    writtenTo = part.offset() + part.bytes().length;
    if (part.isLast()) {
      receiving = null;
    }
    return true;
  }

  /** Where the next piece of a snapshot begins. */
  long writtenTo(SnapshotMark mark) {
    return mark.equals(receiving) ? writtenTo : 0;
  }
}
