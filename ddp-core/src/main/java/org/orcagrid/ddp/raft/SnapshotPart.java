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

/** A piece of a snapshot. Immutable, as nobody changes its bytes. */
public final class SnapshotPart {
  private final SnapshotMark mark;
  private final long offset;
  private final byte[] bytes;
  private final boolean last;

  /** The bytes from {@code offset}; {@code last} if the snapshot ends with them. */
  public SnapshotPart(SnapshotMark mark, long offset, byte[] bytes, boolean last) {
    this.mark = mark;
    this.offset = offset;
    this.bytes = bytes;
    this.last = last;
  }

  /** What the snapshot stands for. */
  public SnapshotMark mark() {
    return mark;
  }

  /** Where the piece begins. */
  public long offset() {
    return offset;
  }

  /** Its bytes, not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  /** Whether the snapshot ends with it. */
  public boolean isLast() {
    return last;
  }
}
