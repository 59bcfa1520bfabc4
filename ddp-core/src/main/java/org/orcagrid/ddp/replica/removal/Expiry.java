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
package org.orcagrid.ddp.replica.removal;

import org.orcagrid.ddp.replica.state.Entries;
import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.ValueTime;
import org.orcagrid.ddp.replica.state.VersionListener;
import org.orcagrid.ddp.replica.state.Visibility;
import org.orcagrid.ddp.replica.state.Write;

/**
 * Takes away values whose time is over: each node by itself, some entries at a time. A version
 * whose value is gone is a removal under the same clock, and is forgotten like any other one.
 *
 * <p>Nobody needs to agree: whoever reads a value whose time is over shows none anyway. In logs and
 * at other nodes the version may have its value for longer; whatever it is replaced by has a later
 * clock.
 */
public final class Expiry {
  private final ReplicaState state;
  private final Visibility visibility;
  private final VersionListener listener;
  private Entries.Cursor cursor;

  /** Milliseconds until some value's time may be over, of those since the first one. */
  private long leftMillis;

  /** An expiry that begins with the first entry. */
  public Expiry(ReplicaState state, Visibility visibility, VersionListener listener) {
    this.state = state;
    this.visibility = visibility;
    this.listener = listener;
  }

  /**
   * Looks at the next entries; behind the last one it begins anew with the next call.
   *
   * @return 0 if it has not come behind the last one; else milliseconds until the next value's time
   *     may be over, 1 at least, {@link Long#MAX_VALUE} if all stay
   */
  public long look(int entriesMax, ValueTime time) {
    if (cursor == null) {
      state.entries().lookAtNew();
      cursor = state.entries().cursor();
      leftMillis = Long.MAX_VALUE;
    }
    for (int i = 0; i < entriesMax; i++) {
      if (!cursor.advance()) {
        cursor = null;
        return Math.max(1, leftMillis);
      }
      long left = cursor.leftMillis(time);
      if (left > 0 || !takeAway(cursor.entry())) {
        leftMillis = Math.min(leftMillis, left);
      }
    }
    return 0;
  }

  private boolean takeAway(Entry entry) {
    boolean done = isDone(entry);
    if (done) {
      Write before = entry.write();
      listener.shown(entry.key(), before, entry.removeValue());
    }
    return done;
  }

  /** Whether nobody waits for anything about it any more. */
  private boolean isDone(Entry entry) {
    return visibility.isShown(entry) && visibility.isSettled(entry);
  }
}
