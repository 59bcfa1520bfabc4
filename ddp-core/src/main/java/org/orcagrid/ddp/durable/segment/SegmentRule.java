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

import java.util.EnumSet;
import java.util.Set;

/**
 * The rules on which durability rests. A log keeps all of them; a test takes one away and sees the
 * power cuts find it.
 */
enum SegmentRule {
  /** What is not forced is not durable. */
  FORCE_BEFORE_DURABLE,
  /** A frame is read only if its checksum is right. */
  CHECKSUM,
  /** A frame is read only in the segment that it was written for: files are used again. */
  SEQUENCE_IN_FRAME,
  /**
   * A segment is forced before its first frame is written: the number of a segment that nobody
   * remembers is given again, and a frame of the first attempt would be taken for one of the
   * second.
   */
  HEADER_FIRST,
  /** A new file has a durable name before it holds something durable. */
  SYNC_FOLDER,
  /**
   * The log knows durably that a segment is trimmed before its file is used again. Otherwise a
   * power cut meanwhile leaves a segment that should be there and is not.
   */
  MARK_BEFORE_REUSE,
  /** What a replay has shown is forced before anything relies on it. */
  FORCE_REPLAYED,
  /**
   * The last frame is written once more before that: what a failed force has left in the kernel's
   * memory looks as if it were on the device, and another force would not write it.
   */
  REWRITE_LAST,
  /** A frame that a replay has not shown never comes back. */
  VOID_TORN_TAIL,
  /** After a failed write or force nothing becomes durable any more. */
  FAIL_FOR_GOOD,
  /** A log that lacks what was durable is refused. */
  REFUSE_DAMAGE;

  private static final Set<SegmentRule> ALL = Set.copyOf(EnumSet.allOf(SegmentRule.class));

  /** All of them: what a product keeps. */
  static Set<SegmentRule> all() {
    return ALL;
  }

  /** All but one. */
  static Set<SegmentRule> without(SegmentRule broken) {
    return EnumSet.complementOf(EnumSet.of(broken));
  }
}
