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
package org.orcagrid.ddp.replica.state;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.orcagrid.ddp.Invariant;

/**
 * Tells of each version that becomes visible at this node, to whoever wants to know: those that a
 * read could have shown, and no others.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>of a key's versions each is told after the one before it, and none twice;
 *   <li>what a read shows is told, or is here to be told before the call returns that made it
 *       visible.
 * </ol>
 */
public final class Watch {
  private final ReplicaState state;
  private final Visibility visibility;
  private final VersionListener listener;

  /** Keys that have, or had, a version that was not told; each with the last one that was. */
  private final Map<Key, Write> told = new LinkedHashMap<>();

  private boolean on;

  /** Whether it begins when clients are served. */
  private boolean waits;

  private boolean looks;

  /** Whether operations are being begun, so that a read may show what is here. */
  private boolean reading;

  /** A watch that tells nothing yet. */
  public Watch(ReplicaState state, Visibility visibility, VersionListener listener) {
    this.state = state;
    this.visibility = visibility;
    this.listener = listener;
  }

  /** Begins, when clients are served: what there is then is not told. */
  public void begin() {
    if (!on) {
      waits = true;
      looks = true;
    }
  }

  /** Begins if it is to and clients are served; what is done for them comes next. */
  public void beginIfServing() {
    reading = true;
    if (waits && state.isServing()) {
      waits = false;
      on = true;
      // What was there before a version that nobody is shown yet is not known any more.
      for (Entry entry : state.entries().all()) {
        if (entry.hasVersion() && !visibility.isShown(entry)) {
          told.put(entry.key(), null);
        }
      }
    }
  }

  /** Goes on where an earlier life has ended; before its replica serves. */
  public void goOn(Map<Key, Write> before) {
    told.putAll(before);
    for (Entry entry : state.entries().all()) {
      // In the log, and not told before the end.
      if (entry.hasVersion() && !told.containsKey(entry.key())) {
        told.put(entry.key(), null);
      }
    }
    on = true;
    looks = true;
  }

  /** Whether there are versions here that are to be told when they are visible. */
  public boolean isWaiting() {
    return on && !told.isEmpty();
  }

  /** Ends, and nobody goes on with it. */
  public void stop() {
    waits = false;
    on = false;
    told.clear();
  }

  /** What was told last of each key, for a later life to go on with; null if it had not begun. */
  public Map<Key, Write> end() {
    waits = false;
    if (!on) {
      return null;
    }
    on = false;
    Map<Key, Write> last = new LinkedHashMap<>(told);
    for (Entry entry : state.entries().all()) {
      // What is in told with nothing was not told: that is not the same as not being there.
      if (entry.hasVersion() && !last.containsKey(entry.key())) {
        last.put(entry.key(), entry.write());
      }
    }
    told.clear();
    return last;
  }

  /** An entry is about to have a later version. */
  void onVersion(Entry entry) {
    if (!on) {
      return;
    }
    looks = true;
    if (told.containsKey(entry.key())) {
      // What has come and gone between two reads no read could show.
      if (reading && state.isServing() && visibility.isShown(entry)) {
        tell(entry.key(), told.get(entry.key()), entry.write());
        told.put(entry.key(), entry.write());
      }
    } else {
      told.put(entry.key(), entry.write());
    }
  }

  /** All entries are about to go; others, maybe of the same versions, will come. */
  void onClear() {
    if (on) {
      for (Entry entry : state.entries().all()) {
        if (entry.hasVersion() && !told.containsKey(entry.key())) {
          told.put(entry.key(), entry.write());
        }
      }
    }
  }

  /**
   * Tells what can be told, when all is done for clients.
   *
   * @param changed whether something has happened since the last time
   */
  public void look(boolean changed) {
    reading = false;
    if (!on || told.isEmpty() || !(changed || looks) || !state.isServing()) {
      return;
    }
    looks = false;
    Iterator<Map.Entry<Key, Write>> each = told.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<Key, Write> next = each.next();
      Entry entry = state.entry(next.getKey());
      if (visibility.isShown(entry)) {
        tell(next.getKey(), next.getValue(), entry.write());
        each.remove();
      }
    }
  }

  /** The second invariant: nothing that a read shows is left to be told. */
  public void checkInvariants() {
    if (on && state.isServing()) {
      for (Key key : told.keySet()) {
        Invariant.check(!visibility.isShown(state.entry(key)), "what a read shows was told");
      }
    }
  }

  private void tell(Key key, Write before, Write now) {
    long clock = before == null ? 0 : before.clock();
    boolean forgotten = now == null && before != null;
    boolean later = now != null && now.clock() > clock;
    boolean any =
        (before != null && before.value() != null) || (now != null && now.value() != null);
    if ((later || forgotten) && any) {
      listener.shown(key, before, now);
    }
  }
}
