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
import org.orcagrid.ddp.map.Lifetime;
import org.orcagrid.ddp.map.MapWatcher;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.state.Writer;

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

  /**
   * What has happened.
   *
   * @param there whether there was a value before
   * @param over whether there is none now since its time is over
   */
  private record Event(Key key, Write before, Write now, boolean there, boolean over) {}

  private MapEvents(MapAccess<K, V> access, MapListener<K, V> listener) {
    this.access = access;
    this.listener = listener;
  }

  static <K, V> MapEvents<K, V> listen(
      MapAccess<K, V> access, MapListener<K, V> listener, Duration timeout) {
    MapEvents<K, V> events = new MapEvents<>(access, listener);
    access.node().watch(access.map(), events);
    try {
      // Done by the worker after the watch, and when this node serves: what is begun from now on is
      // told.
      access.ask(replica -> true, timeout);
    } catch (RuntimeException e) {
      events.close();
      throw e;
    }
    Thread thread = new Thread(events::run, "orca-map-" + access.map().name() + "-listener");
    thread.setDaemon(true);
    thread.start();
    return events;
  }

  // --- the map's worker --------------------------------------------------------------------------

  @Override
  public void onShown(Key key, Write before, Write now) {
    long millis = access.nowMillis();
    boolean gone = now == null || now.value() == null;
    boolean over =
        gone
            && before != null
            && (now == null ? Lifetime.isOver(before, millis) : now.clock() == before.clock());
    // A value whose time has just ended was there when it did.
    boolean there = over || Lifetime.isThere(before, millis);
    if (there || !gone) {
      add(new Event(key, before, now, there, over));
    }
  }

  private synchronized void add(Event event) {
    Key key = event.key();
    if (merged.isEmpty() && waiting.size() < WAITING_MAX) {
      waiting.add(event);
    } else {
      Event earlier = merged.get(key);
      if (earlier == null) {
        merged.put(key, event);
      } else {
        merge(earlier, event);
      }
    }
    notifyAll();
  }

  /** Two changes as one; that nothing has come of nothing is none. */
  private void merge(Event earlier, Event later) {
    mergedCount++;
    boolean gone = later.now() == null || later.now().value() == null;
    if (gone && !earlier.there()) {
      merged.remove(later.key());
    } else {
      merged.put(
          later.key(),
          new Event(later.key(), earlier.before(), later.now(), earlier.there(), later.over()));
    }
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
      listener.onChange(change(event));
    } catch (RuntimeException | Error e) {
      hasFailed(e);
    }
  }

  private void tellEnded() {
    try {
      listener.onEnded();
    } catch (RuntimeException | Error e) {
      hasFailed(e);
    }
  }

  private void hasFailed(Throwable reason) {
    synchronized (this) {
      failedCount++;
    }
    LOG.log(System.Logger.Level.WARNING, "A listener of " + access.map() + " has failed", reason);
  }

  private MapChange<K, V> change(Event event) {
    Write now = event.now();
    K key = access.key(event.key());
    V before = event.there() ? access.anyValue(event.before()) : null;
    if (now == null || now.value() == null) {
      MapChange.Kind kind = event.over() ? MapChange.Kind.EXPIRED : MapChange.Kind.REMOVED;
      return new MapChange<>(kind, key, before, null, !event.over() && isHere(now));
    }
    MapChange.Kind kind = event.there() ? MapChange.Kind.UPDATED : MapChange.Kind.CREATED;
    return new MapChange<>(kind, key, before, access.anyValue(now), isHere(now));
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
