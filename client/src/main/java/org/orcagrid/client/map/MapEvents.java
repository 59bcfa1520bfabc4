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
import org.orcagrid.ddp.map.Shown;
import org.orcagrid.ddp.map.ShownQueue;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.state.Writer;

/** A listener of a map: what waits for it, and the thread that calls it. */
final class MapEvents<K, V> implements MapListening {
  private static final System.Logger LOG = System.getLogger(MapEvents.class.getName());

  private final MapCaller<K, V> access;
  private final MapListener<K, V> listener;
  private final ShownQueue waiting = new ShownQueue(WAITING_MAX, this::arrived);

  /** What this process has written, if that may be at other nodes; otherwise null. */
  private final OwnWrites.Seen own;

  private final Duration timeout;
  private long failedCount;
  private boolean closed;

  private MapEvents(MapCaller<K, V> access, MapListener<K, V> listener, Duration timeout) {
    this.access = access;
    this.listener = listener;
    this.timeout = timeout;
    this.own = access.own() == null ? null : access.own().listen();
  }

  static <K, V> MapEvents<K, V> listen(
      MapCaller<K, V> access, MapListener<K, V> listener, Duration timeout) {
    MapEvents<K, V> events = new MapEvents<>(access, listener, timeout);
    try {
      access.await(access.node().watch(access.map(), events.waiting), timeout);
      // Told after the watch has begun, and when the node serves: what is begun from now on is
      // told.
      access.awaitServing(timeout);
    } catch (RuntimeException e) {
      events.close();
      throw e;
    }
    Thread thread = new Thread(events::run, "orca-map-" + access.map().name() + "-listener");
    thread.setDaemon(true);
    thread.start();
    return events;
  }

  private synchronized void arrived() {
    notifyAll();
  }

  // --- the listener's thread ---------------------------------------------------------------------

  private void run() {
    try {
      for (Shown change = next(); change != null; change = next()) {
        tell(change);
      }
      if (isEndedByItself()) {
        forgetOwn();
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

  private synchronized Shown next() throws InterruptedException {
    while (!closed) {
      Shown first = waiting.poll();
      if (first != null || waiting.isOver()) {
        return first;
      }
      wait();
    }
    return null;
  }

  private void tell(Shown shown) throws InterruptedException {
    boolean isHere = !shown.isOver() && shown.now() != null && isHere(shown.now());
    try {
      listener.onChange(change(shown, isHere));
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

  private MapChange<K, V> change(Shown shown, boolean isHere) {
    K key = access.key(shown.key());
    V before = shown.wasThere() ? access.anyValue(shown.before()) : null;
    if (shown.isGone()) {
      MapChange.Kind kind = shown.isOver() ? MapChange.Kind.EXPIRED : MapChange.Kind.REMOVED;
      return new MapChange<>(kind, key, before, null, isHere);
    }
    MapChange.Kind kind = shown.wasThere() ? MapChange.Kind.UPDATED : MapChange.Kind.CREATED;
    return new MapChange<>(kind, key, before, access.anyValue(shown.now()), isHere);
  }

  private boolean isHere(Write version) throws InterruptedException {
    return own == null
        ? Writer.node(version.clock()) == access.node().self()
        : own.isOwn(version, timeout.toNanos());
  }

  private void forgetOwn() {
    if (own != null) {
      own.close();
    }
  }

  // --- any thread --------------------------------------------------------------------------------

  @Override
  public long merged() {
    return waiting.merged();
  }

  @Override
  public synchronized long failed() {
    return failedCount;
  }

  @Override
  public void close() {
    access.node().unwatch(access.map(), waiting);
    forgetOwn();
    synchronized (this) {
      closed = true;
      notifyAll();
    }
  }
}
