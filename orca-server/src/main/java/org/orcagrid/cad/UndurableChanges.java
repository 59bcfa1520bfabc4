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

import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which paths changed in transactions that are not durable yet: the update-index of section 4.3.3
 * for everything that a read can show.
 *
 * <p>ZooKeeper keeps the index of the last change in a node's Stat, but not for a deleted node, nor
 * for a changed access list. This map has an entry for every change that may still be lost, so that
 * the check is one look-up and is exact for those as well; it forgets an entry once it is durable.
 *
 * <p>One thread applies transactions and notes their changes; any thread may start the notes over,
 * and any number of threads may ask at the same time.
 */
public final class UndurableChanges {

  /** Who changes what no session has changed; ZooKeeper gives no session this number. */
  public static final long NOBODY = 0;

  private final ConcurrentHashMap<String, Change> changes = new ConcurrentHashMap<>();
  private final ArrayDeque<Entry> oldestFirst = new ArrayDeque<>();
  private volatile long floor;

  /** What has been forgotten as durable since the notes began. */
  private long forgotten;

  private record Entry(String path, long index) {}

  /** Written by the applying thread only. */
  private static final class Change {
    private volatile long node;
    private volatile long children;

    /** The session of the last change; this and the next are guarded by the notes' monitor. */
    private long session = NOBODY;

    /** The last change by any other session, 0 for none. */
    private long others;

    private long last() {
      return Math.max(node, children);
    }
  }

  /**
   * Starts over with a state of which the single changes are not known: loaded from disk or from
   * another server's snapshot. Until {@code index} is durable every read needs all of it.
   */
  public synchronized void startFrom(long index) {
    changes.clear();
    oldestFirst.clear();
    floor = index;
    forgotten = 0;
  }

  /** As {@link #onNodeChanged(String, long, long)}, by {@link #NOBODY}. */
  public void onNodeChanged(String path, long index) {
    onNodeChanged(path, index, NOBODY);
  }

  /** As {@link #onChildrenChanged(String, long, long)}, by {@link #NOBODY}. */
  public void onChildrenChanged(String path, long index) {
    onChildrenChanged(path, index, NOBODY);
  }

  /** {@code session} has created, deleted or changed the node, its data or its access list. */
  public synchronized void onNodeChanged(String path, long index, long session) {
    change(path, index, session).node = index;
  }

  /** {@code session} has created or deleted a child of the node (its pzxid has changed). */
  public synchronized void onChildrenChanged(String path, long index, long session) {
    change(path, index, session).children = index;
  }

  /** Forgets what is durable. */
  public synchronized void onDurable(long durable) {
    forgotten = Math.max(forgotten, durable);
    Entry first = oldestFirst.peekFirst();
    while (first != null && first.index <= durable) {
      oldestFirst.pollFirst();
      Change change = changes.get(first.path);
      if (change != null && change.last() <= durable) {
        changes.remove(first.path);
      }
      first = oldestFirst.peekFirst();
    }
  }

  /**
   * What must be durable before the Stat, the data, the access list or the absence of {@code path}
   * is shown. An index that is durable already may be returned.
   */
  public long indexOfNode(String path) {
    Change change = changes.get(path);
    return change == null ? floor : Math.max(floor, change.last());
  }

  /** What must be durable before the names of the children of {@code path} are shown. */
  public long indexOfChildren(String path) {
    Change change = changes.get(path);
    return change == null ? floor : Math.max(floor, change.children);
  }

  /**
   * What must be durable before {@code session} is told of {@code path} what it did not write
   * itself: the last change by anybody else, 0 if that is known to be durable.
   */
  public synchronized long indexOfOthers(String path, long session) {
    Change change = changes.get(path);
    long index = floor;
    if (change != null) {
      index = Math.max(floor, change.session == session ? change.others : change.last());
    }
    return index <= forgotten ? 0 : index;
  }

  /** How many paths have changes that are not known to be durable. */
  public int size() {
    return changes.size();
  }

  private Change change(String path, long index, long session) {
    Change change = changes.get(path);
    if (change == null) {
      change = new Change();
      changes.put(path, change);
    }
    if (change.last() < index) {
      oldestFirst.addLast(new Entry(path, index));
    }
    if (change.session != session) {
      change.others = change.last();
      change.session = session;
    }
    return change;
  }
}
