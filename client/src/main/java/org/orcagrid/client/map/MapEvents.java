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
package org.orcagrid.client.map;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.orcagrid.ddp.map.MapWatcher;
import org.orcagrid.ddp.replica.Key;
import org.orcagrid.ddp.replica.Write;
import org.orcagrid.ddp.replica.Writer;

/**
 * A listener of a map: what waits for it, and the thread that calls it.
 *
 * <p>Invariant: of a key, what is in {@link #merged} came after all of it in {@link #waiting}.
 */
final class MapEvents<K, V> implements MapWatcher, MapListening {
  private static final System.Logger LOG = System.getLogger(MapEvents.class.getName());

  private final MapAccess<K, V> access;
  private final MapListener<K, V> listener;
  private final Deque<Event> waiting = new ArrayDeque<>();

  /** What came when too much was waiting: one event for each key. */
  private final Map<Key, Event> merged = new LinkedHashMap<>();

  private long mergedCount;
  private long failedCount;
  private boolean closed;
  private boolean ended;

  private record Event(Key key, Write before, Write now) {}

  private MapEvents(MapAccess<K, V> access, MapListener<K, V> listener) {
    this.access = access;
    this.listener = listener;
  }

  static <K, V> MapEvents<K, V> listen(
      MapAccess<K, V> access, MapListener<K, V> listener, Duration timeout) {
    MapEvents<K, V> events = new MapEvents<>(access, listener);
    access.node().watch(access.map(), events);
    Thread thread = new Thread(events::run, "orca-map-" + access.map().name() + "-listener");
    thread.setDaemon(true);
    thread.start();
    try {
      // Done by the worker after the watch: whatever is begun from now on is told.
      access.await(access.node().ask(access.map(), replica -> null), timeout);
    } catch (SessionLostException | IllegalStateException e) {
      LOG.log(System.Logger.Level.DEBUG, "It begins when this node has the map again", e);
    }
    return events;
  }

  // --- the map's worker --------------------------------------------------------------------------

  @Override
  public synchronized void onShown(Key key, Write before, Write now) {
    Event event = new Event(key, before, now);
    if (merged.isEmpty() && waiting.size() < WAITING_MAX) {
      waiting.add(event);
    } else {
      Event earlier = merged.get(key);
      if (earlier == null) {
        merged.put(key, event);
      } else {
        merged.put(key, new Event(key, earlier.before(), now));
        mergedCount++;
      }
    }
    notifyAll();
  }

  @Override
  public synchronized void onEnded() {
    ended = true;
    notifyAll();
  }

  // --- the listener's thread ---------------------------------------------------------------------

  private void run() {
    try {
      for (Event event = next(); event != null; event = next()) {
        tell(event);
      }
      if (isEndedByItself()) {
        tellEnded();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.log(System.Logger.Level.WARNING, "A listener of {0} was interrupted", access.map());
      close();
    }
  }

  private synchronized boolean isEndedByItself() {
    return !closed;
  }

  private synchronized Event next() throws InterruptedException {
    while (true) {
      if (closed) {
        return null;
      }
      Event first = waiting.poll();
      if (first == null && !merged.isEmpty()) {
        Iterator<Event> each = merged.values().iterator();
        first = each.next();
        each.remove();
      }
      if (first != null || ended) {
        return first;
      }
      wait();
    }
  }

  private void tell(Event event) {
    try {
      MapChange<K, V> change = change(event);
      if (change != null) {
        listener.onChange(change);
      }
    } catch (RuntimeException e) {
      hasFailed(e);
    }
  }

  private void tellEnded() {
    try {
      listener.onEnded();
    } catch (RuntimeException e) {
      hasFailed(e);
    }
  }

  private void hasFailed(RuntimeException reason) {
    synchronized (this) {
      failedCount++;
    }
    LOG.log(System.Logger.Level.WARNING, "A listener of " + access.map() + " has failed", reason);
  }

  /** What users know of it; null if there is nothing to know. */
  private MapChange<K, V> change(Event event) {
    Write before = event.before();
    Write now = event.now();
    K key = access.key(event.key());
    if (now == null || now.value() == null) {
      if (before == null || before.value() == null) {
        return null;
      }
      boolean over =
          now == null
              ? Lifetimes.isOver(before, access.nowMillis())
              : now.clock() == before.clock();
      return new MapChange<>(
          over ? MapChange.Kind.EXPIRED : MapChange.Kind.REMOVED,
          key,
          access.anyValue(before),
          null,
          !over && isHere(now));
    }
    V was = access.value(before);
    return new MapChange<>(
        was == null ? MapChange.Kind.CREATED : MapChange.Kind.UPDATED,
        key,
        was,
        access.anyValue(now),
        isHere(now));
  }

  private boolean isHere(Write version) {
    return version != null && Writer.node(version.clock()) == access.node().self();
  }

  // --- any thread --------------------------------------------------------------------------------

  @Override
  public synchronized long merged() {
    return mergedCount;
  }

  @Override
  public synchronized long failed() {
    return failedCount;
  }

  @Override
  public void close() {
    access.node().unwatch(access.map(), this);
    synchronized (this) {
      closed = true;
      notifyAll();
    }
  }
}
