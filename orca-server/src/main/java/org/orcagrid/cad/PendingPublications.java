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
package org.orcagrid.cad;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Snapshots that are written but must not be seen yet.
 *
 * <p>A snapshot that is taken while transactions are applied can contain changes later than its
 * name, and truncating a log does not undo what is in a snapshot. So it may get its real name only
 * when everything that was applied by the end of its serialisation is durable on a quorum: no later
 * leader can then ask for less.
 *
 * <p>Not thread-safe; the owner guards it.
 *
 * @param <S> what is published
 */
public final class PendingPublications<S> {

  private record Pending<S>(S snapshot, long needs) {}

  private final List<Pending<S>> pending = new ArrayList<>();

  /**
   * Adds a snapshot.
   *
   * @param needs the last index that was applied when its serialisation ended
   */
  public void add(S snapshot, long needs) {
    pending.add(new Pending<>(snapshot, needs));
  }

  /** Takes the snapshots that may be published now, oldest first. */
  public List<S> takeReady(long durable) {
    List<S> ready = new ArrayList<>();
    Iterator<Pending<S>> each = pending.iterator();
    while (each.hasNext()) {
      Pending<S> next = each.next();
      if (next.needs <= durable) {
        ready.add(next.snapshot);
        each.remove();
      }
    }
    return ready;
  }

  /** Takes all of them, to be thrown away: the state that they show has been replaced. */
  public List<S> takeAll() {
    List<S> all = new ArrayList<>();
    pending.forEach(each -> all.add(each.snapshot));
    pending.clear();
    return all;
  }

  /** Whether nothing waits. */
  public boolean isEmpty() {
    return pending.isEmpty();
  }
}
