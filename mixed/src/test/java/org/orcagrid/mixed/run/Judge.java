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
package org.orcagrid.mixed.run;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.store.Found;
import org.orcagrid.mixed.store.Snapshot;

/**
 * Judges what transactions have read, and what is there in the end. Each attempt writes a token of
 * its own to all its objects.
 *
 * <ol>
 *   <li>Causality: a weak object has all tokens that its reader has seen in any way, and a strong
 *       one those that it has seen before.
 *   <li>Atomic visibility: who sees a token in one object sees it in all that it was written to.
 *   <li>Exactly once: in the end, what was committed is everywhere, and what was aborted nowhere.
 * </ol>
 */
final class Judge {
  private final Consumer<String> wrong;
  private final List<Write> writes = new ArrayList<>();
  private final Map<StoredObject, List<BitSet>> last = new HashMap<>();

  private enum Fate {
    OPEN,
    COMMITTED,
    ABORTED
  }

  Judge(Consumer<String> wrong) {
    this.wrong = wrong;
  }

  Session session() {
    return new Session();
  }

  /** What one client has seen, by tokens. */
  final class Session {
    private final BitSet past = new BitSet();

    /** A transaction is committed, and has read these. */
    void onCommitted(Write write, Map<StoredObject, List<Integer>> values) {
      judge(past, values);
      past.or(seen(past, values));
      write.fate = Fate.COMMITTED;
      if (!write.objects.isEmpty()) {
        past.set(write.token);
        past.or(write.past);
      }
    }
  }

  /** The tokens of one attempt. */
  final class Write {
    private final int token;
    private final List<StoredObject> objects;
    private BitSet past = new BitSet();
    private Fate fate = Fate.OPEN;

    Write(int token, List<StoredObject> objects) {
      this.token = token;
      this.objects = objects;
    }

    int token() {
      return token;
    }

    /** It is written behind what its client has seen. */
    void onVote(Session session, Map<StoredObject, List<Integer>> values) {
      past = seen(session.past, values);
      past.set(token);
    }

    void onAborted() {
      fate = Fate.ABORTED;
    }

    void onUnknown() {
      fate = Fate.OPEN;
    }
  }

  Write write(List<StoredObject> objects, Session session) {
    Write write = new Write(writes.size(), objects);
    writes.add(write);
    return write;
  }

  private BitSet seen(BitSet before, Map<StoredObject, List<Integer>> values) {
    BitSet seen = (BitSet) before.clone();
    values.values().forEach(each -> each.forEach(token -> seen.or(writes.get(token).past)));
    return seen;
  }

  private void judge(BitSet before, Map<StoredObject, List<Integer>> values) {
    BitSet now = seen(before, values);
    values.forEach(
        (object, tokens) -> {
          boolean isWeak = object.level().equals(Causal.class);
          BitSet needed = isWeak ? now : before;
          needed.stream()
              .filter(each -> writes.get(each).objects.contains(object))
              .filter(each -> !tokens.contains(each))
              .forEach(
                  each -> wrong.accept(object + " is read without " + each + ", which was seen"));
          tokens.forEach(token -> judgeWhole(token, object, values));
        });
  }

  private void judgeWhole(
      int token, StoredObject where, Map<StoredObject, List<Integer>> values) {
    for (StoredObject each : writes.get(token).objects) {
      if (values.containsKey(each) && !values.get(each).contains(token)) {
        wrong.accept(token + " is seen in " + where + ", and not in " + each);
      }
    }
  }

  // --- in the end --------------------------------------------------------------------------------

  /** All objects of a store. */
  Set<StoredObject> objects(String store) {
    Set<StoredObject> objects = new LinkedHashSet<>();
    writes.forEach(
        each ->
            each.objects.stream()
                .filter(object -> object.store().equals(store))
                .forEach(objects::add));
    return objects;
  }

  /** What a replica has at last. */
  void onLast(String group, Snapshot snapshot) {
    snapshot
        .found()
        .forEach(
            (object, found) ->
                last.computeIfAbsent(object, none -> new ArrayList<>()).add(tokens(found)));
  }

  private static BitSet tokens(Found found) {
    BitSet tokens = new BitSet();
    if (found.value() instanceof List<?> all) {
      all.forEach(each -> tokens.set((Integer) each));
    }
    return tokens;
  }

  void last() {
    for (Write each : writes) {
      int there = 0;
      int places = 0;
      for (StoredObject object : each.objects) {
        for (BitSet replica : last.get(object)) {
          places++;
          there += replica.get(each.token) ? 1 : 0;
        }
      }
      boolean isRight =
          switch (each.fate) {
            case OPEN -> there == 0 || there == places;
            case COMMITTED -> there == places;
            case ABORTED -> there == 0;
          };
      if (!isRight) {
        wrong.accept(
            each.token + " is " + each.fate + ", and in " + there + " of " + places + " places");
      }
    }
  }
}
