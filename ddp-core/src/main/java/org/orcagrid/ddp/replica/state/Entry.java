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

/**
 * A key at a node: its version, and what is known of that version.
 *
 * <p>Invariants: clocks only grow; {@link #valid} and {@link #durable} may be ahead of the version
 * only while that of another node is on its way.
 */
public final class Entry {
  private final Key key;
  private Write write;

  /** The last version whose scope is on this node's medium; may be an older one. */
  private Write scoped;

  /** All nodes have this version or a later one. */
  private long valid;

  /** All nodes have persisted this version or a later one. */
  private long durable;

  /** This node has persisted this version or a later one. */
  private long persisted;

  // Of Entries: its place there.
  final long number;
  Entry previous;
  Entry next;
  private final Entries entries;

  Entry(Key key, long number, Entries entries) {
    this.key = key;
    this.number = number;
    this.entries = entries;
  }

  /** Its key. */
  public Key key() {
    return key;
  }

  /** The version, null if there is none. */
  public Write write() {
    return write;
  }

  /** The clock of its version, 0 if there is none. */
  public long clock() {
    return write == null ? 0 : write.clock();
  }

  /** Takes a version if it is later; whether it is. */
  public boolean set(Write later) {
    if (later.clock() <= clock()) {
      return false;
    }
    entries.beforeVersion(this);
    write = later;
    entries.onVersion(key, later.value() == null);
    return true;
  }

  /** Its version has no value any more, and is a removal under the same clock, which it returns. */
  public Write removeValue() {
    write = write.withoutValue();
    entries.onVersion(key, true);
    return write;
  }

  /** The last version whose scope is on this node's medium, null for none. */
  public Write scoped() {
    return scoped;
  }

  /** A version's scope is on this node's medium. */
  public void scoped(Write persisted) {
    if (scoped == null || scoped.clock() < persisted.clock()) {
      scoped = persisted;
    }
  }

  /** Whether all nodes have its version or a later one. */
  public boolean isValid() {
    return clock() <= valid;
  }

  /** Whether all nodes have persisted its version or a later one. */
  public boolean isDurable() {
    return isDurable(clock());
  }

  /** Whether this node has persisted its version or a later one. */
  public boolean isPersisted() {
    return isPersisted(clock());
  }

  /** Whether all nodes have persisted a version of it, or a later one. */
  public boolean isDurable(long version) {
    return version <= durable;
  }

  /** Whether this node has persisted a version of it, or a later one. */
  public boolean isPersisted(long version) {
    return version <= persisted;
  }

  /** Nothing is known of any version any more, but for what is persisted here. */
  public void doubt() {
    valid = 0;
    durable = 0;
  }

  /** All nodes have this version or a later one. */
  public void valid(long clock) {
    valid = Math.max(valid, clock);
  }

  /** All nodes have persisted this version or a later one. */
  public void durable(long clock) {
    durable = Math.max(durable, clock);
  }

  /** This node has persisted this version or a later one. */
  public void persisted(long clock) {
    persisted = Math.max(persisted, clock);
  }
}
