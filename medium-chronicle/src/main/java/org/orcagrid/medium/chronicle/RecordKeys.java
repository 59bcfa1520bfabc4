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

import java.nio.ByteBuffer;

/**
 * Says which records make which others needless, so that a medium keeps only the latest of each
 * key. The thread that uses the medium asks, about each record once and in their order: while they
 * are read back and when they are appended. So it may remember what it has seen.
 */
@FunctionalInterface
public interface RecordKeys {

  /** Each record stays until it is trimmed, as in a log. */
  RecordKeys NONE = (record, kept) -> kept.untilTrimmed(record);

  /**
   * Says what of a record is to be kept once the log is no longer needed. What it does not hand to
   * {@code kept} is not read back any more then; what it hands over in parts is kept together or
   * not at all.
   *
   * @param record from its position to its limit, which may be changed; valid until this returns
   * @throws RuntimeException ends the medium
   */
  void sort(ByteBuffer record, Kept kept);

  /** Takes what is to be kept, with the position of the record that is being sorted. */
  interface Kept {

    /**
     * Keeps a record until there is another one with the same key and an order that is not less.
     *
     * @param key up to 1 KB
     */
    void latest(ByteBuffer key, long order, ByteBuffer record);

    /** Keeps a record until it is trimmed. */
    void untilTrimmed(ByteBuffer record);
  }
}
