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
package org.orcagrid.ddp.replica.consistency;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.replica.state.Encoding;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/** A transaction at a node: at its coordinator, or at a follower. */
final class Transaction {
  /** How far it is. */
  enum State {
    /** It may still be aborted. */
    ACTIVE,
    /** All have its writes and none objects: it will be visible everywhere. */
    DECIDED,
    /** It is visible here. */
    VISIBLE
  }

  private final long id;

  /** Null at followers. */
  private final ReplicaSession session;

  private final Map<Key, Write> writes = new LinkedHashMap<>();
  private int bytes;
  private final Set<Key> locked = new HashSet<>();
  private State state = State.ACTIVE;

  // Of the coordinator.
  private boolean coordinated;
  private int begun;
  private final Map<Long, Integer> has = new HashMap<>();
  private int ended;
  private int durable;
  private boolean ending;
  private boolean single;
  private Operation operation;

  Transaction(long id, ReplicaSession session) {
    this.id = id;
    this.session = session;
    this.coordinated = session != null;
  }

  long id() {
    return id;
  }

  ReplicaSession session() {
    return session;
  }

  State state() {
    return state;
  }

  void decide(List<Write> all) {
    state = State.DECIDED;
    writes.clear();
    all.forEach(write -> writes.put(write.key(), write));
  }

  void show() {
    state = State.VISIBLE;
  }

  List<Write> writes() {
    return new ArrayList<>(writes.values());
  }

  boolean hasWrites() {
    return !writes.isEmpty();
  }

  Write write(Key key) {
    return writes.get(key);
  }

  void put(Write write) {
    Write before = writes.put(write.key(), write);
    bytes += Encoding.bytes(write);
    if (before != null) {
      bytes -= Encoding.bytes(before);
      has.remove(before.clock());
    }
    if (coordinated) {
      has.put(write.clock(), 0);
    }
  }

  /** The bytes of its writes but for one of {@code key}. */
  int bytesBeside(Key key) {
    Write same = writes.get(key);
    return same == null ? bytes : bytes - Encoding.bytes(same);
  }

  /** The keys that it has at this node. */
  Set<Key> locked() {
    return locked;
  }

  boolean isCoordinated() {
    return coordinated;
  }

  /** This node ends what the coordinator cannot. */
  void takeOver() {
    coordinated = true;
    ended = 0;
    durable = 0;
  }

  void begun(int node) {
    begun |= Quorum.of(node);
  }

  boolean isBegun(int members) {
    return (members & ~begun) == 0;
  }

  void has(long clock, int node) {
    has.computeIfPresent(clock, (each, mask) -> mask | Quorum.of(node));
  }

  boolean hasAtAll(int members) {
    return has.values().stream().allMatch(mask -> (members & ~mask) == 0);
  }

  void ended(int node) {
    ended |= Quorum.of(node);
  }

  boolean isEnded(int members) {
    return (members & ~ended) == 0;
  }

  void durable(int node) {
    durable |= Quorum.of(node);
  }

  boolean isDurable(int members) {
    return (members & ~durable) == 0;
  }

  /** Nodes that have joined know nothing of it yet. */
  void forget(int nodes) {
    begun &= ~nodes;
    ended &= ~nodes;
    durable &= ~nodes;
    has.replaceAll((clock, mask) -> mask & ~nodes);
  }

  boolean isEnding() {
    return ending;
  }

  void end() {
    ending = true;
  }

  /** It is one write that was made outside of any transaction. */
  boolean isSingle() {
    return single;
  }

  Transaction single() {
    single = true;
    return this;
  }

  /** What its client waits for, null for nothing. */
  Operation operation() {
    return operation;
  }

  void operation(Operation waitedFor) {
    this.operation = waitedFor;
  }

  @Override
  public String toString() {
    return "transaction " + Long.toHexString(id) + " " + state + " " + writes.values();
  }
}
