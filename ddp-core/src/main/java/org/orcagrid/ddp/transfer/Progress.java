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
package org.orcagrid.ddp.transfer;

/**
 * How far a node is that catches up.
 *
 * @param parts maps, and Kite's keys as one, that it receives
 * @param whole those of them that it has received
 * @param pages that it has received of all of them
 * @param entries in these pages; twice what two nodes have told
 * @param bytes of these pages
 * @param entriesMax how many entries those have that it has heard from
 */
public record Progress(
    int parts, int whole, long pages, long entries, long bytes, long entriesMax) {
  /** Of a node that has nothing to receive. */
  public static final Progress NONE = new Progress(0, 0, 0, 0, 0, 0);

  /** Both together. */
  public Progress plus(Progress other) {
    return new Progress(
        parts + other.parts,
        whole + other.whole,
        pages + other.pages,
        entries + other.entries,
        bytes + other.bytes,
        entriesMax + other.entriesMax);
  }

  /** Whether something is still to be received. */
  public boolean isUnderWay() {
    return whole < parts;
  }

  @Override
  public String toString() {
    return whole
        + " of "
        + parts
        + " parts, "
        + entries
        + " of "
        + entriesMax
        + " entries, "
        + pages
        + " pages, "
        + bytes
        + " bytes";
  }
}
