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
package org.orcagrid.geo.replica;

import org.orcagrid.geo.Positions;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/**
 * Which datacenters are being removed, and which are. A bit for each, in all that is an int here.
 *
 * <p>A datacenter is <em>fenced</em> by an entry of each group's log: behind it nothing more is
 * taken from there. Then each group that stays hands its state to all others. When a group has got
 * that of all, begun behind their fences, it has all writes of the fenced one that anybody has: the
 * <em>cut</em> is how far it has come, the same in all groups, and the datacenter is removed.
 */
final class Removals {
  private int datacenters;
  private int fenced;
  private int removed;

  /** By datacenter that stays: what was fenced there when it began to hand over its state. */
  private final int[] handed = new int[Positions.DATACENTERS_MAX];

  int fenced() {
    return fenced;
  }

  int removed() {
    return removed;
  }

  int handed(int datacenter) {
    return handed[datacenter];
  }

  boolean isFenced(int datacenter) {
    return (fenced & (1 << datacenter)) != 0;
  }

  boolean isRemoved(int datacenter) {
    return (removed & (1 << datacenter)) != 0;
  }

  void fence(int more, int ofHowMany) {
    fenced |= more;
    datacenters = ofHowMany;
  }

  void handed(int from, int fencedThere) {
    handed[from] |= fencedThere;
  }

  /** Whether all that stay have handed over their state; then the fenced ones are removed. */
  void look(int self, boolean waits) {
    boolean all = fenced != 0;
    for (int i = 0; i < datacenters; i++) {
      all &= i == self || isFenced(i) || !waits || (fenced & ~handed[i]) == 0;
    }
    if (all && !isFenced(self)) {
      removed = fenced;
    }
  }

  void write(Encoder out) {
    out.putNumber(datacenters).putNumber(fenced).putNumber(removed);
    for (int each : handed) {
      out.putNumber(each);
    }
  }

  void read(Decoder in) {
    int most = Positions.MASK_MAX;
    datacenters = in.getInt(Positions.DATACENTERS_MAX);
    fenced = in.getInt(most);
    removed = in.getInt(most);
    for (int i = 0; i < handed.length; i++) {
      handed[i] = in.getInt(most);
    }
  }
}
