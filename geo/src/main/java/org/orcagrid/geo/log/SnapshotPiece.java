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
package org.orcagrid.geo.log;

/** A piece of a snapshot that is written. Immutable, as nobody changes its bytes. */
public final class SnapshotPiece {
  private final long index;
  private final long offset;
  private final byte[] bytes;
  private final boolean last;

  /** A piece of the snapshot that has all entries up to an index. */
  public SnapshotPiece(long index, long offset, byte[] bytes, boolean last) {
    this.index = index;
    this.offset = offset;
    this.bytes = bytes;
    this.last = last;
  }

  long index() {
    return index;
  }

  long offset() {
    return offset;
  }

  byte[] bytes() {
    return bytes;
  }

  boolean isLast() {
    return last;
  }
}
