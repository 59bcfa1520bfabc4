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
package org.orcagrid.ddp.replica.wire;

import java.util.List;
import org.orcagrid.ddp.replica.state.Write;

/**
 * Writes of a node that become visible together, in a consistency without answers (UPD, DDP section
 * 5.1).
 *
 * @param origin the node
 * @param sequence its number among the updates of that node; higher in a later life
 * @param previous the number of the one before, 0 for the first one of a life
 * @param history for each node, up to where its updates happened before this one (cauhist)
 * @param more whether the next update belongs to this one: clients that wait for it wait for both
 * @param writes one write, or those of a batch; of what only this node knew where it has come back,
 *     a part
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared and never changed.
public record Update(
    int origin, long sequence, long previous, long[] history, boolean more, List<Write> writes) {

  /** The life of its node that an update with this number belongs to. */
  public static int life(long sequence) {
    return (int) (sequence >>> Integer.SIZE);
  }

  @Override
  public String toString() {
    return "update " + origin + "#" + Long.toHexString(sequence) + " " + writes;
  }
}
