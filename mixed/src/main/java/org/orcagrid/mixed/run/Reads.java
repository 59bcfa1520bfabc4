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

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Found;
import org.orcagrid.mixed.store.Snapshot;
import org.orcagrid.mixed.store.Traits;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.Tombstone;
import org.orcagrid.mixed.track.Tracked;

/**
 * What one attempt has read. A store is read as a whole: all that is wanted of it is of one answer,
 * and read again if there is more.
 */
final class Reads {
  private static final int AT_ONCE_MAX = 3;

  private final Map<String, Traits> stores;
  private final Seen seen;
  private final Set<RunRule> rules;
  private final Map<String, View> views = new LinkedHashMap<>();

  /** What this attempt has to see: what the client had seen before, and what it has read. */
  private final Map<String, Tombstone> needs = new HashMap<>();

  /** Counts questions and answers. */
  private int tick;

  /** How often stores were asked again since another one has answered after them. */
  private int earlies;

  /** Of one store. */
  private static final class View {
    final Traits traits;
    final Set<StoredObject> wanted = new LinkedHashSet<>();
    Snapshot snapshot;
    Map<StoredObject, Object> values = Map.of();

    /** Transactions whose parts were known to be there when it was asked for. */
    Set<TransactionId> settled = Set.of();

    boolean isAsked;
    int again;

    /** When it was asked last, and when it was asked what it has answered. */
    int askingAt;

    int askedAt;

    /** When it has first answered what it has answered last. */
    int answeredAt;

    View(Traits traits) {
      this.traits = traits;
    }
  }

  Reads(Map<String, Traits> stores, Seen seen, Set<RunRule> rules) {
    this.stores = stores;
    this.seen = seen;
    this.rules = rules;
    stores.keySet().forEach(each -> needs.put(each, seen.need(each)));
  }

  /** What a store has to have for this attempt. */
  Tombstone need(String store) {
    return needs.get(store);
  }

  private View view(String store) {
    return views.computeIfAbsent(store, name -> new View(stores.get(name)));
  }

  /** Whether an object's value is there. */
  boolean has(StoredObject object) {
    View view = views.get(object.store());
    return view != null && view.values.containsKey(object);
  }

  Object value(StoredObject object) {
    return views.get(object.store()).values.get(object);
  }

  /** The version of a strong object that is there. */
  long version(StoredObject object) {
    return views.get(object.store()).snapshot.found().get(object).version();
  }

  /** What to ask for these. */
  List<Request> want(Set<StoredObject> objects) {
    Set<String> asked = new LinkedHashSet<>();
    for (StoredObject each : objects) {
      view(each.store()).wanted.add(each);
      asked.add(each.store());
    }
    return asked.stream().map(this::ask).toList();
  }

  private Request ask(String store) {
    View view = view(store);
    view.isAsked = true;
    view.askingAt = ++tick;
    view.settled = view.traits.isStrong() ? seen.settled(store) : Set.of();
    Tombstone need = need(store);
    return new Request.Read(
        store, Set.copyOf(view.wanted), need.pending(), need.past(), view.askingAt, view.again);
  }

  /** Whether answers are still to come. */
  boolean areAsked() {
    return views.values().stream().anyMatch(each -> each.isAsked);
  }

  /** A store has answered. An answer to anything but the last request is of no use. */
  void onSnapshot(Request.Read request, Snapshot snapshot) {
    View view = view(request.store());
    if (!view.isAsked || request.turn() != view.askingAt) {
      return;
    }
    view.isAsked = false;
    view.askedAt = view.askingAt;
    tick++;
    if (view.snapshot == null || !isSame(view.snapshot, snapshot)) {
      view.answeredAt = tick;
    }
    view.snapshot = snapshot;
    snapshot.found().values().forEach(each -> onRead(request.store(), each.context()));
  }

  private void onRead(String store, Context context) {
    seen.onRead(store, context);
    context
        .tombstones()
        .forEach(
            (other, tombstone) -> {
              if (!other.equals(store) && needs.containsKey(other)) {
                needs.merge(other, tombstone, Tombstone::join);
              }
            });
  }

  private static boolean isSame(Snapshot one, Snapshot other) {
    return one.found().keySet().equals(other.found().keySet())
        && one.found().entrySet().stream()
            .allMatch(each -> isSame(each.getValue(), other.found().get(each.getKey())));
  }

  private static boolean isSame(Found one, Found other) {
    return one.version() == other.version() && one.clock().equals(other.clock());
  }

  /**
   * Weaker stores that were asked before another one has answered. What that has may rely on what
   * is everywhere by then, and says nothing of it; what they have told may be older.
   */
  Set<String> early() {
    Set<String> early = new TreeSet<>();
    for (View view : views.values()) {
      boolean isEarly =
          views.values().stream().anyMatch(each -> each != view && each.answeredAt > view.askedAt);
      if (isEarly && !view.traits.isStrong() && rules.contains(RunRule.WEAK_IS_READ_LAST)) {
        early.add(view.traits.name());
      }
    }
    return early;
  }

  /** What to ask again, as it does not go with what is known by now; nothing if all goes. */
  Set<String> stale() {
    Set<String> stale = new TreeSet<>();
    for (View view : views.values()) {
      if (view.traits.isStrong()) {
        seen.onMarkers(view.traits, view.snapshot);
        if (!hasParts(view)) {
          stale.add(view.traits.name());
        } else {
          view.values = new HashMap<>();
          view.snapshot.found().forEach((object, found) -> view.values.put(object, found.value()));
        }
      } else {
        Map<StoredObject, Object> values =
            seen.values(view.traits, view.snapshot, need(view.traits.name()));
        view.values = values == null ? Map.of() : values;
        if (values == null) {
          stale.add(view.traits.name());
        }
      }
    }
    if (rules.contains(RunRule.TOGETHER_IS_SEEN_TOGETHER)) {
      views.values().forEach(view -> addOlder(view.snapshot, stale));
    }
    return stale;
  }

  /**
   * Whether a strong store's snapshot has parts of all transactions that were met. It has no clock,
   * and that they are there by now is not enough.
   */
  private boolean hasParts(View view) {
    return !seen.waits()
        || need(view.traits.name()).pending().stream()
            .allMatch(
                each -> view.settled.contains(each) || view.snapshot.markers().containsKey(each));
  }

  /** Stores whose objects are older than what their transactions have written elsewhere. */
  private void addOlder(Snapshot snapshot, Set<String> stale) {
    for (Found each : snapshot.found().values()) {
      for (Map.Entry<StoredObject, Context.Stamp> stamp : each.context().together().entrySet()) {
        StoredObject object = stamp.getKey();
        View view = views.get(object.store());
        Found found = view == null ? null : view.snapshot.found().get(object);
        if (found != null && found.version() < stamp.getValue().version()) {
          stale.add(object.store());
        }
      }
    }
  }

  /** Asks again, at once; after a while where stores change all the time. */
  List<Request> soon(Set<String> early) {
    earlies++;
    return earlies > AT_ONCE_MAX ? again(early) : early.stream().map(this::ask).toList();
  }

  /** Asks again, after a while. */
  List<Request> again(Set<String> stale) {
    return stale.stream()
        .map(
            store -> {
              view(store).again++;
              return ask(store);
            })
        .toList();
  }

  /** What another client can be asked for, of a store that is waited for; null for nothing. */
  Tombstone missing(String store) {
    View view = view(store);
    return view.traits.isStrong() || !view.traits.isWhole()
        ? null
        : seen.missing(view.traits, view.snapshot);
  }

  /** Another client has told; whether that has changed anything is seen when looked at again. */
  void onFetched(Request.Fetch request, Tracked told) {
    View view = view(request.store());
    seen.onFetched(view.traits, request.missing(), told, view.snapshot);
    view.isAsked = false;
    view.answeredAt = ++tick;
  }

  /** Which store is waited for, in words; null for none. */
  String waitingFor() {
    return views.values().stream()
        .filter(each -> each.isAsked && each.again > 0)
        .map(each -> each.traits + " has " + each.snapshot.clock().counts())
        .findFirst()
        .orElse(null);
  }

  /** Strong stores of which something was read. */
  Set<String> strong() {
    Set<String> strong = new HashSet<>();
    views.forEach(
        (name, view) -> {
          if (view.traits.isStrong()) {
            strong.add(name);
          }
        });
    return strong;
  }
}
